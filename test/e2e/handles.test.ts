/** A call that outlasts the client's limit, over the real shim and a real host: a handle in time, and the outcome to who comes back for it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { eventually } from '../support/eventually.js';
import { holdTimers } from '../support/held-timers.js';
import { on, startHost, type TestHost } from '../support/host.js';
import { openPage, settle, type Person } from '../support/person.js';
import { startRawAgent, type RawShim } from '../support/raw-shim.js';

const LIMIT = ['--call-limit', '1'];
const OPENING = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const PRESS = { name: 'click', arguments: { x: 760, y: 230 } };

const resultSchema = z.looseObject({
  isError: z.boolean().default(false),
  content: z.array(z.looseObject({ text: z.string().default('') })),
  structuredContent: z
    .looseObject({
      status: z.string().optional(),
      state: z.string().optional(),
      callId: z.string().optional(),
      approvalId: z.string().nullish(),
      next: z.string().optional(),
    })
    .default({}),
});
type Result = z.infer<typeof resultSchema>;

let desktop: SimulatedDesktop;
let chaperone: TestHost;
let person: Person;
let agents: RawShim[];

beforeEach(async () => {
  desktop = openSimulated();
  chaperone = await startHost(on(desktop));
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agents = [];
});
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  person.close();
  await chaperone.close();
  await desktop.close();
});

async function agentWithLimit(): Promise<RawShim> {
  const agent = startRawAgent(chaperone.home, LIMIT);
  agents.push(agent);
  await agent.ask('initialize', OPENING);
  return agent;
}

async function called(agent: RawShim, params: object): Promise<Result> {
  return resultSchema.parse((await agent.ask('tools/call', params))['result']);
}

const resumed = (agent: RawShim, callId: string | undefined): Promise<Result> =>
  called(agent, { name: 'resume_call', arguments: { call_id: callId } });

/** Its handle, once the call waits for the person: the first may come before. */
async function askedHandle(agent: RawShim, first: Result): Promise<Result> {
  const callId = expectHandle(first);
  for (let result = first; ; result = await resumed(agent, callId)) {
    expect(expectHandle(result)).toBe(callId);
    if (result.structuredContent.state === 'awaiting_human') return result;
  }
}

/** What comes of a call: resumed as often as it takes on a slow machine. */
async function outcomeOf(agent: RawShim, callId: string | undefined): Promise<Result> {
  for (;;) {
    const result = await resumed(agent, callId);
    if (result.structuredContent.status !== 'awaiting_human') return result;
  }
}

function expectHandle(result: Result): string {
  expect(result).toMatchObject({ isError: false, structuredContent: { status: 'awaiting_human' } });
  const { callId = '', next } = result.structuredContent;
  expect(callId).not.toBe('');
  expect(next).toContain(`resume_call with {"call_id": "${callId}"}`);
  expect(result.content[0]?.text).toContain(callId);
  return callId;
}

const presses = (): number => desktop.world.journal().filter(({ event }) => event === 'pointerup').length;

describe('a call at the limit', () => {
  test('[req:AG-HANDLE-1] an act: a handle with the card’s id, nothing done, and the press once the person allowed it to who resumed', async () => {
    const agent = await agentWithLimit();
    const first = await askedHandle(agent, await called(agent, PRESS));
    const callId = expectHandle(first);
    const { approval } = await person.next('approvalRequested');
    expect(first.structuredContent).toMatchObject({ approvalId: approval.id });
    expect(expectHandle(await resumed(agent, callId))).toBe(callId);
    expect(presses()).toBe(0);
    const outcome = outcomeOf(agent, callId);
    await settle(person, approval, 'allow');
    expect(await outcome).toMatchObject({ isError: false, structuredContent: { effect: expect.any(String) } });
    expect(presses()).toBe(1);
    expect(await resumed(agent, callId)).toEqual(await outcome);
    expect(presses()).toBe(1);
  });

  test('[req:AG-HANDLE-1] a refused act: the refusal is the outcome, not the handle', async () => {
    const agent = await agentWithLimit();
    const callId = expectHandle(await called(agent, PRESS));
    const { approval } = await person.next('approvalRequested');
    await settle(person, approval, 'deny');
    expect(await outcomeOf(agent, callId)).toMatchObject({ isError: true });
    expect(presses()).toBe(0);
  });

  test('[req:AG-HANDLE-1] a question: a handle, then the reply, also one given while nobody waited', async () => {
    const agent = await agentWithLimit();
    const ask = { name: 'send_message', arguments: { text: 'Red or blue?' } };
    const callId = expectHandle(await called(agent, ask));
    await person.reply('Blue');
    expect(await outcomeOf(agent, callId)).toMatchObject({ isError: false, structuredContent: { reply: 'Blue' } });
  });
});

