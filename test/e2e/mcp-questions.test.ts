/** A question of send_message, shown in the client as well as on the page, over stdio and HTTP. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DOORS, type Door } from '../support/mcp-doors.js';
import { openAskingClient, send, type Answer, type Form } from '../support/mcp-questions.js';
import { openPage, type Person } from '../support/person.js';
import { startWorld, type WorldHost } from '../support/world.js';

let chaperone: WorldHost;
let person: Person;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  chaperone = await startWorld({ http: 0 });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  person.close();
  await chaperone.close();
});

async function connect(door: Door, answer: (form: Form, signal: AbortSignal) => Promise<Answer> | Answer) {
  const opened = await openAskingClient(chaperone, door, answer);
  closers.push(() => opened.client.close());
  return opened;
}

const question = (text: string) => person.next('agentMessage', (one) => one.text === text);
const onPage = (text: string) =>
  expect.poll(() => person.seen.some((one) => one.type === 'agentMessage' && one.text === text)).toBe(true);

describe.each(DOORS)('%s', (door) => {
  test('what is answered in the client settles it on the page, and says where it was given [req:MR-8]', async () => {
    const { client, asked } = await connect(door, () => ({ action: 'accept', content: { reply: ' the blue one ' } }));
    const sent = send(client, 'Which one?', ['red', 'blue']);
    await question('Which one?');
    const told = await person.next('userMessage');
    expect(told).toMatchObject({ text: 'the blue one', paired: false, inClient: true });
    const { content, structuredContent } = await sent;
    expect(structuredContent).toMatchObject({ reply: 'the blue one', paired: false });
    expect(JSON.stringify(content)).toContain('answered in your own client');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toContain('Which one?');
    expect(Object.keys(asked[0]?.requestedSchema.properties ?? {})).toEqual(['choice', 'reply']);
  });

  test.each([
    ['declines', { action: 'decline' }],
    ['is closed', { action: 'cancel' }],
    ['accepts nothing', { action: 'accept', content: { reply: '  ' } }],
  ] as const)('where it %s, the question stays on the page [req:MR-9]', async (_how, answer) => {
    const { client, asked } = await connect(door, () => answer);
    const sent = send(client, 'Go on?');
    await onPage('Go on?');
    await expect.poll(() => asked.length).toBe(1);
    await person.reply('yes, go on');
    expect((await sent).structuredContent).toMatchObject({ reply: 'yes, go on', paired: true });
    expect(asked).toHaveLength(1);
  });

  test('an approval is never shown in the client [req:MR-9]', async () => {
    const { client, asked } = await connect(door, () => ({ action: 'accept', content: { reply: 'allow' } }));
    const clicked = client.callTool({ name: 'click', arguments: { x: 300, y: 200 } });
    await person.answer('deny', { message: 'no' });
    expect(await clicked).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });
});

test.each(['stdio, 2025-11-25', 'HTTP, 2025-11-25'] as const)(
  '%s: what is answered on the page ends it in the client [req:MR-8]',
  async (door) => {
    let closed = false;
    const { client, asked } = await connect(
      door,
      (_form, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            closed = true;
            resolve({ action: 'cancel' });
          });
        }),
    );
    const sent = send(client, 'Still there?');
    await onPage('Still there?');
    await expect.poll(() => asked.length).toBe(1);
    await person.reply('yes');
    expect((await sent).structuredContent).toMatchObject({ reply: 'yes', paired: true });
    await expect.poll(() => closed).toBe(true);
  },
);

test('2026-07-28: what is answered on the page goes before what the client brings later [req:MR-8]', async () => {
  let close: (answer: Answer) => void = () => undefined;
  const { client, asked } = await connect('HTTP, 2026-07-28', () => new Promise((resolve) => (close = resolve)));
  const sent = send(client, 'Which file?');
  await onPage('Which file?');
  await expect.poll(() => asked.length).toBe(1);
  await person.reply('the first');
  close({ action: 'accept', content: { reply: 'the second' } });
  expect((await sent).structuredContent).toMatchObject({ reply: 'the first', paired: true });
});
