/** Who decided, and what came of it. */
import type { ReactNode } from 'react';
import * as z from 'zod';
import type { Evidence } from '../../../main/protocol/index.js';
import { duration, secondTime } from '../../ui/days.js';
import { worded, type ShownResult, type Trace } from './trace.js';
import { host, strings } from '../../strings.js';
import type { Grant } from '../../state/state.js';
import { grantWords } from '../settings/Grants.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { Shown } from '../../ui/Shown.js';

const words = strings.record.evidence;

/** As the record has it; older ones may know less. */
const decisionSchema = z.object({
  kind: z.string(),
  by: z.string().catch(''),
  where: z.string().catch(''),
  reason: z.string().catch(''),
  grantId: z.string().nullable().catch(null),
  message: z.string().nullable().catch(null),
  at: z.string().catch(''),
  waitedMs: z.number().catch(0),
});
type Decision = z.infer<typeof decisionSchema>;

export function DecisionPanel({ evidence, grants }: { evidence: Evidence; grants: readonly Grant[] }): ReactNode {
  const parsed = decisionSchema.safeParse(evidence.decision);
  const decision = parsed.success ? parsed.data : null;
  const allowed = decision?.kind === 'allowed';
  const [icon, said]: [IconName, string] =
    decision === null ? ['minus', words.noDecision] : allowed ? ['check', words.allowed] : ['x', words.denied];
  const { agent } = evidence;
  return (
    <section className="panel" aria-labelledby="h-decision">
      <div className="panel-h">
        <h2 id="h-decision">{words.decision}</h2>
        <span className="end out">
          <Icon name={icon} />
          {said}
        </span>
      </div>
      <div className="panel-b">
        {decision === null ? <p className="small mut">{words.noDecisionText}</p> : null}
        <dl className="kv">
          {decision === null ? null : <Decided decision={decision} lasted={lastedOf(decision, evidence, grants)} />}
          <dt>{words.askedBy}</dt>
          <dd className="num">
            <Shown text={words.process(agent.name, agent.pid)} />
          </dd>
        </dl>
      </div>
    </section>
  );
}

/** What an Allow was for. One to look may be remembered for the session, which the record does not tell: then nothing is said. */
function lastedOf({ kind, by, grantId }: Decision, { activity }: Evidence, grants: readonly Grant[]): string | null {
  if (kind !== 'allowed') return null;
  if (grantId === null) return by === 'person' && activity?.effect !== 'disclose' ? words.onlyOnce : null;
  const grant = grants.find(({ id }) => id === grantId);
  return grant === undefined ? words.grantEnded : grantWords(grant);
}

function Decided({ decision, lasted }: { decision: Decision; lasted: string | null }): ReactNode {
  const { kind, by, where, reason, message, at, waitedMs } = decision;
  const allowed = kind === 'allowed';
  return (
    <>
      <dt>{words.by}</dt>
      <dd>
        <Shown text={allowed || !isRefusal(reason) ? decider(by, where) : `${words.refusals[reason]}`} />
      </dd>
      {at === '' ? null : (
        <>
          <dt>{words.when}</dt>
          <dd className="num">{waitedMs > 0 ? words.waited(secondTime(at), duration(waitedMs)) : secondTime(at)}</dd>
        </>
      )}
      {lasted === null ? null : (
        <>
          <dt>{words.lasted}</dt>
          <dd>
            <Shown text={lasted} />
          </dd>
        </>
      )}
      {message === null || message === '' ? null : (
        <>
          <dt>{words.said}</dt>
          <dd>
            <Shown text={reason === 'denied' ? message : host.said(message)} />
          </dd>
        </>
      )}
    </>
  );
}

function isRefusal(reason: string): reason is keyof typeof words.refusals {
  return Object.hasOwn(words.refusals, reason);
}

function decider(by: string, where: string): string {
  const { other: otherOne, ...known } = words.deciders;
  const name = Object.entries(known).find(([key]) => key === by)?.[1] ?? otherOne(by);
  if (by !== 'person') return name;
  const { other: otherPlace, ...places } = words.places;
  return `${name}${strings.marks.comma}${Object.entries(places).find(([key]) => key === where)?.[1] ?? otherPlace(where)}`;
}

interface HappenedProps {
  evidence: Evidence;
  result: ShownResult | null;
  trace: Trace | null;
}

export function HappenedPanel({ evidence, result, trace }: HappenedProps): ReactNode {
  const { activity, tool, error } = evidence;
  const target = activity?.subject.target ?? null;
  const how = trace?.steps.find((step) => step.number === null && step.name !== '') ?? null;
  const verified = activity?.verified ?? null;
  return (
    <section className="panel" aria-labelledby="h-happened">
      <div className="panel-h">
        <h2 id="h-happened">{words.happened}</h2>
      </div>
      <div className="panel-b">
        <dl className="kv">
          <dt>{words.tool}</dt>
          <dd className="mono">
            <Shown text={tool} />
          </dd>
          <Fact name={words.target} value={target} />
          <Fact name={words.how} value={how === null ? null : howOf(how.name, how.facts)} />
          {verified === null ? null : (
            <>
              <dt>{words.proof}</dt>
              <dd>{words.proofs[verified]}</dd>
            </>
          )}
          <Lines name={words.was} of={result?.before} />
          <Lines name={words.is} of={result?.after} />
          {error === null ? null : (
            <>
              <dt>{words.error}</dt>
              <dd>
                <code>
                  <Shown text={error.code} />
                </code>{' '}
                <Shown text={host.said(error.message)} />
              </dd>
            </>
          )}
        </dl>
      </div>
    </section>
  );
}

function howOf(name: string, facts: [string, string][]): string {
  const way = facts.find(([fact]) => fact === 'method' || fact === 'way')?.[1];
  if (way === undefined) return name;
  return `${name}${strings.marks.comma}${Object.entries(words.ways).find(([known]) => known === way)?.[1] ?? way}`;
}

function Fact({ name, value }: { name: string; value: string | null }): ReactNode {
  if (value === null || value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Shown text={value} />
      </dd>
    </>
  );
}

const MOST_LINES = 8;
const LONGEST = 400;

/** What was read before or after: a few lines, or a value. */
function Lines({ name, of }: { name: string; of: unknown }): ReactNode {
  const lines = (Array.isArray(of) ? of : of === null || of === undefined ? [] : [of]).slice(0, MOST_LINES);
  if (lines.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {lines.map((line: unknown, index) => (
          <span key={index} className="ln-of">
            <Shown text={shortened(worded(line))} />
          </span>
        ))}
      </dd>
    </>
  );
}

function shortened(text: string): string {
  const letters = [...text.slice(0, LONGEST * 2)];
  return letters.length <= LONGEST ? text : `${letters.slice(0, LONGEST).join('')}…`;
}
