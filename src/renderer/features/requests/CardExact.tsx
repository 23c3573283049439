/** The unfolded part of a card: the request as sent, its target, and the agent's process. */
import type { ReactNode } from 'react';
import { clockTime } from '../../ui/formats.js';
import type { Card } from '../../../main/protocol/index.js';
import { formatter, say, t } from '../../strings.js';
import { ArgumentRow, argumentRows, FactRow } from '../../ui/rows.js';
import { ExactSteps } from './CardSteps.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { message, type Message, type Code } from '../../../messages/index.js';
import { CutText } from './CardHead.js';
import { programName } from '../../ui/agents.js';

export function CardExact({ card }: { card: Card }): ReactNode {
  return (
    <>
      <div className="part">
        <h4>{t('page.card.exact_heading')}</h4>
        <div className="cmd args-box" tabIndex={0} role="group" aria-label={t('page.card.exact_heading')}>
          <dl className="args mono">
            {requestRows(card).map(([name, value], index) => (
              <ArgumentRow key={index} name={name} value={value} />
            ))}
          </dl>
        </div>
        {card.steps === undefined ? null : <ExactSteps steps={card.steps} card={card} />}
      </div>
      {splitNotes(card.notes).others.map((note) => (
        <p key={note.code} className="small">
          <RevealedText text={say(note)} />
        </p>
      ))}
      <Facts heading={t('page.card.target')} facts={targetFacts(card)} />
      <AgentIdentity agent={card.agent} heading={t('page.card.who')} />
    </>
  );
}

/** Tool and arguments as sent, without the steps of a plan; and the text, where no argument shows it whole. */
function requestRows(card: Card): [string, string][] {
  const { arguments: sent, text, steps } = card;
  const shown = argumentRows(sent).filter(([name]) => steps === undefined || name !== 'steps');
  const isShown = text === null || text === '' || shown.some(([, value]) => value === text);
  return [
    [t('page.card.rows.tool'), card.tool],
    ...shown,
    ...(isShown ? [] : [[t('page.card.rows.text'), text] satisfies [string, string]]),
  ];
}

/** The agent as the system knows it, and what it calls itself. */
export function AgentIdentity({ agent, heading }: { agent: Card['agent']; heading: string | null }): ReactNode {
  return (
    <Facts heading={heading} facts={whoFacts(agent)}>
      <FactRow name={t('page.card.rows.claim')} variant="num">
        {agent.claim === null ? null : <Claim name={agent.claim} />}
      </FactRow>
    </Facts>
  );
}

type Fact = [name: string, text: string | null, variant?: 'mono'];

function targetFacts({ subject, process, window, documentUrl, ancestors, workspace }: Card): Fact[] {
  const app =
    process === null ? null : t('page.card.rows.app_of', { name: process.name, id: process.appId, pid: process.pid });
  return [
    [t('page.card.rows.target'), subject.target ?? subject.point ?? null],
    [t('page.card.rows.place'), subject.place === window ? null : subject.place],
    [t('page.card.rows.app'), app],
    [t('page.card.rows.window'), window],
    [t('page.card.rows.document'), documentUrl, 'mono'],
    [t('page.card.rows.inside'), ancestors.length === 0 ? null : ancestors.join(' › ')],
    [t('page.card.rows.evidence'), workspace === '' ? null : workspace, 'mono'],
  ];
}

function whoFacts(agent: Card['agent']): Fact[] {
  return [
    [t('page.card.rows.name'), programName(agent)],
    agent.via === 'ssh'
      ? [t('page.card.rows.program'), t('page.card.rows.via_ssh')]
      : [t('page.card.rows.program'), agent.executable, 'mono'],
    [t('page.card.rows.script'), agent.script, 'mono'],
    [
      t('page.card.rows.process'),
      isIso(agent.startTime)
        ? t('page.card.rows.since', { pid: agent.pid, time: clockTime(agent.startTime) })
        : String(agent.pid),
    ],
    [t('page.card.rows.folder'), agent.cwd, 'mono'],
  ];
}

/** Some systems only count ticks since they started. */
function isIso(time: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(time);
}

function Facts(props: { heading: string | null; facts: Fact[]; children?: ReactNode }): ReactNode {
  const { heading, facts, children } = props;
  return (
    <div className={heading === null ? 'part' : 'part rule'}>
      {heading === null ? null : <h4>{heading}</h4>}
      <dl className="kv">
        {facts.map(([name, text, variant]) => (
          <FactRow key={name} name={name} text={text} variant={variant ?? 'num'} />
        ))}
        {children}
      </dl>
    </div>
  );
}

function Claim({ name }: { name: string }): ReactNode {
  return (
    <>
      <MessageText message={message('page.card.rows.claimed', { name })} most={Infinity} />{' '}
      <span className="dim">{t('page.card.rows.claim_note')}</span>
    </>
  );
}

/** A sentence with names in it that others chose: each is marked and cut by itself. */
export function MessageText({ message, most }: { message: Message; most?: number }): ReactNode {
  const length = most === undefined ? {} : { most };
  return formatter
    .parts(message)
    .map(({ kind, text }, index) => (kind === 'words' ? text : <CutText key={index} text={text} {...length} />));
}

const MAX_SENTENCES = 2;
/** What the act is about, or who is behind it: no sentences of advice. */
const FACTS: ReadonlySet<Code> = new Set<Code>([
  'verbatim',
  'note.window_shows',
  'note.link_asked_by',
  'note.opened_by',
  'note.opener_unknown',
]);
const TWO_SENTENCES: ReadonlySet<Code> = new Set<Code>([
  'note.paired_page_can',
  'note.ends_application',
  'note.button_stays_down',
  'note.agent_learns',
  'note.never_told',
]);
/** In order of importance, before all others. */
const FIRST: readonly Code[] = [
  ...([
    'note.own_files',
    'note.has_consequences',
    'note.address_says',
    'note.asked_anyway',
    'note.paired_page_can',
    'note.ends_application',
    'note.no_name',
    'note.app_silent',
    'note.not_whole',
    'note.no_amount',
    'note.no_content',
    'note.field_unreadable',
    'note.not_a_control',
    'note.unknown_name',
    'note.started_on_page',
  ] as const),
  ...(['note.covered_by', 'note.covered_by_popup', 'note.still_held', 'note.outside_sandbox'] as const),
  ...(['note.drags_to', 'note.drags_to_desktop', 'note.ends_over', 'note.ends_over_desktop'] as const),
  ...(['note.goes_to_focus', 'note.goes_to_point', 'note.read_from_picture', 'note.replaces', 'note.empties'] as const),
];

/** The notes shown on a card: all facts, and the two most important sentences. The others are in the exact request. Pure. */
export function splitNotes(notes: readonly Message[]) {
  const rank = ({ code }: Message) => (FIRST.includes(code) ? FIRST.indexOf(code) : FIRST.length);
  const sentences = notes.filter(({ code }) => !FACTS.has(code)).toSorted((one, other) => rank(one) - rank(other));
  const chosen = new Set<Message>();
  let room = MAX_SENTENCES;
  for (const note of sentences) {
    room -= TWO_SENTENCES.has(note.code) ? 2 : 1;
    if (room < 0) break;
    chosen.add(note);
  }
  const isShown = (note: Message) => FACTS.has(note.code) || chosen.has(note);
  return { shown: notes.filter(isShown), others: notes.filter((note) => !isShown(note)) };
}
