/** Long waits, for each client whose limit is known: on a clock that the test moves. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callLimitMs, CLIENT_LIMITS, type ClientLimit } from '../../src/main/mcp/limits.js';
import { STDIO_TIMES } from '../../src/main/serve/mcp/index.js';
import { createFakeHost, Refusal, type FakeHost } from '../support/fake-host.js';
import { rawClient, wire, type Wired } from '../shim/support.js';

/** As each row’s client gives it, with the first version of the row. */
const NAMES: [name: string, version: string][] = [
  ['claude-code', '2.1.330'],
  ['codex-mcp-client', '0.169.0'],
  ['gemini-cli-mcp-client', '0.56.0-nightly.20260806'],
  ['goose', '1.30.0'],
  ['Visual Studio Code', '1.107.0'],
  ['opencode', '1.0.203'],
  ['claude-ai', '0.1.0'],
  ['Cline', '3.40.0'],
  ['cursor-vscode', '1.0.0'],
  ['github-copilot-developer', '1.0.0'],
  ['JetBrains-IU-copilot-intellij', '1.5.50'],
  ['Roo Code', '3.50.0'],
  ['windsurf-client', '1.0.0'],
  ['Zed', '0.220.0'],
];
const ROWS = NAMES.map(([name, version], index) => [name, version, CLIENT_LIMITS[index]] as const);
const UNKNOWN_MS = 50_000;
const PROGRESS_MS = 10_000;
const ASK = { name: 'send_message', arguments: { text: 'ok?' } };
const REPLY = { content: [{ type: 'text', text: 'yes' }], structuredContent: { reply: 'yes' } };

const open: Wired[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }));
afterEach(async () => {
  vi.useRealTimers();
  for (const { shim } of open.splice(0)) await shim.close();
});

/** Streams and promises go on while the clock stands. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function connected(name: string, version: string) {
  const host = createFakeHost();
  const settlers: ((result: unknown) => void)[] = [];
  const pending: ((error: Error) => void)[] = [];
  host.on('call', () => new Promise((resolve, reject) => void (settlers.push(resolve), pending.push(reject))));
  host.on('cancel', () => {
    for (const reject of pending.splice(0)) reject(new Refusal('DESKTOP_TIMEOUT', 'x', { reason: 'awaiting_human' }));
    return { cancelled: true };
  });
  const { progressIntervalMs } = STDIO_TIMES;
  const wired = wire(host, { times: { progressIntervalMs } });
  open.push(wired);
  const client = rawClient(wired);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version } };
  client.send({ id: 1, method: 'initialize', params });
  const answered = (id: number) => client.received.find((message) => message['id'] === id);
  await until(() => answered(1) !== undefined);
  return { host, client, answered };
}

const callsOf = (host: FakeHost, method: string) => host.asked.filter((asked) => asked.method === method);

/** The clock stands still between steps, so that what a step causes is done before the next. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

describe.each(ROWS)('[req:DS-5-11] %s %s', (name, version, row?: ClientLimit) => {
  const handleMs = (row?.handleAfter ?? 0) * 1_000;

  it('is the client of its row, which has a handle before the client gives up', () => {
    expect(row?.name.test(name.toLowerCase())).toBe(true);
    expect(callLimitMs({ name, version })).toBe(handleMs);
    expect(handleMs).toBeLessThan((row?.gaveUpAfter ?? 0) * 1_000);
  });

  it('[req:DS-5-10] has progress until the handle, and the late answer when it resumes', async () => {
    const { host, client, answered } = await connected(name, version);
    client.send({ id: 2, method: 'tools/call', params: { ...ASK, _meta: { progressToken: 7 } } });
    await until(() => callsOf(host, 'call').length === 1);
    await pass(handleMs - 1);
    expect(answered(2)).toBeUndefined();
    const notes = client.received.filter((message) => message['method'] === 'notifications/progress');
    expect(notes).toHaveLength(Math.floor((handleMs - 1) / PROGRESS_MS));
    await pass(1);
    await until(() => answered(2) !== undefined);
    const callId = callsOf(host, 'call')[0]?.params['callId'];
    expect(answered(2)).toMatchObject({ result: { structuredContent: { status: 'awaiting_human', callId } } });
    host.on('resume', () => REPLY);
    client.send({ id: 3, method: 'tools/call', params: { name: 'resume_call', arguments: { call_id: callId } } });
    await until(() => answered(3) !== undefined);
    expect(answered(3)).toMatchObject({ result: REPLY });
    expect(callsOf(host, 'call')).toHaveLength(1);
  });

  it('cancels before the handle: the call stays the host’s, and the same call can be resumed', async () => {
    const { host, client, answered } = await connected(name, version);
    client.send({ id: 2, method: 'tools/call', params: ASK });
    await until(() => callsOf(host, 'call').length === 1);
    await pass(handleMs - 1);
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    await until(() => callsOf(host, 'cancel').length === 1);
    const callId = callsOf(host, 'call')[0]?.params['callId'];
    expect(callsOf(host, 'cancel')[0]?.params).toEqual({ callId, mode: 'detach', left: true });
    await pass(handleMs);
    expect(answered(2)).toBeUndefined();
    host.on('resume', () => REPLY);
    client.send({ id: 3, method: 'tools/call', params: { name: 'resume_call', arguments: { call_id: callId } } });
    await until(() => answered(3) !== undefined);
    expect(answered(3)).toMatchObject({ result: REPLY });
  });
});

it('has a client for each row', () => expect(NAMES).toHaveLength(CLIENT_LIMITS.length));

it.each([
  ['codex-mcp-client', '0.168.9'],
  ['codex-mcp-client', '0.0.0'],
  ['claude-code', '2.0.76'],
  ['claude-code', '0.2.36'],
  ['claude-code', 'latest'],
  ['gemini-cli-mcp-client', '0.0.1'],
  ['not-claude-code', '2.1.330'],
  ['', ''],
])('[req:DS-5-11] %s %s is treated as unknown: a handle after 50 s', (name, version) => {
  expect(callLimitMs({ name, version })).toBe(UNKNOWN_MS);
});

it('a client without a name has a handle after 50 s; a later version has what its row says', () => {
  expect(callLimitMs(null)).toBe(UNKNOWN_MS);
  for (const version of ['3.0.0', '2.2.0', 'v2.1']) expect(callLimitMs({ name: 'claude-code', version })).toBe(25 * 60_000); // prettier-ignore
});
