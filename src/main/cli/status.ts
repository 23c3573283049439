/** `chaperone status`: what the host is doing and who is connected. */
import * as z from 'zod';
import { statusSchema } from '../protocol/index.js';
import { asCalledHere } from '../protocol/own-command.js';
import { ownCommand } from './launcher.js';
import { print, printJson, terminalSafe } from './output.js';
import { withHost } from './host-client.js';
import { formatEnglish } from '../../messages/index.js';

const answerSchema = z.looseObject({
  url: z.string(),
  status: statusSchema,
  pendingApprovals: z.number().int().optional(),
  otherAgents: z.number().int().default(0),
});
type StatusAnswer = z.infer<typeof answerSchema>;

export async function status(options: { json?: boolean }): Promise<void> {
  const answer = await withHost((session) => session.request('admin/status', {}));
  if (options.json === true) return printJson(answer);
  print(asCalledHere(formatLines(answerSchema.parse(answer)).map(terminalSafe).join('\n'), ownCommand()));
}

function formatLines({ url, status: now, pendingApprovals, otherAgents }: StatusAnswer): string[] {
  const paused =
    now.paused === null ? '' : ` by ${now.paused.by} since ${now.paused.at}: ${formatEnglish(now.paused.reason)}`;
  const others = now.agents.filter((agent) => agent.pid !== process.pid);
  const agents = others.map((agent) => `  ${agent.name} (pid ${agent.pid}), ${agent.state}, since ${agent.since}`);
  return [
    `${url}`,
    `state: ${now.state}${paused}`,
    ...(pendingApprovals === undefined ? [] : [`waiting for a person: ${pendingApprovals}`]),
    agents.length + otherAgents === 0 ? 'agents: none' : 'agents:',
    ...agents,
    ...(otherAgents === 0 ? [] : [`  ${otherAgents} more, which the page shows`]),
    `record: ${now.recordVerified ? 'verified' : 'not verified; run `chaperone evidence verify`'}`,
  ];
}
