import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../src/main/protocol/index.js';
import { startAgent } from '../support/agent.js';
import { frameTransport } from '../../src/main/transport/frames.js';
import { startScene, type Scene } from '../support/world.js';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
  scene.person.allowLooking();
});
afterAll(() => scene.close());

const meta = () => ({ schemaVersion: 1, requestId: 'r', workspacePath: scene.workspace, timeoutMs: 2000 });

/** Sends it as it is and gives the answer's error. */
async function errorOf(message: unknown): Promise<unknown> {
  const socket = connect(scene.host.socketPath);
  await once(socket, 'connect');
  const transport = frameTransport(socket);
  const answer = new Promise((resolve) => transport.onMessage(resolve));
  await transport.send(message);
  const { error } = (await answer) as { error: unknown };
  transport.close();
  return error;
}

function expectHelpful(error: unknown, code: string = 'DESKTOP_INVALID_REQUEST'): void {
  expect(error).toMatchObject({
    code,
    message: expect.stringMatching(/\w{3,}/) as string,
    retryable: ERRORS[code as keyof typeof ERRORS].retryable,
    details: { next: expect.stringMatching(/\w{3,}/) as string },
  });
}

const rpc = (method: unknown, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

describe('every error says what happened and what to do next [req:BC-3.3-1] [req:BC-6-4]', () => {
  test.each<[string, () => unknown]>([
    ['no meta', () => rpc('desktop.health', {})],
    ['no params', () => rpc('desktop.health')],
    ['params that are a list', () => rpc('desktop.health', [])],
    ['params that are a text', () => rpc('desktop.health', 'meta')],
    ['meta that is null', () => rpc('desktop.health', { meta: null })],
    ['no requestId', () => rpc('desktop.health', { meta: { ...meta(), requestId: undefined } })],
    ['another schemaVersion', () => rpc('desktop.health', { meta: { ...meta(), schemaVersion: 2 } })],
    ['a schemaVersion that is a text', () => rpc('desktop.health', { meta: { ...meta(), schemaVersion: '1' } })],
    ['a time limit below nothing', () => rpc('desktop.health', { meta: { ...meta(), timeoutMs: -1 } })],
    ['a time limit that is a text', () => rpc('desktop.health', { meta: { ...meta(), timeoutMs: '5000' } })],
    ['an unknown method', () => rpc('desktop.explode', { meta: meta() })],
    ['a method that is a number', () => rpc(5, { meta: meta() })],
    ['no target', () => rpc('desktop.click', { meta: meta(), confirm: { phrase: 'CONFIRM' } })],
    ['an empty target', () => rpc('desktop.click', { meta: meta(), confirm: { phrase: 'CONFIRM' }, target: {} })],
    ['text that is a number', () => rpc('desktop.typeText', { meta: meta(), confirm: { phrase: 'CONFIRM' }, text: 5 })],
    ['no text', () => rpc('desktop.typeText', { meta: meta(), confirm: { phrase: 'CONFIRM' } })],
    ['an unknown key', () => rpc('desktop.hotkey', { meta: meta(), confirm: { phrase: 'CONFIRM' }, keys: ['hyper'] })],
    ['no keys', () => rpc('desktop.hotkey', { meta: meta(), confirm: { phrase: 'CONFIRM' }, keys: [] })],
    ['no condition', () => rpc('desktop.waitUntil', { meta: meta(), timeoutMs: 10 })],
    ['an unknown selector field', () => rpc('desktop.find', { meta: meta(), selector: { title: 'x' } })],
    ['a confirm that is a text', () => rpc('desktop.click', { meta: meta(), confirm: 'CONFIRM', target: {} })],
    [
      'a pattern that is none',
      () => rpc('desktop.find', { meta: meta(), route: { window: { titlePattern: '(' } }, selector: {} }),
    ],
    [
      'confirm.issue for what needs none',
      () => rpc('desktop.confirm.issue', { meta: meta(), intent: { method: 'desktop.health', params: {} } }),
    ],
    ['abort of nothing', () => rpc('desktop.abort', { meta: meta(), executionId: 'nothing' })],
    [
      'another version of JSON-RPC',
      () => ({ jsonrpc: '1.0', id: 1, method: 'desktop.health', params: { meta: meta() } }),
    ],
    ['a batch', () => [rpc('desktop.health', { meta: meta() })]],
  ])('%s', async (_what, message) => {
    expectHelpful(await errorOf(message()));
  });

  test('malformed JSON has no id to answer to, and the connection goes on [req:DS-4-25]', async () => {
    const socket = connect(scene.host.socketPath);
    await once(socket, 'connect');
    const transport = frameTransport(socket);
    const heard: unknown[] = [];
    transport.onMessage((message) => heard.push(message));
    socket.write('Content-Length: 9\r\n\r\n{"jsonrpc');
    await transport.send(rpc('desktop.health', { meta: meta() }));
    while (heard.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(heard[0]).toMatchObject({ id: null });
    expectHelpful((heard[0] as { error: unknown }).error);
    expect(heard[1]).toMatchObject({ id: 1, result: { bridge: { schemaVersion: 1 } } });
    transport.close();
  });

  test('an MCP tool’s mistakes carry code, what happened and the next step [req:DS-5-5]', async () => {
    const agent = await startAgent(scene.home);
    for (const [name, args] of [
      ['click', {}],
      ['click', { x: 'left', y: 1 }],
      ['click', { x: 1, y: 1, unknown: true }],
      ['press_key', { key: 'hyper' }],
      ['click', { x: 1, y: 1, space: 'image:none' }],
      ['send_message', { text: '' }],
      ['click', { x: 1439, y: 899 }],
    ] as const) {
      const answer = await agent.call(name, args);
      expect([name, answer.isError]).toEqual([name, true]);
      expect(answer.text).toMatch(/^DESKTOP_[A-Z_]+: .+\nNext: .+/);
    }
    await expect(agent.call('no_such_tool')).rejects.toThrow(/no tool "no_such_tool".* Use one of: /);
    await agent.close();
  });
});
