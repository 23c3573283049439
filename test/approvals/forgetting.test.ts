import { expect, it } from 'vitest';
import { presetPolicy } from '../../src/main/approvals/index.js';
import { agentOf, call, callerOf, press, world } from './support.js';

it('what was allowed for the session ends with it: what still watches under it is told nothing more', async () => {
  const w = world();
  const other = agentOf({ pid: 101 });
  const asked = call(w.approvals, { effect: 'disclose' });
  press(w, 'allow');
  const theirs = call(w.approvals, { effect: 'disclose', agent: other });
  press(w, 'allow');
  const [card, again] = [await asked.decision, await call(w.approvals, { effect: 'disclose' }).decision];
  expect(again).toMatchObject({ kind: 'allowed', where: 'session' });
  for (const decision of [card, again]) expect(w.approvals.revoked(decision, callerOf())).toBe(false);
  expect(w.approvals.forget('agent-100')).toBe(true);
  for (const decision of [card, again]) expect(w.approvals.revoked(decision, callerOf())).toBe(true);
  expect(w.approvals.revoked(await theirs.decision, callerOf(other))).toBe(false);
});

it('and what is allowed afterwards counts again', async () => {
  const w = world();
  call(w.approvals, { effect: 'disclose' });
  press(w, 'allow');
  w.approvals.forget('agent-100');
  const anew = call(w.approvals, { effect: 'disclose' });
  expect(await anew.state()).toBe('pending');
  press(w, 'allow');
  expect(w.approvals.revoked(await anew.decision, callerOf())).toBe(false);
  const click = call(w.approvals, { effect: 'input' });
  press(w, 'allow');
  w.approvals.forget('agent-100');
  expect(w.approvals.revoked(await click.decision, callerOf())).toBe(false);
});

it('a stricter policy ends also what was allowed on a card that nobody remembers', async () => {
  const w = world();
  const old = call(w.approvals, { effect: 'disclose' });
  press(w, 'allow');
  const decision = await old.decision;
  w.approvals.close();
  const next = w.again();
  expect(next.revoked(decision, callerOf())).toBe(false);
  const { effects } = presetPolicy('standard');
  const policy = { ...presetPolicy('standard'), effects: { ...effects, disclose: 'deny' as const } };
  expect(next.setPolicy(policy, { by: 'key-1', where: 'page' })).toEqual({ ok: true });
  expect(next.revoked(decision, callerOf())).toBe(true);
});
