/** `chaperone approvals`: lists and denies. Only a person in the page or popover can allow. */
import * as z from 'zod';
import { message, type Formatter } from '../../messages/index.js';
import { readBridge } from '../host/discovery.js';
import { askerName, doubtSchema, doubtText, cardSchema, titleText, type Card, type Doubt } from '../protocol/index.js';
import { print, printJson, terminalSafe } from './output.js';
import { EXIT, Failure } from './failure.js';
import { paths, withHost } from './host-client.js';

const listSchema = z.looseObject({
  approvals: z.array(cardSchema),
  others: z.number().int().default(0),
  pendingQuestions: z.number().int().default(0),
  doubt: doubtSchema.optional(),
});

export async function list(options: { json?: boolean }, words: Formatter): Promise<void> {
  const answer = await withHost((session) => session.request('admin/approvals', {}));
  if (options.json === true) return printJson(answer);
  const { approvals: cards, others, pendingQuestions, doubt } = listSchema.parse(answer);
  const ofOthers =
    others === 0 ? [] : [words.text('cli.approvals.others', { count: others }), ...countsOnly(words, doubt)];
  const waiting = waitingText(cards.length + others, pendingQuestions, words);
  print([waiting, ...cards.map((card) => formatCard(card, words)), ...ofOthers].join('\n'));
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

function formatCard(card: Card, words: Formatter): string {
  const { id, effect, expiresAt: time } = card;
  const agent = terminalSafe(askerName(words, card.agent));
  const title = terminalSafe(titleText(words, card.subject));
  return words.text('cli.approvals.card', { id, agent, title, effect, time });
}
