/** The grants beyond single actions, with buttons to revoke them. */
import type { Actions } from '../../app/actions.js';
import type { ReactNode } from 'react';
import { clockTime, useNow } from '../../ui/formats.js';
import type { Grant } from '../../../main/protocol/index.js';
import { useAgentName, type NameOf } from '../../ui/agents.js';
import { t } from '../../strings.js';
import { ActionRow } from '../../ui/rows.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { Region } from '../../ui/Region.js';

interface Props {
  grants: Grant[];
  online: boolean;
  actions: Pick<Actions, 'send'>;
}

export function GrantList({ grants: all, online, actions }: Props): ReactNode {
  const grants = useRunningGrants(all, online);
  const nameOf = useAgentName();
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
              name={grantName(grant, nameOf)}
              action={t('page.settings.take_back')}
              disabled={!online}
              onPress={() => actions.send({ type: 'revokeGrant', id: grant.id })}
            >
              <p className="detail">
                <RevealedText text={grantDetail(grant)} />
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

/** The same sentence wherever a grant is listed. */
export const grantName = ({ kind, agent, origin, appName, appId, effects, expiresAt }: Grant, nameOf: NameOf): string =>
  t('page.settings.grant', {
    agent: nameOf(agent),
    effect: effects.includes('input') ? 'other' : effects.includes('pointer') ? 'pointer' : 'disclose',
    scope: origin === null ? 'other' : 'site',
    place: origin ?? appName ?? appId,
    length: expiresAt === null ? 'always' : kind === 'session' ? 'session' : 'other',
    time: expiresAt === null ? '' : clockTime(expiresAt),
  });

/** What the sentence leaves out. */
export function grantDetail({ folder, usesLeft }: Grant): string {
  const files = folder === undefined ? null : t('page.settings.grant_files', { folder });
  const uses = usesLeft === null ? null : t('page.settings.uses', { count: usesLeft });
  return [files, uses].filter((part) => part !== null).join(t('page.marks.comma'));
}
