/** Who decided, and what the action did. */
import type { ReactNode } from 'react';
import * as z from 'zod';
import { fromRecord, recordedMessageSchema } from '../../../messages/index.js';
import type { Evidence } from '../../../main/protocol/index.js';
import { duration, secondTime } from '../../ui/days.js';
import { oneLine, type ShownResult, type ShownTrace } from './trace.js';
import { textIfKnown, say, t } from '../../strings.js';
import type { Grant } from '../../state/state.js';
import { grantText } from '../settings/GrantList.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';

/** As the record has it; older ones may know less. */
const decisionSchema = z.object({
  kind: z.string(),
  by: z.string().catch(''),
  where: z.string().catch(''),
  reason: z.string().catch(''),
  grantId: z.string().nullable().catch(null),
  message: recordedMessageSchema.transform(fromRecord).nullable().catch(null),
  at: z.string().catch(''),
  waitedMs: z.number().catch(0),
});
type Decision = z.infer<typeof decisionSchema>;

export function DecisionPanel({ evidence, grants }: { evidence: Evidence; grants: readonly Grant[] }): ReactNode {
  const parsed = decisionSchema.safeParse(evidence.decision);
  const decision = parsed.success ? parsed.data : null;
  const allowed = decision?.kind === 'allowed';
  const [icon, said]: [IconName, string] =
    decision === null
      ? ['minus', t('page.evidence.no_decision')]
      : allowed
        ? ['check', t('page.evidence.allowed')]
        : ['x', t('page.evidence.denied')];
  const { agent } = evidence;
  return (
    <section className="panel" aria-labelledby="h-decision">
      <div className="panel-h">
        <h2 id="h-decision">{t('page.evidence.decision')}</h2>
        <span className="end out">
          <Icon name={icon} />
          {said}
        </span>
      </div>
      <div className="panel-b">
        {decision === null ? <p className="small mut">{t('page.evidence.no_decision_text')}</p> : null}
        <dl className="kv">
          {decision === null ? null : (
            <DecisionFacts decision={decision} lasted={durationText(decision, evidence, grants)} />
          )}
          <dt>{t('page.evidence.asked_by')}</dt>
          <dd className="num">
            <RevealedText text={t('page.evidence.process', { name: agent.name, pid: agent.pid })} />
          </dd>
        </dl>
      </div>
    </section>
  );
}

/** How long an Allow lasted; null for an Allow to look, because the record does not say whether it was remembered. */
function durationText(
  { kind, by, grantId }: Decision,
  { activity }: Evidence,
  grants: readonly Grant[],
): string | null {
  if (kind !== 'allowed') return null;
  if (grantId === null) return by === 'person' && activity?.effect !== 'disclose' ? t('page.evidence.only_once') : null;
  const grant = grants.find(({ id }) => id === grantId);
  return grant === undefined ? t('page.evidence.grant_ended') : grantText(grant);
}

function DecisionFacts({ decision, lasted }: { decision: Decision; lasted: string | null }): ReactNode {
  const { kind, by, where, reason, message, at, waitedMs } = decision;
  const allowed = kind === 'allowed';
  return (
    <>
      <dt>{t('page.evidence.by')}</dt>
      <dd>
        <RevealedText text={(allowed ? null : textIfKnown(`page.evidence.refusals.${reason}`)) ?? decider(by, where)} />
      </dd>
      {at === '' ? null : (
        <>
          <dt>{t('page.evidence.when')}</dt>
          <dd className="num">
            {waitedMs > 0
              ? t('page.evidence.waited', { time: secondTime(at), waited: duration(waitedMs) })
              : secondTime(at)}
          </dd>
        </>
      )}
      {lasted === null ? null : (
        <>
          <dt>{t('page.evidence.lasted')}</dt>
          <dd>
            <RevealedText text={lasted} />
          </dd>
        </>
      )}
      {message === null ? null : (
        <>
          <dt>{t('page.evidence.said')}</dt>
          <dd>
            <RevealedText text={say(message)} />
          </dd>
        </>
      )}
    </>
  );
}

function decider(by: string, where: string): string {
  const name = textIfKnown(`page.evidence.deciders.${by}`) ?? by;
  if (by !== 'person') return name;
  return `${name}${t('page.marks.comma')}${textIfKnown(`page.evidence.places.${where}`) ?? where}`;
}

interface HappenedProps {
  evidence: Evidence;
  result: ShownResult | null;
  trace: ShownTrace | null;
}

export function OutcomePanel({ evidence, result, trace }: HappenedProps): ReactNode {
  const { activity, tool, error } = evidence;
  const target = activity?.subject.target ?? null;
  const how = trace?.steps.find((step) => step.number === null && step.name !== '') ?? null;
  const verified = activity?.verified ?? null;
  return (
    <section className="panel" aria-labelledby="h-happened">
      <div className="panel-h">
        <h2 id="h-happened">{t('page.evidence.happened')}</h2>
      </div>
      <div className="panel-b">
        <dl className="kv">
          <dt>{t('page.evidence.tool')}</dt>
          <dd className="mono">
            <RevealedText text={tool} />
          </dd>
          <Fact name={t('page.evidence.target')} value={target} />
          <Fact name={t('page.evidence.how')} value={how === null ? null : methodText(how.name, how.facts)} />
          {verified === null ? null : (
            <>
              <dt>{t('page.evidence.proof')}</dt>
              <dd>{t(`page.evidence.proofs.${verified}`)}</dd>
            </>
          )}
          <Lines name={t('page.evidence.was')} of={result?.before} />
          <Lines name={t('page.evidence.is')} of={result?.after} />
          {error === null ? null : <Failure error={error} />}
        </dl>
      </div>
    </section>
  );
}

function Failure({ error }: { error: NonNullable<Evidence['error']> }): ReactNode {
  return (
    <>
      <dt>{t('page.evidence.error')}</dt>
      <dd>
        <code>
          <RevealedText text={error.code} />
        </code>{' '}
        <RevealedText text={say(error.message)} />
      </dd>
    </>
  );
}

function methodText(name: string, facts: [string, string][]): string {
  const way = facts.find(([fact]) => fact === 'method' || fact === 'way')?.[1];
  if (way === undefined) return name;
  return `${name}${t('page.marks.comma')}${textIfKnown(`page.evidence.ways.${way}`) ?? way}`;
}

function Fact({ name, value }: { name: string; value: string | null }): ReactNode {
  if (value === null || value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <RevealedText text={value} />
      </dd>
    </>
  );
}

const MAX_LINES = 8;
const MAX_LINE_CHARS = 400;

/** What was read before or after: a few lines, or a value. */
function Lines({ name, of }: { name: string; of: unknown }): ReactNode {
  const lines = (Array.isArray(of) ? of : of === null || of === undefined ? [] : [of]).slice(0, MAX_LINES);
  if (lines.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {lines.map((line: unknown, index) => (
          <span key={index} className="ln-of">
            <RevealedText text={shortened(oneLine(line))} />
          </span>
        ))}
      </dd>
    </>
  );
}

function shortened(text: string): string {
  const letters = [...text.slice(0, MAX_LINE_CHARS * 2)];
  return letters.length <= MAX_LINE_CHARS ? text : `${letters.slice(0, MAX_LINE_CHARS).join('')}…`;
}
