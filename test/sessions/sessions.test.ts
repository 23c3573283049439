import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EndedCall } from '../../src/main/pipeline/dependencies.js';
import { createSessions } from '../../src/main/sessions/index.js';
import { WireError } from '../../src/main/protocol/index.js';
import { ALLOWED, CALLER } from '../support/pipeline.js';
import { verbatim } from '../../src/messages/index.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-21T10:00:00Z');

function open() {
  const time = { now: START };
  const sessions = createSessions({ now: () => time.now, grantLabel: (id) => verbatim(`grant ${id}`) });
  const call = (more: Partial<EndedCall> = {}, agent = 'agent-1') =>
    sessions.ended({
      executionId: randomUUID(),
      caller: { ...CALLER, agent: { ...CALLER.agent, id: agent } },
      tool: 'click_element',
      effect: 'input',
      arguments: {},
      plan: null,
      decision: ALLOWED,
      outcome: 'confirmed',
      done: [],
      evidenceDir: '/work/e',
      at: new Date(time.now).toISOString(),
      ...more,
    });
  return { sessions, time, call };
}
const GRANTED: EndedCall['decision'] = { kind: 'allowed', by: 'grant', approvalId: null, grantId: 'g1', where: 'grant', at: '', waitedMs: 0 }; // prettier-ignore
const MADE = { displayName: 'Taxes', metadata: { year: '2026' } };
const reason = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof WireError) return thrown.details['reason'];
    throw thrown;
  }
};

describe('a session', () => {
  test('adds up what its agent did while it was open, and nothing else', () => {
    const { sessions, call } = open();
    call();
    const { name } = sessions.create('agent-1', MADE);
    call({ decision: GRANTED });
    call({ tool: 'find_elements', effect: 'disclose' });
    call({ outcome: 'denied', evidenceDir: null });
    call({ outcome: 'waiting' });
    call({}, 'agent-2');
    const { account, executions, ...info } = sessions.get('agent-1', name);
    expect(info).toMatchObject({ display_name: 'Taxes', state: 'active', metadata: { year: '2026' } });
    expect(account).toMatchObject({
      calls: 3,
      tools: { click_element: 2, find_elements: 1 },
      effects: { input: 2, disclose: 1 },
      outcomes: { confirmed: 2, denied: 1 },
      grants: [{ id: 'g1', label: 'grant g1' }],
    });
    expect(executions.map(({ tool, evidence }) => [tool, evidence])).toEqual([
      ['click_element', '/work/e'],
      ['find_elements', '/work/e'],
      ['click_element', null],
    ]);
  });

  test('is its agent’s alone: for others it does not exist', () => {
    const { sessions } = open();
    const { name } = sessions.create('agent-1', MADE);
    for (const work of [
      () => sessions.get('agent-2', name),
      () => sessions.remove('agent-2', name),
      () => sessions.recorded('agent-2', name),
      () => sessions.get('agent-1', 'sessions/none'),
    ])
      expect(reason(work)).toBe('unknown_session');
    expect(sessions.list('agent-2')).toEqual([]);
    expect(sessions.list('agent-1')).toHaveLength(1);
  });

  test('is the only open one, until it is ended or was idle for a day', () => {
    const { sessions, time, call } = open();
    const { name } = sessions.create('agent-1', MADE);
    expect(reason(() => sessions.create('agent-1', MADE))).toBe('session_open');
    time.now += 23 * HOUR;
    call();
    time.now += 23 * HOUR;
    expect(sessions.get('agent-1', name).state).toBe('active');
    time.now += 2 * HOUR;
    expect(sessions.get('agent-1', name)).toMatchObject({ state: 'ended', account: { calls: 1 } });
    const second = sessions.create('agent-1', MADE);
    expect(sessions.remove('agent-1', second.name).state).toBe('ended');
    expect(reason(() => sessions.get('agent-1', second.name))).toBe('unknown_session');
    expect(sessions.list('agent-1').map((one) => one.name)).toEqual([name]);
  });

  test('stays small: lists keep their newest, counts go on', () => {
    const { sessions, call } = open();
    const { name } = sessions.create('agent-1', MADE);
    for (let index = 0; index < 700; index += 1) call({ tool: `tool_${index}` });
    const { account, executions } = sessions.get('agent-1', name);
    expect(account.calls).toBe(700);
    expect(Object.keys(account.tools)).toHaveLength(200);
    expect([executions.length, executions.at(-1)?.tool]).toEqual([500, 'tool_699']);
    for (let index = 0; index < 30; index += 1) {
      sessions.remove('agent-1', sessions.list('agent-1')[0]?.name ?? '');
      sessions.create('agent-1', MADE);
    }
    expect(sessions.list('agent-1').length).toBeLessThanOrEqual(20);
  });
});
