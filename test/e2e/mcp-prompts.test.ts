/** Prompts and completions of MCP, over stdio and HTTP. */
import type { Client } from '@modelcontextprotocol/client';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { tokenOf } from '../support/gabp.js';
import { DOORS } from '../support/mcp-doors.js';
import { eachMcpScene } from '../support/mcp-scene.js';
import type { Person } from '../support/person.js';
import { openBridge } from '../support/raw-gabp.js';
import type { WorldHost } from '../support/world.js';

let chaperone: WorldHost;
let person: Person;
const { connect, restart, closers } = eachMcpScene((made) => ({ chaperone, person } = made));

const cards = () => person.seen.filter(({ type }) => type === 'approvalRequested');

async function complete(client: Client, name: string, value = ''): Promise<string[]> {
  const ref = { type: 'ref/resource' as const, uri: uriWith(name) };
  return (await client.complete({ ref, argument: { name, value } })).completion.values;
}

const uriWith = (name: string): string =>
  ({
    application: 'chaperone://applications/{application}',
    window: 'chaperone://windows/{window}/image',
    display: 'chaperone://screens/{display}/image',
  })[name] ?? '';

describe.each(DOORS)('%s', (door) => {
  test('prompts say how to work, with their arguments and tools that there are [req:MR-6]', async () => {
    const client = await connect(door);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['use_desktop', 'inspect_application', 'recover']);
    const names = new Set((await client.listTools()).tools.map(({ name }) => name));
    for (const { name, arguments: args = [] } of prompts) {
      const values = Object.fromEntries(args.map((one) => [one.name, `<${one.name}>`]));
      const { messages } = await client.getPrompt({ name, arguments: values });
      const said = messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join();
      for (const value of Object.values(values)) expect(said).toContain(value);
      const tools = [...said.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, tool]) => tool ?? '');
      expect(tools.length).toBeGreaterThan(2);
      for (const tool of tools) expect(names).toContain(tool);
    }
    const plain = await client.getPrompt({ name: 'use_desktop', arguments: { task: 'send it', application: ' ' } });
    expect(JSON.stringify(plain)).not.toContain('this application only');
    const wrongs: { name: string; arguments?: Record<string, string> }[] = [
      { name: 'use_desktop', arguments: {} },
      { name: 'use_desktop', arguments: { task: 'x', other: 'y' } },
      { name: 'use_desktop', arguments: { task: 'x'.repeat(4_001) } },
      { name: 'toString' },
    ];
    for (const wrong of wrongs) await expect(client.getPrompt(wrong)).rejects.toMatchObject({ code: -32602 });
  });

  test('values are proposed only where nobody has to be asked, and nobody ever is [req:MR-7]', async () => {
    const client = await connect(door);
    expect(await complete(client, 'display')).toContain('main');
    expect(await complete(client, 'window')).toEqual([]);
    expect(await complete(client, 'application', 'mail')).toEqual([]);
    expect(cards()).toEqual([]);

    const listed = client.callTool({ name: 'list_windows', arguments: {} });
    await person.answer('allow');
    const { windows } = (await listed).structuredContent as { windows: { name: string; title: string }[] };
    // Over HTTP a request may come before the kernel has told who sends it; nothing that was allowed counts for it then.
    await eventually(() => complete(client, 'window')).toEqual(windows.map(({ name }) => name));
    const [first] = windows;
    await eventually(() => complete(client, 'window', first?.title)).toContain(first?.name);
    await eventually(() => complete(client, 'application', 'simulated.m')).toEqual(['simulated.mail']);
    expect(await complete(client, 'application', 'nothing of this name')).toEqual([]);
    const ref = { type: 'ref/prompt' as const, name: 'use_desktop' };
    const proposed = () => client.complete({ ref, argument: { name: 'application', value: 'simulated.m' } });
    await eventually(async () => (await proposed()).completion.values).toEqual(['simulated.mail']);
    expect((await client.complete({ ref, argument: { name: 'task', value: '' } })).completion.values).toEqual([]);
    expect(cards()).toHaveLength(1);

    person.send({ type: 'pause', on: true });
    await person.next('status', ({ status }) => status.paused !== null);
    expect(await complete(client, 'window')).toEqual([]);
    const unknown = { type: 'ref/prompt' as const, name: 'none' };
    await expect(client.complete({ ref: unknown, argument: { name: 'x', value: '' } })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

test('an excluded application is proposed to nobody, whatever the policy allows [req:MR-7]', async () => {
  const file = join(chaperone.home, 'closed.json');
  const policy = { preset: 'standard', effects: { disclose: 'allow' }, excludedApps: ['simulated.notes'] };
  await writeFile(file, JSON.stringify(policy), { mode: 0o600 });
  person = await restart(file);
  const client = await connect('HTTP, 2026-07-28');
  expect(await complete(client, 'application')).toContain('simulated.mail');
  expect(await complete(client, 'application', 'notes')).toEqual([]);
});

test('a bridge is given the same prompts by methods of our own [req:MR-6]', async () => {
  const bridge = await openBridge({ port: chaperone.host.tcpPort ?? 0 });
  closers.push(() => bridge.close());
  await bridge.hello(tokenOf(chaperone.home));
  expect(JSON.stringify(await bridge.result('prompts/list'))).toContain('inspect_application');
  const got = await bridge.result('prompts/get', { name: 'recover', arguments: { problem: 'it is gone' } });
  expect(got['text']).toContain('it is gone');
  expect(await bridge.ask('prompts/get', { name: 'none' })).toHaveProperty('error');
});
