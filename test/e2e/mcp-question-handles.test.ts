/** A question in the client's own form, while the agent is given handles: the person writes longer than any client waits. */
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DOORS, type Door } from '../support/mcp-doors.js';
import { openAskingClient, send, type Answer } from '../support/mcp-questions.js';
import { openPage, type Person } from '../support/person.js';
import { startWorld, type WorldHost } from '../support/world.js';

let chaperone: WorldHost;
let person: Person;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  chaperone = await startWorld({ http: 0, httpLimits: { callLimitMs: 1_000 } });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  person.close();
  await chaperone.close();
});

/** A client whose calls are answered with a handle after a second. `answer` is what the person does in the form. */
async function connect(door: Door) {
  const form = { closed: false, answer: (_answer: Answer): void => undefined };
  const opened = await openAskingClient(
    chaperone,
    door,
    (_form, signal) =>
      new Promise((resolve) => {
        form.answer = resolve;
        signal.addEventListener('abort', () => {
          form.closed = true;
          resolve({ action: 'cancel' });
        });
      }),
    ['--call-limit', '1'],
  );
  closers.push(() => opened.client.close());
  return { ...opened, form };
}

type Result = Awaited<ReturnType<typeof send>>;

function handleOf({ structuredContent }: Result): string {
  expect(structuredContent).toMatchObject({ status: 'awaiting_human', callId: expect.any(String) });
  return String((structuredContent as { callId: unknown }).callId);
}

const resume = (client: Client, callId: string) =>
  client.callTool({ name: 'resume_call', arguments: { call_id: callId } });

/** However often the wait ends before. */
async function outcomeOf(wait: () => Promise<Result>): Promise<unknown> {
  for (;;) {
    const { structuredContent } = await wait();
    if ((structuredContent as { status?: unknown }).status === undefined) return structuredContent;
  }
}

describe.each(['stdio, 2025-11-25', 'HTTP, 2025-11-25'] as const)('%s', (door) => {
  test('the form stays over handles, and what is answered in it between two waits is given to the next [req:MR-8]', async () => {
    const { client, asked, form } = await connect(door);
    const callId = handleOf(await send(client, 'Which one?'));
    handleOf(await resume(client, callId));
    await expect.poll(() => ({ shown: asked.length, closed: form.closed })).toEqual({ shown: 1, closed: false });
    form.answer({ action: 'accept', content: { reply: 'the blue one' } });
    expect(await person.next('userMessage')).toMatchObject({ text: 'the blue one', inClient: true });
    expect(await outcomeOf(() => resume(client, callId))).toMatchObject({ reply: 'the blue one', paired: false });
    expect({ shown: asked.length, closed: form.closed }).toEqual({ shown: 1, closed: false });
  });

  test('one that was left open over a handle is closed by an answer on the page [req:MR-8]', async () => {
    const { client, asked, form } = await connect(door);
    const callId = handleOf(await send(client, 'Still there?'));
    await expect.poll(() => ({ shown: asked.length, closed: form.closed })).toEqual({ shown: 1, closed: false });
    await person.reply('yes');
    expect(await outcomeOf(() => resume(client, callId))).toMatchObject({ reply: 'yes', paired: true });
    await expect.poll(() => form.closed).toBe(true);
    expect(asked).toHaveLength(1);
  });

  test('the same words anew join the question, and its form [req:MR-8]', async () => {
    const { client, asked, form } = await connect(door);
    handleOf(await send(client, 'Which one?'));
    handleOf(await send(client, 'Which one?'));
    await expect.poll(() => asked.length).toBe(1);
    form.answer({ action: 'accept', content: { reply: 'red' } });
    expect(await person.next('userMessage')).toMatchObject({ text: 'red', inClient: true });
    expect(await outcomeOf(() => send(client, 'Which one?'))).toMatchObject({ reply: 'red' });
    expect(asked).toHaveLength(1);
  });
});

test.each(DOORS)(
  '%s: a form that the client declined is not shown again with the next wait [req:MR-9]',
  async (door) => {
    const { client, asked } = await openAskingClient(chaperone, door, () => ({ action: 'decline' }), [
      '--call-limit',
      '1',
    ]);
    closers.push(() => client.close());
    const callId = handleOf(await send(client, 'Go on?'));
    await expect.poll(() => asked.length).toBe(1);
    handleOf(await resume(client, callId));
    expect(asked).toHaveLength(1);
  },
);