describe('other waits at the limit', () => {
  test('[req:AG-HANDLE-2] a wait for the screen: a handle, then what it found out', async () => {
    const agent = await agentWithLimit();
    person.allowLooking();
    const wait = { name: 'wait_element', arguments: { parent: 'applications/1001', title: 'Nowhere', timeout: 6 } };
    const callId = expectHandle(await called(agent, wait));
    const outcome = await outcomeOf(agent, callId);
    expect(outcome).toMatchObject({ isError: true });
    expect(outcome.content[0]?.text).toContain('Nothing that fits appeared within 6 s');
  });

  test('[req:AG-HANDLE-2] the lane: an act behind another agent’s long one is allowed, waits its turn, and is done once', async () => {
    const [typist, other] = [await agentWithLimit(), await agentWithLimit()];
    const pause = holdTimers(1_700);
    const typing = called(typist, { name: 'type_text', arguments: { text: 'ab', char_delay: 1.7 } });
    await person.answer('allow');
    await eventually(() => desktop.world.journal().length).toBeGreaterThan(0);
    const moving = called(other, { name: 'mouse_move', arguments: { x: 700, y: 200 } });
    await person.answer('allow');
    const callId = expectHandle(await moving);
    const typed = expectHandle(await typing);
    await pause.end();
    expect(await outcomeOf(other, callId)).toMatchObject({
      isError: false,
      structuredContent: { effect: expect.any(String) },
    });
    expect(await outcomeOf(typist, typed)).toMatchObject({ isError: false });
  });
});

describe('two callers', () => {
  test('[req:AG-HANDLE-3] two agents each get a handle for their own call, and each its own outcome; neither can resume the other’s', async () => {
    const [one, two] = [await agentWithLimit(), await agentWithLimit()];
    const ask = (text: string) => ({ name: 'send_message', arguments: { text } });
    const handles = await Promise.all([called(one, ask('First?')), called(two, ask('Second?'))]);
    const [first, second] = handles.map(expectHandle);
    for (let count = 0; count < 2; count += 1) {
      const { ack_id: id, text } = await person.next('agentMessage');
      person.send({ type: 'ack', id, message: `to ${text}` });
    }
    expect(await resumed(one, second)).toMatchObject({ isError: true });
    expect(await outcomeOf(one, first)).toMatchObject({ isError: false, structuredContent: { reply: 'to First?' } });
    expect(await outcomeOf(two, second)).toMatchObject({ isError: false, structuredContent: { reply: 'to Second?' } });
  });

  test('[req:AG-HANDLE-3] one agent that waits twice for one call gets its outcome twice, and it is done once', async () => {
    const agent = await agentWithLimit();
    const callId = expectHandle(await called(agent, PRESS));
    const { approval } = await person.next('approvalRequested');
    const first = outcomeOf(agent, callId);
    const second = outcomeOf(agent, callId);
    await settle(person, approval, 'allow');
    expect(await second).toEqual(await first);
    expect(await first).toMatchObject({ isError: false, structuredContent: { effect: expect.any(String) } });
    expect(presses()).toBe(1);
  });
});
