import { afterEach, describe, expect, it } from 'vitest';
import { createFakeHost, Refusal, type FakeHost } from '../support/fake-host.js';
import { clientV1, clientV2, rawClient, until, wire, type Wired } from './support.js';

const ASK = {
  name: 'send_message',
  title: 'Ask',
  description: 'Asks.',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { reply: { type: 'string' } }, required: ['reply'] },
};
const REPLY = { content: [{ type: 'text', text: 'yes' }], structuredContent: { reply: 'yes' } };
const OPENING = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
};

let open: Wired[] = [];
afterEach(async () => {
  for (const { shim } of open) await shim.close();
  open = [];
});

function shimFor(options: Parameters<typeof wire>[1] = {}) {
  const host = createFakeHost();
  host.on('tools', () => ({ tools: [ASK] }));
  const wired = wire(host, options);
  open.push(wired);
  return { host, wired };
}

/** `call` waits until the test settles it. */
function held(host: FakeHost, method = 'call') {
  const asked: { params: Record<string, unknown>; settle(result: unknown): void; refuse(error: Error): void }[] = [];
  host.on(method, (params) => new Promise((settle, refuse) => asked.push({ params, settle, refuse })));
  const at = async (index: number) => {
    await until(() => asked.length > index);
    const call = asked[index];
    if (call === undefined) throw new Error('unreachable');
    return call;
  };
  return { asked, at };
}

const methods = (host: FakeHost) => host.asked.map((asked) => asked.method);

describe('progress', () => {
  it('[req:DS-5-10] is sent only with a token, at every interval and change, each number above the last', async () => {
    const { host, wired } = shimFor();
    const calls = held(host);
    const client = rawClient(wired);
    client.send(OPENING);
    await client.answer(1);
    client.send({
      id: 2,
      method: 'tools/call',
      params: { name: 'send_message', arguments: {}, _meta: { progressToken: 'p' } },
    });
    client.send({ id: 3, method: 'tools/call', params: { name: 'send_message', arguments: {} } });
    const { params } = await calls.at(0);
    host.emit('call/progress', {
      callId: params['callId'],
      state: 'awaiting_human',
      approvalId: 'a',
      message: 'Waiting for Allow.',
    });
    const notes = () =>
      client.received
        .filter((message) => message['method'] === 'notifications/progress')
        .map((message) => message['params'] as Record<string, unknown>);
    const waiting = () => notes().filter((note) => note['message'] === 'awaiting_human: Waiting for Allow.');
    await until(() => waiting().length >= 3);
    expect(new Set(notes().map((note) => note['progressToken']))).toEqual(new Set(['p']));
    const numbers = notes().map((note) => Number(note['progress']));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    (await calls.at(0)).settle(REPLY);
    (await calls.at(1)).settle(REPLY);
    await client.answer(2);
    await client.answer(3);
  });
});

