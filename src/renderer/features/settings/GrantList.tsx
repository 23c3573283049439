/** The grants beyond single actions, with buttons to revoke them. */
import type { ReactNode } from 'react';
import { clockTime } from '../../ui/time.js';
import type { Grant } from '../../../main/protocol/index.js';
import { agentName } from '../../ui/agent-name.js';
import { say, t } from '../../strings.js';
import { ActionRow } from '../../ui/ActionRow.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { Region } from '../../ui/Region.js';

interface Props {
  grants: Grant[];
  online: boolean;
  onRevoke(id: string): void;
}

export function GrantList({ grants, online, onRevoke }: Props): ReactNode {
  return (
    <Region id="grants" heading={t('page.settings.granted')}>
      {grants.length === 0 ? (
        <p className="small mut">{t('page.settings.no_grants')}</p>
      ) : (
        <ul className="list">
          {grants.map((grant) => (
            <ActionRow
              key={grant.id}
              id={`grant-${grant.id}`}
              icon="click"
              name={t('page.settings.grant_in', { agent: agentName(grant.agent), app: grant.origin ?? grant.appId })}
              action={t('page.settings.take_back')}
              disabled={!online}
              onPress={() => onRevoke(grant.id)}
            >
              <p className="detail">
                <RevealedText text={grantText(grant)} />
              </p>
            </ActionRow>
          ))}
        </ul>
      )}
    </Region>
  );
}

export function grantText(grant: Grant): string {
  const until = grant.expiresAt === null ? null : t('page.settings.lasts', { time: clockTime(grant.expiresAt) });
  const uses = grant.usesLeft === null ? null : t('page.settings.uses', { count: grant.usesLeft });
  return [say(grant.label), until, uses].filter((part) => part !== null).join(t('page.marks.comma'));
}
