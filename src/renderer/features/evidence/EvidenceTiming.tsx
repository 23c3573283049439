/** How long each stage of the call took, as bars on one scale. */
import type { ReactNode } from 'react';
import type { CallTimes } from '../../../main/protocol/index.js';
import { milliseconds } from '../../ui/days.js';
import { t } from '../../strings.js';
import { Panel } from '../../ui/Region.js';

export function EvidenceTiming({ times }: { times: CallTimes | null }): ReactNode {
  if (times === null) return null;
  const { totalMs, stages } = times;
  const longest = Math.max(...stages.map(({ ms }) => ms), 1);
  return (
    <Panel
      id="timing"
      heading={t('page.evidence.timing.title')}
      end={<span className="xs dim num">{t('page.evidence.timing.total', { took: milliseconds(totalMs) })}</span>}
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
