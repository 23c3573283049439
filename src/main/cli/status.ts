/** `chaperone status`: what the host is doing and who is connected. */
import * as z from 'zod';
import { message, type Formatter } from '../../messages/index.js';
import { readBridge } from '../host/discovery.js';
import {
  fullAskerName,
  givenNameSchema,
  type Agent,
  type GivenName,
  doubtSchema,
  doubtText,
  cardSchema,
  titleText,
  type Card,
  type Doubt,
  statusSchema,
  type RunningTask,
} from '../protocol/index.js';
import { print, printJson, terminalSafe, EXIT, Failure } from './failure.js';
import { paths, withHost } from './host-client.js';
import { withLocalCommand } from '../protocol/local-command.js';
import { ownCommand } from './launcher.js';
import { ConnectionLost } from '../shim/connect.js';
import { createInterface } from 'node:readline/promises';

const pairStatusSchema = z.looseObject({ doubt: doubtSchema.optional() });
const pairedSchema = z.looseObject({ link: z.url(), confirm: z.enum(['page', 'popover']).nullable().default(null) });

/** `chaperone pair`: prints a pairing link for a person at a terminal. The host also checks with the kernel that no agent started this process. */
export async function pair(words: Formatter): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Failure(message('cli.pair.terminal'), EXIT.usage);
  const status = await withHost(async (session) => pairStatusSchema.parse(await session.request('admin/status', {})));
  if (status.doubt !== undefined) throw new Failure(message('error.only_person', { why: doubtText(status.doubt) }));
  if (!(await saysYes(words.text('cli.pair.ask')))) throw new Failure(message('cli.pair.declined'));
  const { link, confirm } = await withHost(async (session) =>
    pairedSchema.parse(await session.request('admin/pair', {})),
  );
  print(words.text('cli.pair.open', { link }));
  if (confirm !== null) print(words.text(CONFIRM[confirm]));
}

const CONFIRM = { page: 'cli.pair.confirm_in_page', popover: 'cli.pair.confirm_in_popover' } as const;