describe('a call that outlasts its client', () => {
  for (const [name, connect] of [
    ['SDK 1', clientV1],
    ['SDK 2', clientV2],
  ] as const) {
    it(`[req:DS-5-11] becomes a handle that ${name} accepts, and resume_call gives the result`, async () => {
      const { host, wired } = shimFor({ callLimit: 1_000 });
      const calls = held(host);
      const resumed = held(host, 'resume');
      host.on('cancel', (params) => {
        for (const call of calls.asked.splice(0)) call.refuse(new Refusal('DESKTOP_TIMEOUT', 'detached'));
        return { cancelled: params['callId'] !== undefined };
      });
      const client = await connect(wired);
      await client.listTools();
      const answer = client.callTool({ name: 'send_message', arguments: { text: 'ok?' } });
      const { params } = await calls.at(0);
      host.emit('call/progress', {
        callId: params['callId'],
        state: 'awaiting_human',
        message: 'Waiting for the person.',
      });
      const handle = await answer;
      expect(handle.isError).not.toBe(true);
      expect(handle.structuredContent).toMatchObject({
        status: 'awaiting_human',
        state: 'awaiting_human',
        callId: params['callId'],
      });
      expect(JSON.stringify(handle.content)).toContain('resume_call');
      expect(host.asked).toContainEqual({
        method: 'cancel',
        params: { callId: params['callId'], mode: 'detach' },
      });

      const again = client.callTool({ name: 'resume_call', arguments: { call_id: String(params['callId']) } });
      const resume = await resumed.at(0);
      expect(resume.params).toEqual({ callId: params['callId'] });
      resume.settle(REPLY);
      expect(await again).toMatchObject(REPLY);
    });
  }

  it('gives the result itself when that comes while the call lets go', async () => {
    const { host, wired } = shimFor({ callLimit: 30 });
    const calls = held(host);
    host.on('cancel', () => {
      for (const call of calls.asked) call.settle(REPLY);
      return { cancelled: false };
    });
    const client = await clientV1(wired);
    expect(await client.callTool({ name: 'send_message', arguments: {} })).toMatchObject(REPLY);
  });

  it('is told so when the host knows no such call', async () => {
    const { host, wired } = shimFor();
    host.on('resume', () =>
      Promise.reject(new Refusal('DESKTOP_INVALID_REQUEST', 'No such call.', { reason: 'unknown_call' })),
    );
    const client = await clientV1(wired);
    const result = await client.callTool({ name: 'resume_call', arguments: { call_id: 'nope' } });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain('No such call.');
    expect(await client.callTool({ name: 'resume_call', arguments: {} })).toMatchObject({ isError: true });
  });

  it('is left to the host when the client cancels it', async () => {
    const { host, wired } = shimFor();
    const calls = held(host);
    const client = rawClient(wired);
    client.send(OPENING);
    await client.answer(1);
    client.send({ id: 2, method: 'tools/call', params: { name: 'send_message', arguments: {} } });
    const { params } = await calls.at(0);
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    await until(() => methods(host).includes('cancel'));
    expect(host.asked.at(-1)).toEqual({
      method: 'cancel',
      params: { callId: params['callId'], mode: 'detach', left: true },
    });
  });

  it('[req:AG-HANDLE-3] is left to the host only when the last request that waits for it has gone', async () => {
    const { host, wired } = shimFor();
    const calls = held(host);
    const resumed = held(host, 'resume');
    const client = rawClient(wired);
    client.send(OPENING);
    await client.answer(1);
    client.send({ id: 2, method: 'tools/call', params: { name: 'send_message', arguments: {} } });
    const { params } = await calls.at(0);
    const cancels = () => methods(host).filter((method) => method === 'cancel').length;
    client.send({
      id: 3,
      method: 'tools/call',
      params: { name: 'resume_call', arguments: { call_id: params['callId'] } },
    });
    await resumed.at(0);
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    client.send({ id: 4, method: 'tools/list' });
    await client.answer(4);
    expect(cancels()).toBe(0);
    client.send({ method: 'notifications/cancelled', params: { requestId: 3 } });
    await until(() => cancels() === 1);
  });

  it('[req:AG-HANDLE-1] is a handle also when the host says first that nobody has answered yet', async () => {
    const { host, wired } = shimFor();
    const details = { reason: 'awaiting_human', approvalId: 'a' };
    for (const method of ['call', 'resume'])
      host.on(method, () => Promise.reject(new Refusal('DESKTOP_TIMEOUT', 'not yet', details)));
    const client = await clientV1(wired);
    const result = await client.callTool({ name: 'send_message', arguments: {} });
    expect(result.isError).not.toBe(true);
    expect(result.structuredContent).toMatchObject({ status: 'awaiting_human', callId: expect.any(String) });
  });

  it('is left to the host when the shim ends', async () => {
    const { host, wired } = shimFor();
    const calls = held(host);
    const client = await clientV1(wired);
    client.callTool({ name: 'send_message', arguments: {} }).catch(() => undefined);
    const { params } = await calls.at(0);
    await wired.shim.close();
    expect(host.asked.at(-1)).toEqual({ method: 'cancel', params: { callId: params['callId'], mode: 'detach' } });
    expect(host.connections()).toBe(0);
  });
});

