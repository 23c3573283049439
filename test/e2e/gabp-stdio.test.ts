import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { hostPaths } from '../../src/main/host/discovery.js';
import { createHome, type Home, type Running } from '../support/command.js';
import { tokenOf } from '../support/gabp.js';
import { openPage } from '../support/person.js';
import { frame, openBridge, type Bridge } from '../support/raw-gabp.js';

let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.close());

async function startHost(...more: string[]): Promise<{ running: Running; bridge: Bridge }> {
  const running = home.start(['host', '--backend', 'simulated', '--workspace-root', home.path, '--stdio', ...more]);
  const { stdin, stdout } = running.child;
  if (stdin === null || stdout === null) throw new Error('the host has no streams');
  const bridge = await openBridge({ in: stdout, out: stdin });
  await eventually(running.stderr).toContain('http://localhost:');
  return { running, bridge };
}

test('[req:TP-52] [req:DS-3-4] [req:GT-1.1-1] [req:GT-3.2-1] the same session over stdin and stdout, which carries nothing but frames', async () => {
  const { running, bridge } = await startHost('--print-pairing');
  // Before the first message: this process is the agent from then on, and what an agent runs pairs no page.
  await eventually(running.stderr).toMatch(/#pair=.+\n/);
  const [link = ''] = running
    .stderr()
    .split('\n')
    .filter((line) => line.includes('#pair='));
  const person = await openPage(new URL(link).origin, link);
  expect(await bridge.ask('tools/list')).toMatchObject({ error: { code: -32100 } });
  bridge.say({ jsonrpc: '2.0', id: 'rpc', method: 'desktop.health' });
  await eventually(() => bridge.messages.at(-1)).toMatchObject({ v: 'gabp/1', id: 'rpc', error: { code: -32202 } });
  expect(await bridge.hello('wrong')).toMatchObject({ error: { code: -32101 } });
  expect(await bridge.hello(tokenOf(home.path))).toMatchObject({ result: { agentId: 'chaperone' } });
  const { tools } = await bridge.result('tools/list');
  expect(tools).toContainEqual(expect.objectContaining({ name: 'element/click_element' }));
  person.allowLooking();
  const found = await bridge.result('tools/call', {
    name: 'element/find_elements',
    arguments: { parent: 'simulated.mail', title: 'Send' },
  });
  const [{ elementId }] = found['elements'] as [{ elementId: string }];
  const clicked = bridge.result('tools/call', { name: 'element/click_element', arguments: { element_id: elementId } });
  await person.answer('allow');
  expect(await clicked).toMatchObject({ clicked: true, effect: 'confirmed' });
  person.close();
  expect(
    running.stdout().replaceAll(/Content-Length: \d+\r\nContent-Type: application\/json\r\n\r\n\{/g, ''),
  ).not.toContain('Content-');
  expect(running.stdout()).toBe(bridge.messages.map(frame).join(''));
});

test('[req:TP-52] the host ends when whoever spawned it closes its stdin', async () => {
  const { running, bridge } = await startHost();
  await bridge.hello(tokenOf(home.path));
  running.child.stdin?.end();
  expect(await running.ended).toMatchObject({ code: 0, signal: null });
  expect(running.stderr()).toContain('Chaperone exits: its stdin or stdout has ended.');
  expect(() => readFileSync(join(hostPaths({ CHAPERONE_HOME: home.path }).state, 'bridge.json'))).toThrow();
});

test('the host ends in order when its answers have no reader any more', async () => {
  const { running, bridge } = await startHost();
  await bridge.hello(tokenOf(home.path));
  running.child.stdout?.destroy();
  bridge.say({ v: 'gabp/1', id: randomUUID(), type: 'request', method: 'session/ping', params: {} });
  expect(await running.ended).toMatchObject({ code: 0, signal: null });
  expect(running.stderr()).toContain('Chaperone exits: its stdin or stdout has ended.');
  expect(() => readFileSync(join(hostPaths({ CHAPERONE_HOME: home.path }).state, 'bridge.json'))).toThrow();
});
