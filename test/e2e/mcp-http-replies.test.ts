/** A person's reply over MCP by HTTP: one that its client did not read is there for the agent's next call. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHost, type TestHost } from '../support/host.js';
import { ask, callOf, initialize, type Exchange, type Json } from '../support/mcp-http.js';
import { openPage, type Person } from '../support/person.js';

let started: TestHost;
let person: Person;
let session: Record<string, string>;
let calls = 0;
beforeEach(async () => {
  started = await startHost({ http: 0 });
  person = await openPage(started.host.url, started.host.pairingLink());
  session = await initialize(started);
  calls = 0;
});
afterEach(async () => {
  person.close();
  await started.close();
});

const post = (body: Json): Promise<Exchange> => ask(started, { headers: session, body });
const call = (name: string, args: Json = {}): Promise<Exchange> => post(callOf((calls += 1), name, args));
const replies = async (): Promise<string> => (await call('check_replies')).text;
const arrived = () => person.seen.filter(({ type }) => type === 'delivered').length;
/** How often the reply is told until it has arrived. */
async function timesTold(): Promise<number> {
  let told = 0;
  const look = async () => {
    if ((await replies()).includes('blue')) told += 1;
    return arrived();
  };
  await eventually(look).toBe(1);
  return told;
}
const answers = () => person.seen.filter(({ type }) => type === 'userMessage').length;

test('one that was read has arrived with the next call, and is not told again [req:MH-11]', async () => {
  const asked = await call('send_message', { text: 'Which?' });
  await person.reply('blue');
  expect(await asked.text).toContain('blue');
  await person.next('given');
  expect(await replies()).not.toContain('blue');
  await eventually(arrived).toBe(1);
});

test.each(['right after', 'once the page knew that it was given'])(
  'one in an answer whose request the client then gave up, %s [req:MH-11] [req:DS-7-1]',
  async (when) => {
    const asked = await call('send_message', { text: 'Which?' });
    await person.reply('blue');
    expect(await asked.text).toContain('blue');
    if (when !== 'right after') await person.next('given');
    const said = await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: calls } });
    expect(said.status).toBe(202);
    await said.text;
    expect(await timesTold()).toBe(1);
  },
);

test('one to a client that gave up another request, or none that it made, has arrived [req:MH-11]', async () => {
  const asked = await call('send_message', { text: 'Which?' });
  await person.reply('blue');
  await asked.text;
  await person.next('given');
  for (const params of [{ requestId: 99 }, { requestId: String(calls) }, {}, { requestId: { id: 1 } }])
    await (
      await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    ).text;
  expect(await replies()).not.toContain('blue');
});

test('one to a client whose connection was gone before the answer was written [req:MH-11] [req:DS-7-1]', async () => {
  const asked = await call('send_message', { text: 'Which?' });
  const { ack_id: id } = await person.next('agentMessage');
  asked.drop();
  await asked.text;
  person.send({ type: 'ack', id, message: 'blue' });
  await eventually(answers).toBe(1);
  expect(await timesTold()).toBe(1);
});