describe('a host that goes away', () => {
  it('[req:DS-5-14] is asked again for a call that it parked while it closed', async () => {
    const { host, wired } = shimFor();
    const parked = new Refusal('DESKTOP_TIMEOUT', 'not yet', { reason: 'awaiting_human' });
    host.on('call', () => Promise.reject(parked));
    host.on('resume', () => REPLY);
    const client = await clientV1(wired);
    expect(await client.callTool({ name: 'send_message', arguments: {} })).toMatchObject(REPLY);
    expect(methods(host).filter((method) => method === 'call')).toHaveLength(1);
  });

  it('[req:DS-5-14] is asked for the same call again, and gets it again only when it does not know it', async () => {
    const { host, wired } = shimFor();
    const calls = held(host);
    host.on('resume', () =>
      Promise.reject(new Refusal('DESKTOP_INVALID_REQUEST', 'unknown', { reason: 'unknown_call' })),
    );
    const client = await clientV1(wired);
    const answer = client.callTool({ name: 'send_message', arguments: { text: 'ok?' } });
    const first = await calls.at(0);
    host.leave();
    host.arrive();
    const second = await calls.at(1);
    expect(second.params).toEqual(first.params);
    expect(methods(host).filter((method) => method === 'resume' || method === 'call')).toEqual([
      'call',
      'resume',
      'call',
    ]);
    second.settle(REPLY);
    expect(await answer).toMatchObject(REPLY);
  });

  it('is not given the call again when it knows it', async () => {
    const { host, wired } = shimFor();
    const calls = held(host);
    const outcome = { content: [{ type: 'text', text: 'outcome_unknown' }], isError: true };
    host.on('resume', () => outcome);
    const client = await clientV1(wired);
    const answer = client.callTool({ name: 'send_message', arguments: {} });
    await calls.at(0);
    host.leave();
    host.arrive();
    expect(await answer).toMatchObject(outcome);
    expect(calls.asked).toHaveLength(1);
  });

  it('is not fed a call that kills it for ever', async () => {
    const { host, wired } = shimFor();
    host.on('resume', () =>
      Promise.reject(new Refusal('DESKTOP_INVALID_REQUEST', 'unknown', { reason: 'unknown_call' })),
    );
    host.on('call', () => {
      host.leave();
      host.arrive();
      return new Promise(() => undefined);
    });
    const client = await clientV1(wired);
    expect(await client.callTool({ name: 'send_message', arguments: {} })).toMatchObject({ isError: true });
    expect(methods(host).filter((method) => method === 'call').length).toBeLessThanOrEqual(4);
  });

  it('is found again, and the agent is told that its tools may have changed', async () => {
    const { host, wired } = shimFor();
    const client = rawClient(wired);
    client.send(OPENING);
    await client.answer(1);
    await until(() => methods(host).includes('describe'));
    host.leave();
    host.arrive();
    await until(() => client.received.some((message) => message['method'] === 'notifications/tools/list_changed'));
    expect(host.starts()).toBe(0);
  });

  it('is not started again behind the person’s back, but for the agent’s next call', async () => {
    const { host, wired } = shimFor();
    host.on('call', () => REPLY);
    const client = await clientV1(wired);
    await client.listTools();
    host.leave();
    let looked = 0;
    const { find } = host.connection;
    host.connection.find = () => {
      looked += 1;
      return find();
    };
    await until(() => looked >= 3);
    expect(host.starts()).toBe(0);
    expect(await client.callTool({ name: 'send_message', arguments: {} })).toMatchObject(REPLY);
    expect(host.starts()).toBe(1);
  });
});
