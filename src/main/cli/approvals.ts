/** `chaperone approvals`: lists and denies. Only a person in the page or popover can allow. */
import * as z from 'zod';
import { cardSchema, englishTitle } from '../protocol/index.js';
import type { Card } from '../protocol/index.js';
import { print, printJson, terminalSafe } from './output.js';
import { withHost } from './host-client.js';

const listSchema = z.looseObject({ approvals: z.array(cardSchema), others: z.number().int().default(0) });

export async function list(options: { json?: boolean }): Promise<void> {
  const answer = await withHost((session) => session.request('admin/approvals', {}));
  if (options.json === true) return printJson(answer);
  const { approvals: cards, others } = listSchema.parse(answer);
  const lines = [
    ...cards.map(formatCard),
    ...(others === 0
      ? []
      : [`${others} of other agents: look in the page, or ask in a terminal that no agent has opened.`]),
  ];
  print(lines.length === 0 ? 'Nothing waits for you.' : lines.join('\n'));
}

export async function deny(id: string, options: { message?: string }): Promise<void> {
  const message = options.message === undefined ? {} : { message: options.message };
  await withHost((session) => session.request('admin/deny', { id, ...message }));
  print(`Denied ${id}.`);
}

function formatCard(card: Card): string {
  const title = englishTitle(card.subject);
  return `${card.id}  ${terminalSafe(card.agent.name)}: ${terminalSafe(title)}  (${card.effect}, until ${card.expiresAt})`;
}
