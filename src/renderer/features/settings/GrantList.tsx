/** The grants beyond single actions, with buttons to revoke them. */
import type { ReactNode } from 'react';
import { clockTime } from '../../ui/time.js';
import type { Grant } from '../../state/state.js';
import { say, t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';

interface Props {
  grants: Grant[];
  online: boolean;
  onRevoke(id: string): void;
}

export function GrantList({ grants, online, onRevoke }: Props): ReactNode {
  return (
    <section className="region" aria-labelledby="h-grants">
      <div className="region-h">
        <h2 id="h-grants">{t('page.settings.granted')}</h2>
      </div>
      {grants.length === 0 ? (
        <p className="small mut">{t('page.settings.no_grants')}</p>
      ) : (
        <ul className="list">
          {grants.map((grant) => (
            <li className="perm" key={grant.id} data-anchor>
              <Icon name="click" />
              <span className="nm" id={`grant-${grant.id}`}>
                <RevealedText
                  text={t('page.settings.grant_in', { agent: grant.agent.name, app: grant.origin ?? grant.appId })}
                />
              </span>
              <Button
                look="sm"
                dead={!online}
                aria-describedby={`grant-${grant.id}`}
                onClick={() => onRevoke(grant.id)}
              >
                {t('page.settings.take_back')}
              </Button>
              <p className="ds">
                <RevealedText text={grantText(grant)} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function grantText(grant: Grant): string {
  const until = grant.expiresAt === null ? null : t('page.settings.lasts', { time: clockTime(grant.expiresAt) });
  const uses = grant.usesLeft === null ? null : t('page.settings.uses', { count: grant.usesLeft });
  return [say(grant.label), until, uses].filter((part) => part !== null).join(t('page.marks.comma'));
}
