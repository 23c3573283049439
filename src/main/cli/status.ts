/** `chaperone status`: what the host is doing and who is connected. */
import * as z from 'zod';
import { doubtSchema, statusSchema, type RunningTask } from '../protocol/index.js';
import { withLocalCommand } from '../protocol/local-command.js';
import { ownCommand } from './launcher.js';
import { print, printJson, terminalSafe } from './output.js';
import { countsOnly, waitingText } from './approvals.js';
import type { Formatter } from '../../messages/index.js';
import { ConnectionLost } from '../shim/connect.js';
import { paths, withHost } from './host-client.js';
import { readBridge } from '../host/discovery.js';

const answerSchema = z.looseObject({
  url: z.string(),
  status: statusSchema,
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
  const { url, status: now, pendingApprovals, pendingQuestions, otherAgents, doubt } = answer;
  const { state, paused } = now;
  const agents = now.agents
    .filter(({ pid }) => pid !== process.pid)
    .flatMap(({ name, pid, state, since: time, task }) => [
      `  ${text('cli.status.agent', { name, pid, state, time })}`,
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
