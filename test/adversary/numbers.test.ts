import { once } from 'node:events';
import { connect } from 'node:net';
import { writeFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { loadPolicy } from '../../src/main/approvals/index.js';
import { readAppEntries } from '../../src/main/gabp/config.js';
import { formatEnglish } from '../../src/messages/index.js';
import { toPageSchema } from '../../src/main/protocol/index.js';
import { tokenOf } from '../support/gabp.js';
import { ask, initialize } from '../support/mcp-http.js';
import { startRawShim } from '../support/raw-shim.js';
import { startScene, type Scene } from '../support/world.js';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene({ http: 0 });
});
afterEach(() => scene.close());

const frame = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** The answers to bodies that are sent as they are, which no client of ours would send. */
async function answersTo(bodies: string[], count: number): Promise<string> {
  const socket = connect(scene.host.socketPath);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let heard = '';
  socket.on('data', (chunk) => (heard += String(chunk)));
  for (const body of bodies) socket.write(frame(body));
  await expect.poll(() => heard.split('Content-Length').length - 1).toBe(count);
  socket.destroy();
  return heard;
}

const metaOf = (more = '') =>
  `"meta":{"schemaVersion":1,"requestId":"r","workspacePath":${JSON.stringify(scene.workspace)},"timeoutMs":60000${more}}`;

/** What is sent, and the member that the answer names. */
const PARAMETERS = (): [string, string][] => [
  [`{${metaOf()},"target":{"point":{"x":1e400,"y":1}}}`, 'params.target.point.x'],
  [`{${metaOf()},"target":{"point":{"x":-1e400,"y":1}}}`, 'params.target.point.x'],
  [`{${metaOf()},"unknown":[1,[2,{"deep":${'9'.repeat(400)}}]]}`, 'params.unknown[1][1].deep'],
  [`{${metaOf()},"unknown":${'9'.repeat(300)}e99}`, 'params.unknown'],
  [`{${metaOf(',"more":1E+400')}}`, 'params.meta.more'],
];

describe('a number too large to read is refused by the name of its member [req:PL-1]', () => {
  test('of a desktop.* method, and of its id', async () => {
    for (const [params, member] of PARAMETERS()) {
      const heard = await answersTo([`{"jsonrpc":"2.0","id":"one","method":"desktop.click","params":${params}}`], 1);
      expect(heard).toContain('"id":"one"');
      expect(heard).toContain('DESKTOP_INVALID_REQUEST');
      expect(heard).toContain(member);
    }
    const heard = await answersTo([`{"jsonrpc":"2.0","id":1e400,"method":"desktop.health","params":{${metaOf()}}}`], 1);
    expect(heard).toContain('"id":null');
    expect(heard).toContain('"member":"id"');
  });

  test('of a GABP tool, nested in the steps of a plan', async () => {
    const hello = { v: 'gabp/1', id: 'h', type: 'request', method: 'session/hello' };
    const params = { token: tokenOf(scene.home), bridgeVersion: '1', platform: 'linux', launchId: 'l' };
    const call = `{"v":"gabp/1","id":"c","type":"request","method":"tools/call","params":{"name":"input/run_plan","arguments":{"steps":[{"tool":"left_click","arguments":{"x":1e400,"y":0}}]}}}`;
    const heard = await answersTo([JSON.stringify({ ...hello, params }), call], 2);
    expect(heard).toContain('"id":"c"');
    expect(heard).toContain('DESKTOP_INVALID_REQUEST');
    expect(heard).toContain('params.arguments.steps[0].arguments.x');
  });

  test('of an MCP tool over stdio, in a batch too, and of _meta', async () => {
    const shim = startRawShim(scene.home);
    await shim.ask('initialize', {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
    const call = (id: string, more: string) =>
      `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"left_click",${more}}}`;
    const answer = async (id: string): Promise<string> => {
      const line = () => shim.lines().find((one) => one.includes(`"id":"${id}"`));
      await expect.poll(line).toBeDefined();
      return line() ?? '';
    };
    shim.write(`${call('a', '"arguments":{"x":1e400,"y":0}')}\n`);
    expect(await answer('a')).toMatch(/DESKTOP_INVALID_REQUEST: params\.arguments\.x .*"isError":true/);
    shim.write(`${call('b', '"arguments":{"x":1,"y":0},"_meta":{"progressToken":1e999}')}\n`);
    expect(await answer('b')).toContain('params._meta.progressToken');
    shim.write(`[${call('c', '"arguments":{"list":[[-1e400]]}')},{"jsonrpc":"2.0","id":"p","method":"ping"}]\n`);
    const batch = await answer('c');
    expect(batch).toContain('params.arguments.list[0][0]');
    expect(batch).toContain('"id":"p"');
    shim.write('{"jsonrpc":"2.0","id":"l","method":"tools/list","params":{"cursor":1e400}}\n');
    expect(await answer('l')).toMatch(/"error":.*DESKTOP_INVALID_REQUEST: params\.cursor/);
    await shim.close();
  });

  test('of an MCP tool over HTTP', async () => {
    const headers = await initialize(scene);
    const bytes = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"left_click","arguments":{"x":1e400,"y":0}}}`;
    const { status, text } = await ask(scene, { headers, bytes });
    expect(status).toBe(200);
    expect(JSON.parse(await text)).toMatchObject({ id: 7, result: { isError: true } });
    expect(await text).toContain('params.arguments.x');
    const note = await ask(scene, {
      headers,
      bytes: `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1e400}}`,
    });
    expect(note.status).toBe(400);
    expect(await note.text).toContain('DESKTOP_INVALID_REQUEST: params.a');
  });

  test('of a page', async () => {
    const { host } = new URL(scene.host.url);
    const socket = new WebSocket(`ws://${host}/ws`, { headers: { origin: `http://${host}` } });
    const heard: string[] = [];
    socket.on('message', (data) => heard.push(String(data)));
    await once(socket, 'open');
    socket.send('{"type":"resume","cursor":1e400}');
    await expect.poll(() => heard.join('')).toContain('"malformed"');
    const error = toPageSchema.parse(JSON.parse(heard.find((one) => one.includes('"malformed"')) ?? ''));
    expect(error.type === 'error' && formatEnglish(error.message)).toMatch(/^cursor is a number too large/);
    socket.close();
  });

  test('of a policy file and of gabp-apps.json, which are then not used', () => {
    const file = join(scene.home, 'numbers.json');
    const write = (text: string) => {
      writeFileSync(file, text);
      chmodSync(file, 0o600);
    };
    write('{"preset":"standard","evidence":{"maxAgeDays":1e400}}');
    expect(() => loadPolicy(file, { source: 'file' })).toThrow(/evidence\.maxAgeDays/);
    write('{"version":1,"apps":{"a":{"attach":{"bridgeFile":"/b"},"timeout":1e400}}}');
    expect(() => readAppEntries(file)).toThrow(/apps\.a\.timeout/);
  });
});

test('large numbers that can be read, and texts that look like too large ones, pass', async () => {
  const params = `{${metaOf(',"requestId":"1e400"')},"unknown":[1e300,1.5e-400,"${'9'.repeat(400)}"]}`;
  const heard = await answersTo([`{"jsonrpc":"2.0","id":"one","method":"desktop.health","params":${params}}`], 1);
  expect(heard).not.toContain('number_too_large');
  expect(formatEnglish({ code: 'error.number_too_large', params: { member: 'x' } })).toContain('x is a number');
});
