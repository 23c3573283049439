/** The grants beyond single actions, with buttons to revoke them. */
import type { Actions } from '../../app/actions.js';
import type { ReactNode } from 'react';
import { clockTime, useNow } from '../../ui/time.js';
import type { Grant } from '../../../main/protocol/index.js';
import { agentName } from '../../ui/agent-name.js';
import { say, t } from '../../strings.js';
import { ActionRow } from '../../ui/ActionRow.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { Region } from '../../ui/Region.js';

interface Props {
  grants: Grant[];
  online: boolean;
  actions: Pick<Actions, 'send'>;
}

export function GrantList({ grants: all, online, actions }: Props): ReactNode {
  const grants = useRunningGrants(all, online);
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
              name={grantName(grant)}
              action={t('page.settings.take_back')}
              disabled={!online}
              onPress={() => actions.send({ type: 'revokeGrant', id: grant.id })}
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

/** Those whose time is not over; the same wherever grants are listed, as are their names. */
export function useRunningGrants(grants: readonly Grant[], online: boolean): Grant[] {
  const now = useNow(online && grants.length > 0);
  return grants.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now);
}

export const grantName = ({ agent, origin, appName, appId }: Grant): string =>
  t('page.settings.grant_in', { agent: agentName(agent), app: origin ?? appName ?? appId });

export function grantText(grant: Grant): string {
  const until = grant.expiresAt === null ? null : t('page.settings.lasts', { time: clockTime(grant.expiresAt) });
  const uses = grant.usesLeft === null ? null : t('page.settings.uses', { count: grant.usesLeft });
  return [say(grant.label), until, uses].filter((part) => part !== null).join(t('page.marks.comma'));
}
