import { expect, test } from 'vitest';
import { createExecutions } from '../../src/main/pipeline/executions.js';
import type { ApprovalRequest, Approver, Decision } from '../../src/main/pipeline/ports.js';
import { watchDoings } from '../../src/main/agents/current-acts.js';
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

test('[req:PG-5] a call counts as queued only while an earlier one of its agent is being asked for', async () => {
  const executions = createExecutions();
  const doings = watchDoings(executions, () => undefined);
  const answers = new Map<string, () => void>();
  const approver: Approver = {
    decide: (request, onWaiting) =>
      new Promise((resolve) => {
        answers.set(request.executionId, () => resolve(DENIED));
        if (request.action.name === 'click') onWaiting({ approvalId: 'x', expiresAt: 'y' });
      }),
    withdraw: () => false,
    assertOpen: () => undefined,
    revoked: () => false,
  };
  const watched = doings.noticing(approver);
  const requests: ApprovalRequest[] = [];
  const start = (tool: string, decide: boolean) => {
    const request = requestOf({ tool });
    requests.push(request);
    executions.add({
      executionId: request.executionId,
      aliases: [],
      caller: request.caller,
      tool,
      stop: () => undefined,
    });
    return decide ? watched.decide(request, () => undefined, new AbortController().signal) : null;
  };
  const queued = () =>
    doings.of(requests[0]?.caller.agent.id ?? '').flatMap((doing) => (doing.queued === true ? [doing.tool] : []));

  start('type', false);
  expect(queued()).toEqual([]);
  const asked = start('click', true);
  start('look', true);
  expect(queued()).toEqual(['type', 'look']);
  const ran = start('wait', true);
  answers.get(requests.at(-1)?.executionId ?? '')?.();
  await ran;
  expect(queued()).toEqual(['type', 'look']);
  answers.get(requests[1]?.executionId ?? '')?.();
  await asked;
  expect(queued()).toEqual([]);
  doings.close();
});
