/** The evidence of one action: what was on the screen before and after, who decided, what happened, and whether the record holds. */
import { useEffect, useState, type ReactNode } from 'react';
import type { Activity, CallTimes, Evidence, Grant } from '../../../main/protocol/index.js';
import { TitleText } from '../requests/CardHead.js';
import { DecisionPanel, OutcomePanel } from './EvidenceFacts.js';
import { EvidenceFiles, EvidenceRequest } from './EvidenceRequest.js';
import { EvidenceRecord } from './EvidenceRecord.js';
import { EvidenceScene } from './EvidenceScene.js';
import { EvidenceTiming, workMs } from './EvidenceTiming.js';
import { EvidenceTrace } from './EvidenceTrace.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { ViewHeader } from '../../ui/ViewHeader.js';
import { duration, exactDay } from '../../ui/days.js';
import { effectIcon, effectTone } from '../../ui/effects.js';
import { useEvidence, useFile, useParsedFile } from './load-evidence.js';
import { parseResult, parseTrace } from './trace.js';
import { agentName } from '../../ui/agent-name.js';
import { t } from '../../strings.js';
import type { ViewProps } from '../../app/props.js';
import { OUTCOMES, useOutcome, isDone } from '../../app/outcomes.js';

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
            className={`chip ${{ 'k-input': 'c-act', 'k-danger': 'c-danger', 'k-share': 'c-share', 'k-read': '' }[effectTone(activity.effect)] ?? ''}`}
          >
            <Icon name={effectIcon(activity)} />
            {t(`page.kinds.${activity.effect}`)}
          </span>
          <OutcomeChip activity={activity} />
        </>
      )}
      <span className="xs dim num">
        <RevealedText text={agentName(agent)} />
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
  const notices: [tone: string, text: string][] = [
    ...(lineDamaged ? [['danger', t('page.evidence.line_damaged')] satisfies [string, string]] : []),
    ...(incomplete ? [['wait', t('page.evidence.incomplete')] satisfies [string, string]] : []),
    ...(state === 'open' ? [['wait', t('page.evidence.open')] satisfies [string, string]] : []),
    ...(state === 'abandoned' ? [['wait', t('page.evidence.abandoned')] satisfies [string, string]] : []),
  ];
  return (
    <>
      {notices.map(([tone, text]) => (
        <p key={text} className={`banner ${tone}`}>
          <Icon name="alert" />
          <span>{text}</span>
        </p>
      ))}
      {deleted === null ? null : (
        <p className="panel panel-b">
          <span>{t(`page.evidence.deleted_for.${deleted.reason}`, { when: exactDay(deleted.at) })}</span>
          <span className="mut">{t('page.evidence.deleted_stays')}</span>
        </p>
      )}
    </>
  );
}
