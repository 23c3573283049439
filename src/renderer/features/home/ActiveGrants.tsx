/** On the home view: what agents may do now without asking, for how long, how often they did, and a button to revoke it. */
import type { ReactNode } from 'react';
import { toPlainText, type Grant } from '../../../main/protocol/index.js';
import { countdown, useNow } from '../../ui/time.js';
import { grantName, useRunningGrants } from '../settings/GrantList.js';
import { say, t } from '../../strings.js';
import { ActionRow } from '../../ui/ActionRow.js';

interface Props {
  grants: readonly Grant[];
  online: boolean;
  onRevoke(id: string): void;
}

export function ActiveGrants({ grants, online, onRevoke }: Props): ReactNode {
  const now = useNow(online && grants.length > 0);
  const running = useRunningGrants(grants, online);
  if (running.length === 0) return null;
  return (
    <section className="region" id="grants" aria-labelledby="h-running">
      <div className="region-h">
        <h2 id="h-running">{t('page.needs.running')}</h2>
      </div>
      <ul className="list">
        {running.map((grant) => (
          <ActionRow
            key={grant.id}
            id={`running-${grant.id}`}
            icon="click"
            name={grantName(grant)}
            action={t('page.settings.take_back')}
            disabled={!online}
            onPress={() => onRevoke(grant.id)}
          >
            <p className="detail num">
              <span title={toPlainText(say(grant.label))}>{remainingText(grant, now)}</span>
            </p>
          </ActionRow>
        ))}
      </ul>
    </section>
  );
}

const HOUR_MS = 3_600_000;

/** `8:12 left, 14 uses`; from an hour on in hours and minutes. */
function remainingText({ expiresAt, usesLeft, used = 0 }: Grant, now: number): string {
  const left = expiresAt === null ? null : Date.parse(expiresAt) - now;
  const time =
    left === null
      ? t('page.needs.no_end')
      : left < HOUR_MS
        ? t('page.needs.time_left', { time: countdown(left) })
        : t('page.needs.time_left', { time: hours(left) });
  const uses = usesLeft === null ? t('page.needs.used', { count: used }) : t('page.settings.uses', { count: usesLeft });
  return [time, uses].join(t('page.marks.comma'));
}

function hours(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return t('page.needs.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
