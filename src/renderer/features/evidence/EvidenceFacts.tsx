/** Who decided, and what the action did. */
import { type ReactNode, useState } from 'react';
import * as z from 'zod';
import { fromRecord, recordedMessageSchema } from '../../../messages/index.js';
import type { Evidence, Grant } from '../../../main/protocol/index.js';
import { duration, secondTime, fileSize } from '../../ui/formats.js';
import { oneLine, type ShownResult, type ShownTrace } from './load-evidence.js';
import { programName } from '../../ui/agents.js';
import { textIfKnown, say, t } from '../../strings.js';
import { grantName } from '../settings/GrantList.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { FactRow, ArgumentRow } from '../../ui/rows.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { Panel } from '../../ui/Region.js';
import type { ShownPlan } from './elements.js';
import { CopyLine } from '../../ui/commands.js';
import { FoldButton } from '../../ui/Button.js';

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
  const [icon, outcome]: [IconName, string] =
    decision === null
      ? ['minus', t('page.evidence.no_decision')]
      : allowed
        ? ['check', t('page.evidence.allowed')]
        : ['x', t('page.evidence.denied')];
  const { agent } = evidence;
  return (
    <Panel
      id="decision"
      heading={t('page.evidence.decision')}
      end={
        <span className="end out">
          <Icon name={icon} />
          {outcome}
        </span>
      }
    >
      {decision === null ? <p className="small mut">{t('page.evidence.no_decision_text')}</p> : null}
      <dl className="kv">
        {decision === null ? null : (
          <DecisionFacts decision={decision} lasted={durationText(decision, evidence, grants)} />
        )}
        <FactRow
          name={t('page.evidence.asked_by')}
          text={t('page.evidence.process', { name: programName(agent), pid: agent.pid })}
          variant="num"
        />
      </dl>
    </Panel>
  );
}

/** How long an Allow lasted; null for an Allow to look, because the record does not say whether it was remembered. */
function durationText(
  { kind, by, where, grantId }: Decision,
  { activity }: Evidence,
  grants: readonly Grant[],
): string | null {
  if (kind !== 'allowed') return null;
  if (grantId === null) return by === 'person' && activity?.effect !== 'disclose' ? t('page.evidence.only_once') : null;
  if (where === 'task') return t('page.evidence.in_task');
  const grant = grants.find(({ id }) => id === grantId);
  return grant === undefined ? t('page.evidence.grant_ended') : grantName(grant, programName);
}

function DecisionFacts({ decision, lasted }: { decision: Decision; lasted: string | null }): ReactNode {
  const { kind, by, where, reason, message, at, waitedMs } = decision;
  const refusal = kind === 'allowed' ? null : textIfKnown(`page.evidence.refusals.${reason}`);
  const time = secondTime(at);
  const when = waitedMs > 0 ? t('page.evidence.waited', { time, waited: duration(waitedMs) }) : time;
  return (
    <>
      <FactRow name={t('page.evidence.by')} text={refusal ?? decider(by, where)} />
      <FactRow name={t('page.evidence.when')} variant="num">
        {at === '' ? null : when}
      </FactRow>
      <FactRow name={t('page.evidence.lasted')} text={lasted} />
      <FactRow name={t('page.evidence.said')} text={message === null ? null : say(message)} />
    </>
  );
}

function decider(by: string, where: string): string {
  const name = textIfKnown(`page.evidence.deciders.${by}`) ?? by;
  if (by !== 'person') return name;
  return `${name}${t('page.marks.comma')}${textIfKnown(`page.evidence.places.${where}`) ?? where}`;
}

interface OutcomeProps {
  evidence: Evidence;
  result: ShownResult | null;
  trace: ShownTrace | null;
}

export function OutcomePanel({ evidence, result, trace }: OutcomeProps): ReactNode {
  const { activity, tool, error } = evidence;
  const target = activity?.subject.target ?? null;
  const method = trace?.steps.find((step) => step.number === null && step.name !== '') ?? null;
  const verified = activity?.verified ?? null;
  return (
    <Panel id="happened" heading={t('page.evidence.happened')}>
      <dl className="kv">
        <FactRow name={t('page.evidence.tool')} text={tool} variant="mono" />
        <FactRow name={t('page.evidence.target')} text={target} />
        <FactRow name={t('page.evidence.how')} text={method === null ? null : methodText(method.name, method.facts)} />
        <FactRow name={t('page.evidence.proof')}>
          {verified === null ? null : t(`page.evidence.proofs.${verified}`)}
        </FactRow>
        <FactRow name={t('page.evidence.was')}>{linesOf(result?.before)}</FactRow>
        <FactRow name={t('page.evidence.is')}>{linesOf(result?.after)}</FactRow>
        <FactRow name={t('page.evidence.error')}>{error === null ? null : <Failure error={error} />}</FactRow>
      </dl>
    </Panel>
  );
}

