/** How long each stage of the call took, as bars on one scale. */
import type { ReactNode } from 'react';
import type { CallTimes } from '../../../main/protocol/index.js';
import { duration, milliseconds } from '../../ui/days.js';
import { t } from '../../strings.js';
import { Panel } from '../../ui/Region.js';

/** What the call took without the decision, for which it may have waited for a person; the title says the same. */
export const workMs = ({ totalMs, stages }: CallTimes): number => totalMs - decisionMs(stages);

const decisionMs = (stages: CallTimes['stages']): number => stages.find(({ stage }) => stage === 'decide')?.ms ?? 0;

const SHOWN_MS = 50;

function tookText(times: CallTimes): string {
  const time = duration(workMs(times));
  const waited = decisionMs(times.stages);
  if (waited < SHOWN_MS) return t('page.evidence.took', { time });
  return t('page.evidence.took_and_decision', { time, waited: duration(waited) });
}

export function EvidenceTiming({ times }: { times: CallTimes | null }): ReactNode {
  if (times === null) return null;
  const { stages } = times;
  const longest = Math.max(...stages.map(({ ms }) => ms), 1);
  return (
    <Panel
      id="timing"
      heading={t('page.evidence.timing.title')}
      end={<span className="xs dim num">{tookText(times)}</span>}
    >
      <dl className="timing">
        {stages.map(({ stage, ms }) => (
          <div key={stage}>
            <dt>{t(`page.evidence.timing.stages.${stage}`)}</dt>
            <dd>
              <span className="num">{milliseconds(ms)}</span>
              <span className="length" style={{ inlineSize: `${((100 * ms) / longest).toFixed(1)}%` }} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
