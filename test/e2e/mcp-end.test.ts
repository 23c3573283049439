/** What an agent leaves behind when it goes, however it goes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { eventually } from '../support/eventually.js';
import { on, startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';
import { startRawShim, type RawShim } from '../support/raw-shim.js';

const OPENING = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const NOTE = { x: 760, y: 230 };

let desktop: SimulatedDesktop;
let chaperone: TestHost;
let person: Person;
let agent: RawShim;

beforeEach(async () => {
  desktop = openSimulated();
  chaperone = await startHost(on(desktop));
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = startRawShim(chaperone.home);
  await agent.ask('initialize', OPENING);
});
afterEach(async () => {
  await agent.close();
  person.close();
  await chaperone.close();
  await desktop.close();
});

const pointer = (): string[] =>
  desktop.world
    .journal()
    .filter(({ event }) => event === 'pointer' || event === 'pointerup')
    .map(({ event, value }) => `${event} ${value}`);

describe('case 25: an agent that ends', () => {
  test.each([
    ['its input ends', 0, (): void => agent.end()],
    ['SIGTERM', 0, (): void => agent.kill('SIGTERM')],
    ['SIGINT', 0, (): void => agent.kill('SIGINT')],
    ['it is killed', null, (): void => void agent.close()],
  ])('takes its shim with it and lets go of the button it held: %s', async (_how, code, leave) => {
    const down = agent.ask('tools/call', { name: 'left_mouse_down', arguments: NOTE });
    const [answer] = await Promise.all([down, person.answer('allow')]);
    expect(JSON.stringify(answer)).not.toContain('isError');
    expect(pointer()).toEqual(['pointer left 1']);
    leave();
    expect(await agent.ended).toBe(code);
    await eventually(pointer).toEqual(['pointer left 1', 'pointerup left']);
  });
});
