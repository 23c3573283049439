/** The evidence of one action: what was on the screen before and after, who decided, what happened, and whether the record holds. */
import { useEffect, useState, type ReactNode } from 'react';
import type { Activity, CallTimes, Evidence, Grant } from '../../../main/protocol/index.js';
import { TitleText, CutText } from '../requests/CardHead.js';
import { DecisionPanel, OutcomePanel, EvidenceFiles, EvidenceRequest } from './EvidenceFacts.js';
import { EvidenceRecord } from './EvidenceRecord.js';
import { EvidenceScene } from './EvidenceScene.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { ViewHeader, Panel } from '../../ui/Region.js';
import { duration, exactDay, milliseconds } from '../../ui/formats.js';
import { cardTone, effectIcon } from '../../ui/effects.js';
import {
  useEvidence,
  useFile,
  useParsedFile,
  type LoadedFile,
  parseResult,
  parseTrace,
  type TraceStep,
  type ShownTrace,
} from './load-evidence.js';
import { programName } from '../../ui/agents.js';
import { t } from '../../strings.js';
import { type ViewProps, OUTCOMES, useOutcome, isDone } from '../../app/actions.js';
import { valueOf, type Loaded } from '../../ui/loaded.js';

export function EvidenceView({ state, actions, executionId }: ViewProps & { executionId: string }): ReactNode {
  const [attempt, setAttempt] = useState(0);
  const found = useEvidence(actions.ask, executionId, attempt);
  const online = state.connection === 'open';
  const lost = found.state === 'failed' && found.code === 'lost';
  useEffect(() => {
    if (online && lost) setAttempt((last) => last + 1);
  }, [online, lost]);
  if (found.state === 'done') {
    return (
      <LoadedEvidence
        key={executionId}
        evidence={found.value}
        grants={state.grants}
        ask={actions.ask}
        executionId={executionId}
        online={online}
      />
    );
  }
  return (
    <>
      <ViewHeader title={t('page.activity.evidence')} back={{ view: 'activity' }} />
      {found.state === 'loading' || lost ? (
        <p className="mut" role="status">
          {t('page.evidence.loading')}
        </p>
      ) : (
        <div className="panel panel-b">
          <p className="bad" role="status">
            {t('page.evidence.failed')} <RevealedText text={found.message} />
          </p>
          <Button variant="sm begin" onClick={() => setAttempt(attempt + 1)}>
            {t('page.list.again')}
          </Button>
        </div>
      )}
    </>
  );
}

interface LoadedProps {
  evidence: Evidence;
  grants: readonly Grant[];
  ask: ViewProps['actions']['ask'];
  executionId: string;
  online: boolean;
}

function LoadedEvidence({ evidence, grants, ask, executionId, online }: LoadedProps): ReactNode {
  const has = (name: Evidence['files'][number]['name']) => evidence.files.some((file) => file.name === name);
  const resultFile = useFile(ask, executionId, has('result.json') ? 'result.json' : null);
  const result = useParsedFile(resultFile, parseResult);
  const traceFile = useFile(ask, executionId, has('trace.jsonl') ? 'trace.jsonl' : null);
  const trace = useParsedFile(traceFile, parseTrace);
  return (
    <>
      <ViewHeader title={<EvidenceTitle evidence={evidence} />} back={{ view: 'activity' }}>
        <Facts evidence={evidence} times={trace?.times ?? null} />
      </ViewHeader>
      <Notices evidence={evidence} />
      <div className="evidence">
        <EvidenceScene evidence={evidence} plan={result?.plan ?? null} ask={ask} executionId={executionId} />
        <div className="panels">
          <DecisionPanel evidence={evidence} grants={grants} />
          <OutcomePanel evidence={evidence} result={result} trace={trace} />
          <EvidenceRecord evidence={evidence} ask={ask} executionId={executionId} online={online} />
        </div>
        <EvidenceRequest evidence={evidence} plan={result?.plan ?? null} />
        <EvidenceTrace trace={trace} file={traceFile} startedAt={evidence.startedAt} />
        <EvidenceTiming times={trace?.times ?? null} />
        <EvidenceFiles evidence={evidence} />
      </div>
    </>
  );
}