/** At the terminal. Anything but yes is no. */
export async function saysYes(question: string, signal?: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${question} `, signal === undefined ? {} : { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

// `chaperone approvals`: lists and denies. Only a person in the page or popover can allow.

const listSchema = z.looseObject({
  approvals: z.array(cardSchema),
  names: z.array(givenNameSchema).default([]),
  others: z.number().int().default(0),
  pendingQuestions: z.number().int().default(0),
  doubt: doubtSchema.optional(),
});

export async function list(options: { json?: boolean }, words: Formatter): Promise<void> {
  const answer = await withHost((session) => session.request('admin/approvals', {}));
  if (options.json === true) return printJson(answer);
  const { approvals: cards, names, others, pendingQuestions, doubt } = listSchema.parse(answer);
  const ofOthers =
    others === 0 ? [] : [words.text('cli.approvals.others', { count: others }), ...countsOnly(words, doubt)];
  const waiting = waitingText(cards.length + others, pendingQuestions, words);
  print([waiting, ...cards.map((card) => formatCard(card, words, names)), ...ofOthers].join('\n'));
}

/** The count that the page shows: requests and questions. */
export function waitingText(requests: number, questions: number, { text }: Formatter): string {
  return text('cli.status.waiting', { count: requests + questions, requests, questions });
}

/** Why that is all; nothing where it is everything. */
export const countsOnly = ({ text }: Formatter, doubt: Doubt | undefined): string[] =>
  doubt === undefined ? [] : [text('cli.counts_only', { why: doubtText(doubt) })];

/** Tells whoever looks for the command where to allow instead. */
export function allow(): never {
  const url = readBridge(paths())?.url;
  const known = url === undefined ? 'other' : 'yes';
  throw new Failure(message('cli.approvals.no_allow', { known, url: url ?? '' }), EXIT.usage);
}

export async function deny(id: string, options: { message?: string }, { text }: Formatter): Promise<void> {
  const words = options.message === undefined ? {} : { message: options.message };
  await withHost((session) => session.request('admin/deny', { id, ...words }));
  print(text('cli.approvals.denied', { id }));
}

/** What the person calls it, and what it is. */
const nameOf = (
  agent: Pick<Agent, 'id' | 'name' | 'via' | 'person'>,
  words: Formatter,
  names: readonly GivenName[],
): string => fullAskerName(words, agent, names.find(({ id }) => id === agent.id)?.name ?? null);

function formatCard(card: Card, words: Formatter, names: readonly GivenName[]): string {
  const { id, effect, expiresAt: time } = card;
  const agent = terminalSafe(nameOf(card.agent, words, names));
  const title = terminalSafe(titleText(words, card.subject));
  return words.text('cli.approvals.card', { id, agent, title, effect, time });
}

const answerSchema = z.looseObject({
  url: z.string(),
  status: statusSchema,
  names: z.array(givenNameSchema).default([]),
  pendingApprovals: z.number().int().optional(),
  pendingQuestions: z.number().int().default(0),
  otherAgents: z.number().int().default(0),
  doubt: doubtSchema.optional(),
});
type StatusAnswer = z.infer<typeof answerSchema>;

export async function status(options: { json?: boolean }, words: Formatter): Promise<void> {
  const answer = await withHost((session) => session.request('admin/status', {}));
  if (options.json === true) return printJson(answer);
  const lines = formatLines(answerSchema.parse(answer), words);
  print(withLocalCommand(lines.map(terminalSafe).join('\n'), ownCommand()));
}

function formatLines(answer: StatusAnswer, words: Formatter): string[] {
  const { text } = words;
  const { url, status: now, names, pendingApprovals, pendingQuestions, otherAgents, doubt } = answer;
  const { state, paused } = now;
  const agents = now.agents
    .filter(({ pid }) => pid !== process.pid)
    .flatMap(({ pid, state, since: time, task, ...agent }) => [
      `  ${text('cli.status.agent', { name: nameOf(agent, words, names), pid, state, time })}`,
      ...(task == null ? [] : [`    ${taskText(task, text)}`]),
    ]);
  return [
    url,
    paused === null
      ? text('cli.status.state', { state })
      : text('cli.status.paused', { time: paused.at, reason: paused.reason }),
    ...(pendingApprovals === undefined ? [] : [waitingText(pendingApprovals, pendingQuestions, words)]),
    text(agents.length + otherAgents === 0 ? 'cli.status.no_agents' : 'cli.status.agents'),
    ...agents,
    ...(otherAgents === 0 ? [] : [`  ${text('cli.status.more_agents', { count: otherAgents })}`]),
    recordText(now, text),
    ...countsOnly(words, doubt),
  ];
}

const MINUTE_MS = 60_000;

function taskText({ purpose, endsAt, used, acts }: RunningTask, text: Formatter['text']): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(endsAt) - Date.now()) / MINUTE_MS));
  return text('cli.status.task', { purpose, minutes, used, acts });
}

function recordText(
  { recordVerified, recordChecking: percent }: StatusAnswer['status'],
  text: Formatter['text'],
): string {
  if (percent !== undefined) return text('cli.status.record_checking', { percent });
  return text(recordVerified ? 'cli.status.record_verified' : 'cli.status.record_unverified');
}

// `chaperone stop`: anyone may pause; only a person in the page or popover resumes.

export async function stop(options: { host?: boolean }, { text }: Formatter): Promise<void> {
  const ending = options.host === true;
  await withHost((session) => session.request('admin/stop', { host: ending })).catch((error: unknown) => {
    if (!(ending && error instanceof ConnectionLost)) throw error;
  });
  if (ending) return print(text('cli.stop.host'));
  const url = readBridge(paths())?.url;
  print(text('cli.stop.agents', { known: url === undefined ? 'other' : 'yes', url: url ?? '' }));
}

// `chaperone apps`: the GABP applications of `gabp-apps.json`. A new or changed entry is confirmed in the page or popover.

const appSchema = z.looseObject({
  name: z.string(),
  state: z.enum(['asking', 'starting', 'connected', 'waiting', 'stopped']),
  place: z.string(),
  confirmed: z.boolean(),
  claim: z.string().nullable(),
  tools: z.number().int(),
});
const appListSchema = z.looseObject({
  apps: z.array(appSchema),
  others: z.number().int().default(0),
  doubt: doubtSchema.optional(),
});
const logSchema = z.looseObject({ lines: z.array(z.looseObject({ at: z.string(), text: z.string() })) });

export async function listApps(options: { json?: boolean }, words: Formatter): Promise<void> {
  const answer = await withHost((session) => session.request('admin/apps', {}));
  if (options.json === true) return printJson(answer);
  const { apps, others, doubt } = appListSchema.parse(answer);
  const known = apps.map(({ name, state, place, confirmed, claim, tools }) =>
    words.text('cli.apps.app', {
      name,
      state: state === 'stopped' ? 'other' : state,
      place: terminalSafe(place),
      confirmed: confirmed ? 'yes' : 'other',
      claim: terminalSafe(claim ?? ''),
      known: claim === null ? 'other' : 'yes',
      tools,
    }),
  );
  const more = others === 0 ? [] : [words.text('cli.apps.others', { count: others }), ...countsOnly(words, doubt)];
  const lines = [...known, ...more];
  print(lines.length === 0 ? words.text('cli.apps.none') : lines.join('\n'));
}

export async function start(name: string, { text }: Formatter): Promise<void> {
  await withHost(async (session) => {
    const { apps } = appListSchema.parse(await session.request('admin/apps', {}));
    if (apps.find((app) => app.name === name)?.confirmed === false) print(text('cli.apps.confirm', { name }));
    await session.request('admin/apps/start', { name });
  });
  print(text('cli.apps.started', { name }));
}

export async function stopApp(name: string, { text }: Formatter): Promise<void> {
  await withHost((session) => session.request('admin/apps/stop', { name }));
  print(text('cli.apps.stopped', { name }));
}

export async function log(name: string): Promise<void> {
  const answer = await withHost((session) => session.request('admin/apps/log', { name }));
  print(
    logSchema
      .parse(answer)
      .lines.map(({ at, text }) => `${at}  ${terminalSafe(text)}`)
      .join('\n'),
  );
}
