/** `chaperone approvals`: reading and denying. Allowing is for a person in the page or popover, never for a command line. */
import * as z from 'zod';
import { cardSchema, englishTitle } from '../protocol/index.js';
import type { Card } from '../protocol/index.js';
import { plain } from './plain.js';
import { withHost } from './running.js';

const listSchema = z.looseObject({ approvals: z.array(cardSchema), others: z.number().int().default(0) });

export async function list(options: { json?: boolean }): Promise<void> {
  const answer = await withHost((session) => session.request('admin/approvals', {}));
  if (options.json === true) return void process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  const { approvals: cards, others } = listSchema.parse(answer);
  const lines = [
    ...cards.map(line),
    ...(others === 0
      ? []
      : [`${others} of other agents: look in the page, or ask in a terminal that no agent has opened.`]),
  ];
  process.stdout.write(`${lines.length === 0 ? 'Nothing waits for you.' : lines.join('\n')}\n`);
}

export async function deny(id: string, options: { message?: string }): Promise<void> {
  const message = options.message === undefined ? {} : { message: options.message };
  await withHost((session) => session.request('admin/deny', { id, ...message }));
  process.stdout.write(`Denied ${id}.\n`);
}

function line(card: Card): string {
  const what = englishTitle(card.subject);
  return `${card.id}  ${plain(card.agent.name)}: ${plain(what)}  (${card.effect}, until ${card.expiresAt})`;
}
