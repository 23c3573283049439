/** How long each stage of the call took, as bars on one scale. */
import type { ReactNode } from 'react';
import type { CallTimes } from '../../../main/protocol/index.js';
import { milliseconds } from '../../ui/days.js';
import { t } from '../../strings.js';

export function EvidenceTiming({ times }: { times: CallTimes | null }): ReactNode {
  if (times === null) return null;
  const { totalMs, stages } = times;
  const longest = Math.max(...stages.map(({ ms }) => ms), 1);
  return (
    <section className="panel" aria-labelledby="h-timing">
      <div className="panel-h">
        <h2 id="h-timing">{t('page.evidence.timing.title')}</h2>
        <span className="xs dim num">{t('page.evidence.timing.total', { took: milliseconds(totalMs) })}</span>
      </div>
      <div className="panel-b">
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
      </div>
    </section>
  );
}
