/** A press on Allow where the system tells of every press: whose it was, and where. On the stand-ins of macOS, through host and page. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Card } from '../../src/main/protocol/index.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { on, startHost, type TestHost } from '../support/host.js';
import { openMac, type Mac } from '../support/macos/mac.js';
import { addApp, addWindow, at } from '../support/macos/scene.js';
import { cardOf, openPage, press, settle, type Person } from '../support/person.js';

const ALLOW = { x: 1200, y: 300 };
const ELSEWHERE = { x: 800, y: 700 };

let mac: Mac;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;

beforeAll(async () => {
  mac = await openMac();
  await mac.start();
  chaperone = await startHost({ ...on(mac.desktop), pressLimits: { deadMs: 0, quietMs: 60_000 } });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterAll(async () => {
  await agent.close();
  person.close();
  await chaperone.close();
  await mac.close();
});
beforeEach(async () => {
  await mac.start();
  // The page's connection comes from this process.
  const app = addApp(mac.script, { pid: process.pid, name: 'Safari', bundle: 'com.apple.Safari' });
  addWindow(mac.script, { app, pid: process.pid, number: 900, title: 'Chaperone', frame: at(1000, 200, 400, 400) });
  mac.script.raise(900);
});

const asked = async (): Promise<Card> => {
  const running = agent.call('execute_shell_command', { command: 'true' });
  return cardOf(person, running);
};
/** How an Allow of the page ends. */
const pressed = async (card: Card): Promise<string> => {
  press(person, card, 'allow');
  const told = await person.match(
    (one) => (one.type === 'approvalResolved' && one.id === card.id) || (one.type === 'error' && one.about === card.id),
  );
  return told.type === 'error' ? told.code : 'allowed';
};

describe('[req:MW-2] [req:PR-2] an Allow on a Mac', () => {
  test('counts where the person’s own device pressed on the page, and nothing else was injected', async () => {
    const card = await asked();
    expect(await pressed(card)).toBe('unseen');
    mac.script.personPresses(ELSEWHERE.x, ELSEWHERE.y);
    expect(await pressed(card)).toBe('unseen');
    mac.script.personPresses(ALLOW.x, ALLOW.y);
    expect(await pressed(card)).toBe('allowed');
  });

  test('does not count by another program’s events, nor beside them', async () => {
    const card = await asked();
    mac.script.otherProgramPresses(ALLOW.x, ALLOW.y);
    expect(await pressed(card)).toBe('unseen');
    mac.script.personPresses(ALLOW.x, ALLOW.y);
    expect(await pressed(card)).toBe('press_again');
    await settle(person, card, 'deny');
  });

  test('does not count where the system kept events from us meanwhile', async () => {
    const card = await asked();
    mac.script.disableTaps();
    mac.script.personPresses(ALLOW.x, ALLOW.y);
    await mac.desktop.flushInputEvents(new AbortController().signal);
    mac.script.personPresses(ALLOW.x, ALLOW.y);
    expect(await pressed(card)).toBe('press_again');
    await settle(person, card, 'deny');
  });

  test('does not count where input may not be seen', async () => {
    const card = await asked();
    mac.lose();
    mac.script.personPresses(ALLOW.x, ALLOW.y);
    expect(await pressed(card)).toBe('failed');
  });
});
