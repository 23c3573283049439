/** trace.jsonl, a line a step: when, what, how. Of a plan or macro: each step and what became of it. */
import type { ReactNode } from 'react';
import { duration } from '../../ui/days.js';
import type { LoadedFile } from './load-evidence.js';
import { valueOf, type Loaded } from '../../ui/loaded.js';
import type { TraceStep, ShownTrace } from './trace.js';
import { t } from '../../strings.js';
import { CutText } from '../requests/CardHead.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { Panel } from '../../ui/Region.js';
const MAX_VALUE_CHARS = 300;

interface Props {
  trace: ShownTrace | null;
  file: Loaded<LoadedFile> | null;
  startedAt: string | null;
}

export function EvidenceTrace({ trace, file, startedAt }: Props): ReactNode {
  const fileState = valueOf(file)?.fileState ?? null;
  if (file === null) return null;
  return (
    <Panel id="trace" heading={t('page.evidence.trace')}>
      {fileState !== null && fileState !== 'as_written' ? (
        <p className="small bad">{t(`page.evidence.file_states.${fileState}`)}</p>
      ) : null}
      {trace?.steps.length === 0 ? <p className="small mut">{t('page.evidence.trace_none')}</p> : null}
      {trace === null || trace.steps.length === 0 ? null : (
        <ol className="trace">
          {trace.steps.map((step, index) => (
            <TraceStepRow key={index} step={step} startedAt={startedAt} />
          ))}
        </ol>
      )}
      {trace !== null && trace.more > 0 ? (
        <p className="small mut">{t('page.evidence.trace_many', { count: trace.more })}</p>
      ) : null}
    </Panel>
  );
}

function TraceStepRow({ step, startedAt }: { step: TraceStep; startedAt: string | null }): ReactNode {
  const passed = step.at === null || startedAt === null ? NaN : Date.parse(step.at) - Date.parse(startedAt);
  const status = step.facts.find(([name]) => name === 'status')?.[1] ?? '';
  return (
    <li data-status={['done', 'failed', 'skipped'].includes(status) ? status : undefined}>
      <span className="num xs dim when">{Number.isNaN(passed) ? '' : `+${duration(passed)}`}</span>
      <span className="name">
        {step.number === null ? null : (
          <span className="mut">{t('page.evidence.step_of', { number: step.number })} </span>
        )}
        <CutText text={step.name} most={MAX_VALUE_CHARS} />
      </span>
      <dl className="facts">
        {step.facts.map(([name, value], index) => (
          <div key={index}>
            <dt>
              <RevealedText text={name} />
            </dt>
            <dd>
              <CutText text={value} most={MAX_VALUE_CHARS} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
