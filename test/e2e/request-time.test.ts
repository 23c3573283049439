/** More time, and the clock that stands while nobody sees the request: a real host, shim and pages. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import type { Card } from '../../src/main/protocol/index.js';
import { anyPage, on, startHost, type TestHost } from '../support/host.js';
import { openPage, settle, type Person } from '../support/person.js';
import { startRawAgent, type RawShim } from '../support/raw-shim.js';

const OPENING = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const PRESS = { name: 'click', arguments: { x: 760, y: 230 } };
const MORE_MS = 300_000;

let desktop: SimulatedDesktop;
let chaperone: TestHost;
let agent: RawShim;
let person: Person;
let stranger: Person;

beforeEach(async () => {
  desktop = openSimulated();
  chaperone = await startHost({ ...on(desktop), ...anyPage });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  stranger = await openPage(chaperone.host.url);
  agent = startRawAgent(chaperone.home, ['--call-limit', '2']);
  await agent.ask('initialize', OPENING);
});
afterEach(async () => {
  await agent.close();
  for (const page of [person, stranger]) page.close();
  await chaperone.close();
  await desktop.close();
});

const endOf = ({ expiresAt }: Pick<Card, 'expiresAt'>): number => Date.parse(expiresAt);
const called = (params: object): Promise<string> => agent.ask('tools/call', params).then((answer) => JSON.stringify(answer['result'])); // prettier-ignore
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const changedEnd = (card: Card) => person.next('approvalChanged', ({ approval }) => approval.expiresAt !== card.expiresAt); // prettier-ignore

test('More time on a paired page: five minutes more, and the agent’s handle says until when', async () => {
  const handle = called(PRESS);
  const { approval: card } = await person.next('approvalRequested');
  person.send({ type: 'moreTime', id: card.id });
  const { approval: later } = await changedEnd(card);
  expect(endOf(later) - endOf(card)).toBe(MORE_MS);
  expect(later.digest).toBe(card.digest);
  const text = await handle;
  expect(text).toContain('awaiting_human');
  expect(text).toContain(`Without an answer it ends at ${later.expiresAt}.`);
  expect(await settle(person, card, 'deny')).toEqual([]);
});

test('the agent’s socket and a page that is not paired neither give more time nor keep the clock from standing', async () => {
  person.send({ type: 'visibility', visible: false });
  stranger.send({ type: 'visibility', visible: true });
  const handle = called(PRESS);
  const { approval: card } = await person.next('approvalRequested');
  stranger.send({ type: 'moreTime', id: card.id });
  expect((await stranger.next('error')).code).toBe('pairing_needed');
  await pause(1_500);
  const ends = person.seen.flatMap((one) => (one.type === 'approvalChanged' ? [one.approval.expiresAt] : []));
  expect(ends.filter((one) => one !== card.expiresAt)).toEqual([]);
  person.send({ type: 'visibility', visible: true });
  const { approval: later } = await changedEnd(card);
  expect(endOf(later) - endOf(card)).toBeGreaterThan(900);
  expect(endOf(later) - endOf(card)).toBeLessThan(60_000);
  await handle;
});

test('a page that is not paired holds nothing: hidden or gone, the clock runs while the person’s page shows the request', async () => {
  const handle = called(PRESS);
  const { approval: card } = await person.next('approvalRequested');
  stranger.send({ type: 'visibility', visible: false });
  await pause(1_000);
  stranger.close();
  await stranger.ended;
  await pause(700);
  person.send({ type: 'visibility', visible: true });
  person.send({ type: 'moreTime', id: card.id });
  const { approval: later } = await changedEnd(card);
  expect(endOf(later) - endOf(card)).toBe(MORE_MS);
  await handle;
});

test('without any page the clock stands, and goes on when the person comes', async () => {
  person.close();
  await person.ended;
  expect(await called(PRESS)).toContain('awaiting_human');
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  const state = person.seen.findLast((one) => one.type === 'connected' && one.role === 'paired');
  const [card] = state?.type === 'connected' ? state.approvals : [];
  expect(card === undefined ? 0 : endOf(card) - Date.parse(card.createdAt)).toBeGreaterThan(MORE_MS + 500);
});
