import { expect, test } from 'vitest';
import { agentOf, call, callerOf, press, requestOf, world, type World } from './support.js';

const TITLES = { effect: 'disclose', app: null, target: { kind: 'titles' } } as const;
const stranger = agentOf({ executable: '' });

/** What an unasked request of this agent comes to, by the decision and by the question beforehand. */
async function outcomes({ approvals }: World, agent = agentOf()): Promise<unknown[]> {
  const request = { ...requestOf({ ...TITLES, agent }), unasked: true as const };
  const state = await call(approvals, request).state();
  return [typeof state === 'string' ? state : state.kind, await approvals.mayReadTitles(callerOf(agent))];
}

async function allow(w: World, agent = agentOf()): Promise<void> {
  const asked = call(w.approvals, { ...TITLES, agent });
  press(w, 'allow');
  await asked.decision;
}

test('[req:MR-7] an unasked request is allowed where nobody has to be asked, and puts no card', async () => {
  const w = world();
  expect(await outcomes(w)).toEqual(['denied', false]);
  expect(w.approvals.cards()).toEqual([]);
  await allow(w);
  expect(await outcomes(w)).toEqual(['allowed', true]);
  expect(w.approvals.cards()).toEqual([]);
});

test('[req:MR-7] an unasked request is allowed never for a program that the system does not name', async () => {
  const w = world();
  await allow(w, stranger);
  expect(await outcomes(w, stranger)).toEqual(['denied', false]);
});

test('[req:MR-7] an unasked request is not allowed where each of its kind is asked anew, whatever is remembered', async () => {
  const w = world();
  await allow(w);
  const request = { ...requestOf(TITLES), alwaysAsk: true, unasked: true as const };
  expect(await call(w.approvals, request).state()).toMatchObject({ kind: 'denied' });
});

test('[req:MR-7] an unasked request is not allowed after the person took it back, nor while agents are paused', async () => {
  const w = world();
  await allow(w);
  w.approvals.pause({ on: true, by: 'person', where: 'page' });
  expect(await outcomes(w)).toEqual(['denied', false]);
  w.approvals.pause({ on: false, by: 'person', where: 'page' });
  expect(await outcomes(w)).toEqual(['allowed', true]);
});

test('[req:MR-7] an unasked request takes no decision that waits for the call it was made for', async () => {
  const w = world();
  const asked = call(w.approvals, TITLES);
  asked.end('detach');
  await asked.state();
  press(w, 'allow', { grant: 'once' });
  await outcomes(w);
  const again = await call(w.approvals, TITLES).state();
  expect(again).toMatchObject({ kind: 'allowed' });
});