function Failure({ error }: { error: NonNullable<Evidence['error']> }): ReactNode {
  return (
    <>
      <code>
        <RevealedText text={error.code} />
      </code>{' '}
      <RevealedText text={say(error.message)} />
    </>
  );
}

function methodText(name: string, facts: [string, string][]): string {
  const way = facts.find(([fact]) => fact === 'method' || fact === 'way')?.[1];
  if (way === undefined) return name;
  return `${name}${t('page.marks.comma')}${textIfKnown(`page.evidence.ways.${way}`) ?? way}`;
}

const MAX_LINES = 8;
const MAX_LINE_CHARS = 400;

/** What was read before or after: a few lines, or a value. */
function linesOf(read: unknown): ReactNode {
  const lines = (Array.isArray(read) ? read : read === null || read === undefined ? [] : [read]).slice(0, MAX_LINES);
  if (lines.length === 0) return null;
  return lines.map((line: unknown, index) => (
    <span key={index} className="ln-of">
      <RevealedText text={shortened(oneLine(line))} />
    </span>
  ));
}

function shortened(text: string): string {
  const letters = [...text.slice(0, MAX_LINE_CHARS * 2)];
  return letters.length <= MAX_LINE_CHARS ? text : `${letters.slice(0, MAX_LINE_CHARS).join('')}…`;
}

// The request as it was approved, and the files of the evidence.

export function EvidenceRequest({ evidence, plan }: { evidence: Evidence; plan: ShownPlan | null }): ReactNode {
  const [open, setOpen] = useState(false);
  const { tool, requestId, requestDigest, protocol, workspace, activity } = evidence;
  const facts: [string, string | null | undefined][] = [
    [t('page.evidence.request_rows.tool'), tool],
    [t('page.evidence.request_rows.text'), plan?.text],
    [t('page.evidence.target'), activity?.subject.target],
    [t('page.evidence.request_rows.app'), activity?.subject.app],
    [t('page.evidence.request_rows.window'), plan?.window?.title],
    ...(plan?.notes ?? []).map((note): [string, string] => [
      t('page.evidence.request_rows.note'),
      say(fromRecord(note)),
    ]),
    [t('page.evidence.request_rows.workspace'), workspace],
    [t('page.evidence.request_rows.protocol'), protocol],
    [t('page.evidence.request_rows.id'), requestId],
    [t('page.evidence.request_rows.digest'), requestDigest],
  ];
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== undefined);
  return (
    <section className="panel" aria-label={t('page.evidence.request')} data-fold={open ? 'open' : 'closed'}>
      <div className="panel-b">
        <FoldButton open={open} label={t('page.evidence.request')} part="exact" onToggle={() => setOpen(!open)} />
        {open ? (
          <>
            <div className="cmd args-box" tabIndex={0} role="group" aria-label={t('page.evidence.request')}>
              <dl className="args mono">
                {known.map(([name, value], index) => (
                  <ArgumentRow key={index} name={name} value={value} />
                ))}
              </dl>
            </div>
            <p className="small mut">{t('page.evidence.no_request')}</p>
          </>
        ) : null}
      </div>
    </section>
  );
}

export function EvidenceFiles({ evidence: { files, dir, state } }: { evidence: Evidence }): ReactNode {
  if (dir === null || state === 'deleted') return null;
  return (
    <Panel id="files" heading={t('page.evidence.files')}>
      <ul className="files">
        {files.map(({ name, bytes, fileState }) => (
          <li key={name}>
            <code>{name}</code>
            <span className="num dim">{bytes === 0 ? '' : fileSize(bytes)}</span>
            <span className={fileState === 'as_written' ? 'mut' : fileState === 'too_big' ? 'tone-wait' : 'bad'}>
              {t(`page.evidence.file_states.${fileState}`)}
            </span>
          </li>
        ))}
      </ul>
      {files.some((file) => file.kept === true) ? <p className="xs dim">{t('page.evidence.kept')}</p> : null}
      <CopyLine text={dir} />
    </Panel>
  );
}