function EvidenceTitle({ evidence: { activity, tool } }: { evidence: Evidence }): ReactNode {
  return activity === null ? (
    <RevealedText text={tool} />
  ) : (
    <TitleText subject={activity.subject} past={isDone(activity)} />
  );
}

function Facts({ evidence, times }: { evidence: Evidence; times: CallTimes | null }): ReactNode {
  const { activity, agent, since, startedAt, endedAt } = evidence;
  // Before it starts, it may wait for a person.
  const acted = endedAt === null || startedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
  const took = times === null ? acted : workMs(times);
  return (
    <div className="toolrow">
      {activity === null ? null : (
        <>
          <span
            className={`chip ${{ 'k-input': 'c-act', 'k-danger': 'c-danger', 'k-share': 'c-share', 'k-read': '' }[cardTone(activity)] ?? ''}`}
          >
            <Icon name={effectIcon(activity)} />
            {t(`page.kinds.${activity.effect}`)}
          </span>
          <OutcomeChip activity={activity} />
        </>
      )}
      <span className="xs dim num">
        <RevealedText text={programName(agent)} />
        {activity?.desktop === undefined ? '' : `${t('page.marks.comma')}${t('page.activity.own_desktop')}`}
        {`${t('page.marks.comma')}${exactDay(endedAt ?? since)}`}
        {took === null || Number.isNaN(took)
          ? ''
          : `${t('page.marks.comma')}${t('page.evidence.took', { time: duration(took) })}`}
      </span>
    </div>
  );
}

function OutcomeChip({ activity }: { activity: Activity }): ReactNode {
  const outcome = useOutcome(activity);
  const { icon, tone } = OUTCOMES[outcome];
  return (
    <span className={`chip ${{ ok: 'c-ok', wait: 'c-wait', bad: 'c-danger', '': '' }[tone]}`}>
      <Icon name={icon} />
      {t(`page.activity.outcome.${outcome}`)}
    </span>
  );
}

function Notices({ evidence }: { evidence: Evidence }): ReactNode {
  const { deleted, lineDamaged, incomplete, state } = evidence;
  return (
    <>
      {lineDamaged ? <Notice tone="danger" text={t('page.evidence.line_damaged')} /> : null}
      {incomplete ? <Notice tone="wait" text={t('page.evidence.incomplete')} /> : null}
      {state === 'open' || state === 'abandoned' ? <Notice tone="wait" text={t(`page.evidence.${state}`)} /> : null}
      {deleted === null ? null : (
        <p className="panel panel-b">
          <span>{t(`page.evidence.deleted_for.${deleted.reason}`, { when: exactDay(deleted.at) })}</span>
          <span className="mut">{t('page.evidence.deleted_stays')}</span>
        </p>
      )}
    </>
  );
}

function Notice({ tone, text }: { tone: string; text: string }): ReactNode {
  return (
    <p className={`banner ${tone}`}>
      <Icon name="alert" />
      <span>{text}</span>
    </p>
  );
}

// How long each stage of the call took, as bars on one scale.

/** What the call took without the decision, for which it may have waited for a person; the title says the same. */
const workMs = ({ totalMs, stages }: CallTimes): number => totalMs - decisionMs(stages);

const decisionMs = (stages: CallTimes['stages']): number => stages.find(({ stage }) => stage === 'decide')?.ms ?? 0;

const SHOWN_MS = 50;

function tookText(times: CallTimes): string {
  const time = duration(workMs(times));
  const waited = decisionMs(times.stages);
  if (waited < SHOWN_MS) return t('page.evidence.took', { time });
  return t('page.evidence.took_and_decision', { time, waited: duration(waited) });
}

function EvidenceTiming({ times }: { times: CallTimes | null }): ReactNode {
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

// trace.jsonl, a line a step: when, what, how. Of a plan or macro: each step and what became of it.

const MAX_VALUE_CHARS = 300;

interface Props {
  trace: ShownTrace | null;
  file: Loaded<LoadedFile> | null;
  startedAt: string | null;
}

function EvidenceTrace({ trace, file, startedAt }: Props): ReactNode {
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
