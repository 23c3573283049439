/** Resources of MCP, over stdio and HTTP: an address is the call of a tool, with its card, its mask and its record. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { windowName } from '../../src/main/tools/places.js';
import { startAgent } from '../support/agent.js';
import { tokenOf } from '../support/gabp.js';
import { DOORS } from '../support/mcp-doors.js';
import { eachMcpScene } from '../support/mcp-scene.js';
import type { Person } from '../support/person.js';
import { openBridge } from '../support/raw-gabp.js';
import type { WorldHost } from '../support/world.js';

const signal = new AbortController().signal;
const SECRET = 'what the person copied';

let chaperone: WorldHost;
let person: Person;
const { connect, restart, closers } = eachMcpScene((made) => ({ chaperone, person } = made));

interface Content {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

async function read(client: Client, uri: string): Promise<Content[]> {
  return (await client.readResource({ uri })).contents as Content[];
}

async function readJson(client: Client, uri: string): Promise<Record<string, unknown>> {
  const [first] = await read(client, uri);
  return JSON.parse(first?.text ?? '') as Record<string, unknown>;
}

const PNG = /^iVBORw0KGgo/;

describe.each(DOORS)('%s', (door) => {
  test('lists what there is without a question, and nothing of what it holds [req:MR-1]', async () => {
    await chaperone.desktop.writeClipboard({ text: SECRET }, signal);
    const client = await connect(door);
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resources.map(({ uri }) => uri)).toEqual(
      ['screens', 'applications', 'windows', 'pointer', 'clipboard', 'chat', 'evidence'].map(
        (path) => `chaperone://${path}`,
      ),
    );
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      expect.arrayContaining(['chaperone://windows/{window}/image', 'chaperone://screens/{display}/image']),
    );
    const said = JSON.stringify([resources, resourceTemplates]);
    expect(said).not.toContain(SECRET);
    for (const { title } of await chaperone.desktop.windows(signal)) expect(said).not.toContain(title);
    expect(person.seen.filter(({ type }) => type === 'approvalRequested')).toEqual([]);
  });

  test('the clipboard is read after a card, and not after a no [req:MR-2]', async () => {
    await chaperone.desktop.writeClipboard({ text: SECRET }, signal);
    const client = await connect(door);
    const refused = client.readResource({ uri: 'chaperone://clipboard' });
    const card = await person.answer('deny', { message: 'not now' });
    expect(card).toMatchObject({ effect: 'disclose', tool: 'get_clipboard' });
    await expect(refused).rejects.toThrow(/not now/);

    const allowed = readJson(client, 'chaperone://clipboard');
    await person.answer('allow');
    expect(await allowed).toMatchObject({ text: SECRET });
    const { activity } = await person.next('activity', ({ activity: one }) => one.outcome !== 'denied');
    expect(activity.tool).toBe('get_clipboard');
  });

  test('windows, and pictures as blobs, are what the tools give [req:MR-3]', async () => {
    person.allowLooking();
    const client = await connect(door);
    const called = await client.callTool({ name: 'list_windows', arguments: {} });
    const listed = await readJson(client, 'chaperone://windows');
    expect(listed).toEqual(called.structuredContent);
    const [{ name }] = listed['windows'] as [{ name: string }];
    const uri = `chaperone://windows/${encodeURIComponent(name)}`;
    expect(await readJson(client, uri)).toMatchObject({ name });
    for (const picture of [`${uri}/image`, 'chaperone://screens/main/image']) {
      const contents = await read(client, picture);
      expect(contents).toEqual([{ uri: picture, mimeType: 'image/png', blob: expect.stringMatching(PNG) }]);
    }
    const given = (await client.listResources()).resources.find((one) => one.uri.includes('/images/'));
    expect((await read(client, given?.uri ?? ''))[0]?.blob).toMatch(PNG);
  });

  test('an address that is none is refused in words, and asks nobody [req:MR-4]', async () => {
    const client = await connect(door);
    for (const uri of [
      'chaperone://nothing',
      'chaperone://windows/',
      'chaperone://windows/%E0%A4%A',
      'chaperone://windows/a/b/c',
      'chaperone://images/0',
      'chaperone://../clipboard',
      'gabp://chaperone/clipboard',
      'file:///etc/passwd',
      `chaperone://windows/${'x'.repeat(5_000)}`,
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('There is no resource'),
      });
    expect(person.seen.filter(({ type }) => type === 'approvalRequested')).toEqual([]);
  });
});

test.each(['stdio, 2026-07-28', 'HTTP, 2025-11-25'] as const)(
  '%s: a window that is closed to the tools is closed to its address, and blank in the picture of the screen [req:MR-5]',
  async (door) => {
    const file = join(chaperone.home, 'closed.json');
    await writeFile(file, JSON.stringify({ preset: 'standard', excludedApps: ['simulated.notes'] }), { mode: 0o600 });
    person = await restart(file);
    person.allowLooking();
    const client = await connect(door);
    const closed = (await chaperone.desktop.windows(signal)).find(({ app }) => app.id === 'simulated.notes');
    const name = closed === undefined ? '' : windowName(closed);
    expect(name).not.toBe('');
    expect(JSON.stringify(await readJson(client, 'chaperone://windows'))).not.toContain(closed?.title);
    for (const [part, tool, args] of [
      ['', 'get_window', { name }],
      ['/image', 'capture_window_screenshot', { window: name }],
      ['/elements', 'get_element_tree', { parent: name }],
    ] as const) {
      const refused = await client.callTool({ name: tool, arguments: args });
      expect(refused.isError).toBe(true);
      const said = refused.content[0];
      const address = `chaperone://windows/${encodeURIComponent(name)}${part}`;
      await expect(client.readResource({ uri: address })).rejects.toThrow(
        said?.type === 'text' ? said.text.split('\n', 1)[0] : 'text',
      );
    }
    const seen = await client.callTool({ name: 'capture_screenshot', arguments: {} });
    const [picture] = await read(client, 'chaperone://screens/main/image');
    expect(picture?.blob).toMatch(PNG);
    expect(seen.content[0]).toMatchObject({ type: 'image', data: picture?.blob });
  },
);

test.each(DOORS)(
  '%s: an agent reads what is recorded of itself, as it was written, after a card [req:MR-10]',
  async (door) => {
    const client = await connect(door);
    const seen = client.callTool({ name: 'capture_screenshot', arguments: {} });
    await person.answer('allow');
    await seen;
    const clicked = client.callTool({ name: 'click', arguments: { x: 300, y: 200 } });
    await person.answer('allow');
    await clicked;
    const refused = client.readResource({ uri: 'chaperone://evidence' });
    await person.answer('deny', { message: 'not this' });
    await expect(refused).rejects.toThrow(/not this/);

    person.allowLooking();
    const { executions } = (await readJson(client, 'chaperone://evidence')) as {
      executions: { execution: string; tool: string; outcome: string }[];
    };
    const own = executions.find(({ tool }) => tool === 'click');
    const uri = `chaperone://evidence/${own?.execution}`;
    const recorded = await readJson(client, uri);
    expect(recorded).toMatchObject({ tool: 'click', files: expect.arrayContaining([expect.objectContaining({ name: 'after.png', state: 'as_written' })]) }); // prettier-ignore
    expect((await read(client, `${uri}/after.png`))[0]?.blob).toMatch(PNG);
    expect(await readJson(client, `${uri}/result.json`)).toMatchObject({ file: 'result.json', text: expect.stringContaining('click') }); // prettier-ignore
    await expect(client.readResource({ uri: `${uri}/..%2F..%2Faudit.jsonl` })).rejects.toThrow();

    const other = await startAgent(chaperone.home, { ownProcess: true, cwd: chaperone.workspace });
    closers.push(other.close);
    expect(JSON.stringify(await readJson(other.client as Client, 'chaperone://evidence'))).not.toContain(
      own?.execution,
    );
    for (const part of ['', '/after.png'])
      await expect(other.client.readResource({ uri: `${uri}${part}` })).rejects.toThrow(/Nothing that you did/);
    const { evidenceDir } = (await person.next('activity', ({ activity }) => activity.executionId === own?.execution))
      .activity;
    await writeFile(join(evidenceDir ?? '', 'result.json'), 'forged');
    await expect(client.readResource({ uri: `${uri}/result.json` })).rejects.toThrow(/changed after it was written/);
  },
);

test('over GABP a picture of a screen and its own record are asked for in the same way [req:GB-5] [req:MR-10]', async () => {
  const bridge = await openBridge({ port: chaperone.host.tcpPort ?? 0 });
  closers.push(() => bridge.close());
  await bridge.hello(tokenOf(chaperone.home));
  const uri = 'gabp://chaperone/screens/main/image';
  const denied = bridge.ask('resources/read', { uri });
  expect((await person.answer('deny')).tool).toBe('capture_screenshot');
  expect(await denied).toHaveProperty('error');
  const read = bridge.result('resources/read', { uri });
  await person.answer('allow');
  expect(await read).toMatchObject({
    content: expect.stringMatching(PNG),
    mimeType: 'image/png',
    encoding: 'base64',
  });
  const record = bridge.result('resources/read', { uri: 'gabp://chaperone/evidence' });
  expect((await person.answer('allow')).effect).toBe('disclose');
  const { executions } = (await record)['content'] as { executions: { execution: string; tool: string }[] };
  const own = executions.find(({ tool }) => tool === 'capture_screenshot');
  const file = bridge.result('resources/read', { uri: `gabp://chaperone/evidence/${own?.execution}/observe.png` });
  await person.answer('allow');
  expect(await file).toMatchObject({ content: expect.stringMatching(PNG), encoding: 'base64' });
});
