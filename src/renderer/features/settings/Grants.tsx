/** What a person has allowed beyond single actions, and the way back. */
import type { ReactNode } from 'react';
import { clockTime } from '../../ui/time.js';
import type { Grant } from '../../state/state.js';
import { say, strings } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { Shown } from '../../ui/Shown.js';

interface Props {
  grants: Grant[];
  online: boolean;
  onRevoke(id: string): void;
}

export function Grants({ grants, online, onRevoke }: Props): ReactNode {
  return (
    <section className="region" aria-labelledby="h-grants">
      <div className="region-h">
        <h2 id="h-grants">{strings.settings.granted}</h2>
      </div>
      {grants.length === 0 ? (
        <p className="small mut">{strings.settings.noGrants}</p>
      ) : (
        <ul className="list">
          {grants.map((grant) => (
            <li className="perm" key={grant.id} data-anchor>
              <Icon name="click" />
              <span className="nm" id={`grant-${grant.id}`}>
                <Shown text={strings.settings.grantIn(grant.agent.name, grant.origin ?? grant.appId)} />
              </span>
              <Button
                look="sm"
                dead={!online}
                aria-describedby={`grant-${grant.id}`}
                onClick={() => onRevoke(grant.id)}
              >
                {strings.settings.takeBack}
              </Button>
              <p className="ds">
                <Shown text={grantWords(grant)} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function grantWords(grant: Grant): string {
  const until = grant.expiresAt === null ? null : strings.settings.lasts(clockTime(grant.expiresAt));
  const uses = grant.usesLeft === null ? null : strings.settings.uses(grant.usesLeft);
  return [say(grant.label), until, uses].filter((part) => part !== null).join(strings.marks.comma);
}
