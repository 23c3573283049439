/** On the home page: what agents may do now without asking, for how long, how often they did, and the way to take it back. */
import type { ReactNode } from 'react';
import { plain } from '../../ui/plain.js';
import { countdown, useNow } from '../../ui/time.js';
import type { Grant } from '../../state/state.js';
import { say, strings } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { Shown } from '../../ui/Shown.js';

interface Props {
  grants: readonly Grant[];
  online: boolean;
  onRevoke(id: string): void;
}

export function RunningGrants({ grants, online, onRevoke }: Props): ReactNode {
  const now = useNow(online && grants.length > 0);
  const running = grants.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now);
  if (running.length === 0) return null;
  return (
    <section className="region" id="grants" aria-labelledby="h-running">
      <div className="region-h">
        <h2 id="h-running">{strings.needs.running}</h2>
      </div>
      <ul className="list">
        {running.map((grant) => (
          <li className="perm" key={grant.id} data-anchor>
            <Icon name="click" />
            <span className="nm" id={`running-${grant.id}`}>
              <Shown text={strings.settings.grantIn(grant.agent.name, grant.origin ?? grant.appName ?? grant.appId)} />
            </span>
            <Button
              look="sm"
              dead={!online}
              aria-describedby={`running-${grant.id}`}
              onClick={() => onRevoke(grant.id)}
            >
              {strings.settings.takeBack}
            </Button>
            <p className="ds num">
              <span title={plain(say(grant.label))}>{runsFor(grant, now)}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const HOUR_MS = 3_600_000;

/** `8:12 left, 14 uses`; from an hour on in hours and minutes. */
function runsFor({ expiresAt, usesLeft, used = 0 }: Grant, now: number): string {
  const { needs, settings, marks } = strings;
  const left = expiresAt === null ? null : Date.parse(expiresAt) - now;
  const time =
    left === null ? needs.noEnd : left < HOUR_MS ? needs.timeLeft(countdown(left)) : needs.timeLeft(hours(left));
  const uses = usesLeft === null ? needs.used(used) : settings.uses(usesLeft);
  return [time, uses].join(marks.comma);
}

function hours(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return strings.needs.hours(Math.floor(minutes / 60), minutes % 60);
}
