/** Runs the checks one after the other; a check that hangs or fails leaves the others as they are. */
import { poll, withTimeout } from '../../base/poll.js';
import { message } from '../../messages/index.js';
import { DesktopError, type DesktopBackend } from '../desktop.js';
import { CHECKS } from './checks.js';
import {
  NotRun,
  type Actors,
  type Check,
  type Row,
  type RowsScene,
  type Seen,
  type Stage,
  type Witness,
} from './types.js';

export interface SelfTestOptions {
  desktop: DesktopBackend;
  /** Opens the same once more. */
  another(): Promise<DesktopBackend>;
  witness: Witness;
  actors: Actors;
  signal: AbortSignal;
  /** For each row as it comes. */
  onRow?(row: Row): void;
  /** How long one member may take. */
  limitMs?: number;
  /** How long a person has who is asked for input. */
  personMs?: number;
  /** How long the witness may take to agree. */
  agreeMs?: number;
}

const DOCUMENT = 'Seen by two.';
const LONGEST = 200;

/** Closes the desktop, which is one of its members. The text that was on the clipboard is put back. */
export async function runSelfTest(options: SelfTestOptions): Promise<Row[]> {
  const { witness, onRow } = options;
  let copied: string | null = null;
  try {
    const stage = await stageOrReason(options, async () => (copied = await witness.clipboard()));
    const rows: Row[] = [];
    for (const [member, check] of entries()) {
      options.signal.throwIfAborted();
      const row = typeof stage === 'string' ? notRun(member, stage) : await runOne(options, stage, member, check);
      rows.push(row);
      onRow?.(row);
    }
    return rows;
  } finally {
    await witness.cleanUp();
    if (copied !== null) await witness.copy(copied);
  }
}

/** Where the scene cannot be set, why: nothing can be run then, and the table says so. */
async function stageOrReason(options: SelfTestOptions, ready: () => Promise<unknown>): Promise<Stage | string> {
  try {
    await options.witness.prepare();
    await ready();
    return await openStage(options);
  } catch (thrown) {
    options.signal.throwIfAborted();
    return shown(errorText(thrown));
  }
}

const notRun = (member: keyof DesktopBackend, told: string): Row => ({ member, result: 'not_run', told, witness: '' });

function entries(): [keyof DesktopBackend, Check][] {
  return (Object.keys(CHECKS) as (keyof DesktopBackend)[]).map((member) => [member, CHECKS[member]]);
}

async function openStage({ desktop, another, witness, actors, signal, personMs }: SelfTestOptions): Promise<Stage> {
  let calculator = 0;
  let rows: RowsScene | null = null;
  let document = await witness.openDocument(DOCUMENT);
  return {
    desktop,
    another,
    witness,
    actors,
    signal,
    personMs,
    get document() {
      return document;
    },
    rows: async () => (rows ??= await witness.openRows()),
    reopen: (opened) => void (document = opened),
    calculator: () => calculator,
    setCalculator: (pid) => void (calculator = pid),
  };
}

async function runOne(
  { limitMs = 20_000, agreeMs = 3000, signal }: SelfTestOptions,
  stage: Stage,
  member: keyof DesktopBackend,
  check: Check,
): Promise<Row> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    const { told, judge } = await atMost(check.start(within(stage, limited)), limitMs);
    const seen = await agreement(judge, agreeMs, limited);
    return { member, result: seen.agrees ? 'right' : 'wrong', told: shown(told), witness: shown(seen.seen) };
  } catch (thrown) {
    if (thrown instanceof NotRun) return notRun(member, thrown.message);
    return { member, result: resultOf(thrown, check.mayBeUnsupported), told: errorText(thrown), witness: '' };
  }
}

const within = (stage: Stage, signal: AbortSignal): Stage => ({
  ...stage,
  get document() {
    return stage.document;
  },
  signal,
});

async function atMost<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const done = await withTimeout(
    work.then((value) => ({ value })),
    limitMs,
  );
  if (done === null) throw new DesktopError('timeout', message('native.app_silent'));
  return done.value;
}

/** The last judgement, where none agreed in time. */
async function agreement(judge: () => Promise<Seen>, agreeMs: number, signal: AbortSignal): Promise<Seen> {
  let last: Seen = { seen: null, agrees: false };
  const ask = async (): Promise<Seen | null> => {
    last = await judge();
    return last.agrees ? last : null;
  };
  return (await poll(ask, agreeMs, signal, 100)) ?? last;
}

/** What the person has not allowed was not tried. */
function resultOf(thrown: unknown, mayBeUnsupported: boolean): Row['result'] {
  if (!(thrown instanceof DesktopError)) return 'error';
  if (thrown.code === 'permission') return 'not_run';
  return thrown.code === 'unsupported' && mayBeUnsupported ? 'unsupported' : 'error';
}

const errorText = (thrown: unknown): string =>
  thrown instanceof DesktopError ? `${thrown.code}: ${thrown.message}` : String(thrown);

const shown = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, LONGEST);

// The table of a self-test, as a person can send it.

const RESULTS = ['right', 'wrong', 'error', 'unsupported', 'not_run'] as const satisfies readonly Row['result'][];

/** `incomplete`: nothing was wrong, but not everything was run. */
export function verdictOf(rows: readonly Row[]): 'passed' | 'failed' | 'incomplete' {
  if (rows.length === 0 || rows.some(({ result }) => result === 'wrong' || result === 'error')) return 'failed';
  return rows.some(({ result }) => result === 'not_run') ? 'incomplete' : 'passed';
}

export function countsOf(rows: readonly Row[]): Record<Row['result'], number> {
  const count = (result: Row['result']): number => rows.filter((row) => row.result === result).length;
  return {
    right: count('right'),
    wrong: count('wrong'),
    error: count('error'),
    unsupported: count('unsupported'),
    not_run: count('not_run'),
  };
}

/** Markdown. `facts` are lines above the table. */
export function reportText(rows: readonly Row[], facts: Readonly<Record<string, string>>): string {
  const counts = countsOf(rows);
  return [
    ...Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`),
    `- ${RESULTS.map((result) => `${result}: ${counts[result]}`).join(', ')}`,
    '',
    '| member | result | told | witness |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ member, result, told, witness }) => `| ${[member, result, cell(told), cell(witness)].join(' | ')} |`,
    ),
    '',
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll(/[\n\r]+/g, ' ').replaceAll('|', '\\|');
