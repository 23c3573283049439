import { expect, test } from 'vitest';
import { createCallEvents, type CallStep } from '../../src/main/pipeline/dependencies.js';
import { createExecutions } from '../../src/main/pipeline/executions.js';
import type { Decision } from '../../src/main/approvals/request.js';
import { requestOf } from '../approvals/support.js';

const DENIED: Decision = {
  kind: 'denied',
  reason: 'denied',
  by: 'page',
  approvalId: null,
  message: null,
  at: '',
  waitedMs: 0,
};

test('[req:PG-5] a call counts as queued only while an earlier one of its agent is being asked for', () => {
  const executions = createExecutions();
  const fail = (thrown: unknown) => expect.fail(String(thrown));
  const events = createCallEvents(fail);
  events.on(executions.follow);
  let changes = 0;
  executions.onChange(() => (changes += 1));
  const { caller, subject } = requestOf({ tool: 'type' });
  const start = (tool: string) =>
    executions.add({ executionId: tool, aliases: [], caller, tool, stop: () => undefined });
  const step = (tool: string, happened: CallStep) =>
    events.emit({ executionId: tool, callId: tool, caller, ...happened });
  const deciding = (windowId: string | null = null): CallStep => ({
    kind: 'deciding',
    effect: 'input',
    subject,
    windowId,
  });
  const queued = () => executions.of(caller.agent.id).flatMap((act) => (act.queued === true ? [act.tool] : []));

  start('type');
  expect(queued()).toEqual([]);
  start('click');
  step('click', deciding('w1'));
  step('click', { kind: 'waiting', approvalId: 'x' });
  start('look');
  step('look', deciding());
  expect(queued()).toEqual(['type', 'look']);
  start('wait');
  step('wait', deciding());
  step('wait', { kind: 'decided', decision: DENIED });
  expect(queued()).toEqual(['type', 'look']);
  expect(executions.windows()).toEqual(['w1']);
  const before = changes;
  step('click', { kind: 'decided', decision: DENIED });
  expect(queued()).toEqual([]);
  expect(changes).toBe(before + 1);
});
