import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { anyPage, startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const STRANGER = '00000000-0000-4000-8000-000000000000';

let chaperone: TestHost;
let agent: TestAgent;
let person: Person;
let opened: { close(): unknown }[];

beforeEach(async () => {
  opened = [];
  chaperone = await startHost(anyPage);
  person = await page();
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  opened.push(agent);
});
afterEach(async () => {
  for (const one of opened.reverse()) await one.close();
  await chaperone.close();
});

async function page(): Promise<Person> {
  const one = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  opened.push(one);
  return one;
}

const events = (of: Person) =>
  of.seen.flatMap((one) => ('seq' in one && (one.type === 'agentMessage' || one.type === 'userMessage') ? [one] : []));
const ask = (text: string, by = agent) => by.call('send_message', { text });

describe('a question', () => {
  test('[req:CH-3-1] send_message takes a required text and is offered to every agent', async () => {
    const other = await startAgent(chaperone.home, { name: 'someone-else' });
    opened.push(other);
    for (const { client } of [agent, other]) {
      const { tools } = await client.listTools();
      const tool = tools.find((one) => one.name === 'send_message');
      expect(tool?.inputSchema).toMatchObject({ properties: { text: { type: 'string' } }, required: ['text'] });
    }
    expect(await agent.call('send_message', {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('text'),
    });
    expect(person.seen.filter((one) => one.type === 'agentMessage')).toEqual([]);
  });

  test('[req:CH-2-3] [req:CH-3-2] [req:CH-3-3] [req:CH-3-4] [req:CH-4-2] reaches every page, and one ack frees the call with exactly the person’s words', async () => {
    const pages = [person, await page(), await openPage(chaperone.host.url)];
    opened.push(...pages.slice(2));
    const words = '  Ja — 你好 🎉\n\t"quoted" \\ <b>‏</b>  ';
    let freed = false;
    const answer = ask('May I **go on**?').then((result) => {
      freed = true;
      return result;
    });
    const asked = await Promise.all(pages.map((one) => one.next('agentMessage')));
    const [{ ack_id: id } = { ack_id: '' }] = asked;
    expect(id).toMatch(UUID);
    for (const one of asked) expect(one).toMatchObject({ ack_id: id, text: 'May I **go on**?' });
    expect(freed).toBe(false);
    pages[1]?.send({ type: 'ack', id, message: words });
    const result = await answer;
    expect(result.value).toEqual({ reply: words, paired: true });
    expect(result.text).toBe(words);
    for (const one of pages) expect(await one.next('userMessage')).toMatchObject({ ack_id: id, text: words });
    person.send({ type: 'ack', id, message: 'too late' });
    expect(await person.next('error')).toMatchObject({ code: 'already_answered', about: id });
  });

  test('[req:CH-3-5] is not settled by an ack with an id that is not pending', async () => {
    const answer = ask('Which one?');
    const { ack_id: id } = await person.next('agentMessage');
    person.send({ type: 'ack', id: STRANGER, message: 'not this one' });
    expect(await person.next('error')).toMatchObject({ code: 'unknown_question', about: STRANGER });
    person.send({ type: 'ack', id, message: 'this one' });
    expect((await answer).value).toMatchObject({ reply: 'this one' });
    expect(events(person).map(({ text }) => text)).toEqual(['Which one?', 'this one']);
  });

  test('[req:CH-4-3] is untouched by messages that do not validate, each answered with an error', async () => {
    const answer = ask('Still there?');
    const { ack_id: id } = await person.next('agentMessage');
    for (const bad of [
      { type: 'ack', id: 'no uuid', message: 'x' },
      { type: 'ack', id },
      { type: 'ack', id, message: 7 },
      { type: 'agentMessage', text: 'I am the agent', ack_id: id },
      { type: '__proto__' },
      { nothing: true },
    ]) {
      person.send(bad);
      expect(await person.next('error')).toMatchObject({ code: 'malformed' });
    }
    person.send({ type: 'ack', id, message: 'yes' });
    expect((await answer).value).toMatchObject({ reply: 'yes' });
    expect(events(person)).toHaveLength(2);
  });

  test('of one agent is answered apart from another’s, and from its own', async () => {
    const other = await startAgent(chaperone.home, { name: 'someone-else' });
    opened.push(other);
    const answers = [ask('first'), ask('second'), ask('third', other)];
    const asked = new Map<string, string>();
    for (let count = 0; count < 3; count++) {
      const { text, ack_id: id } = await person.next('agentMessage');
      asked.set(text, id);
    }
    for (const text of ['third', 'first', 'second'])
      person.send({ type: 'ack', id: asked.get(text), message: `to ${text}` });
    expect((await Promise.all(answers)).map(({ value }) => value['reply'])).toEqual([
      'to first',
      'to second',
      'to third',
    ]);
  });
});

describe('what a page is told', () => {
  test('[req:CH-5-1] is the same for all, in one order', async () => {
    const second = await page();
    const answers = Array.from({ length: 5 }, (_, count) => ask(`question ${count}`));
    for (let count = 0; count < 5; count++) {
      const { ack_id: id } = await person.next('agentMessage');
      (count % 2 === 0 ? person : second).send({ type: 'ack', id, message: `answer ${count}` });
    }
    await Promise.all(answers);
    for (const one of [person, second]) await eventually(() => events(one).length).toBe(10);
    expect(events(second)).toEqual(events(person));
    const order = events(person).map(({ seq }) => seq);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test('[req:CH-4-1] [req:CH-5-2] [req:CH-6-1] [req:CH-6-2] begins with the whole history and the question that waits, which can still be answered', async () => {
    await Promise.all([ask('one'), person.reply('1')]);
    const answer = ask('two');
    const { ack_id: id } = await person.next('agentMessage');
    person.close();
    const back = await page();
    const [first] = back.seen;
    expect(first).toMatchObject({ type: 'connected', pendingAckId: id, pendingAckIds: [id] });
    const history = first?.type === 'connected' ? first.history : [];
    expect(history.filter((one) => 'text' in one)).toEqual(events(person));
    expect(history.map((one) => ('text' in one ? one.text : one.type))).toEqual([
      'one',
      '1',
      'given',
      'delivered',
      'two',
    ]);
    back.send({ type: 'ack', id, message: '2' });
    expect((await answer).value).toMatchObject({ reply: '2' });
  });

  test('a restart of the host ends neither the conversation nor the call that waits', async () => {
    await Promise.all([ask('before'), person.reply('b')]);
    const answer = ask('Are you there?');
    const { ack_id: id } = await person.next('agentMessage');
    await agent.whileStopped(() => chaperone.restart());
    const back = await page();
    expect(back.seen[0]).toMatchObject({
      pendingAckId: id,
      history: expect.arrayContaining([{ ...events(person)[0] }]),
    });
    // The page hears of a status when it connects, and again only when that changes.
    await eventually(() => back.seen.findLast((one) => 'status' in one)).toMatchObject({
      status: { agents: [expect.anything()] },
    });
    back.send({ type: 'ack', id, message: 'here' });
    expect((await answer).value).toMatchObject({ reply: 'here' });
  });
});

describe('a reply', () => {
  test('[req:DS-7-1] whose agent died while it waited is given to the agent that asks again', async () => {
    ask('Go?').catch(() => undefined);
    const { ack_id: id } = await person.next('agentMessage');
    await agent.close();
    person.send({ type: 'ack', id, message: 'go' });
    await person.next('userMessage');
    const again = await startAgent(chaperone.home);
    opened.push(again);
    const { value, text } = await ask('Go?', again);
    expect(value).toMatchObject({ reply: 'go', given_at: expect.any(String) });
    expect(text).toContain('answered at');
    expect(person.seen.filter((one) => one.type === 'agentMessage')).toHaveLength(1);
  });

  test('[req:PG-19] that was handed to an agent which then ends without another call is told as given and not confirmed, and kept for its return', async () => {
    const answer = ask('Colour?');
    const { ack_id: id } = await person.next('agentMessage');
    person.send({ type: 'ack', id, message: 'blue' });
    expect((await answer).value).toMatchObject({ reply: 'blue' });
    expect(await person.next('given')).toMatchObject({ ack_id: id });
    await agent.close();
    await person.next('status', ({ status }) => status.agents.length === 0);
    expect(person.seen.filter((one) => one.type === 'delivered')).toEqual([]);
    const again = await startAgent(chaperone.home);
    opened.push(again);
    const { value } = await again.call('check_replies');
    expect(value).toMatchObject({ replies: [{ question: 'Colour?', reply: 'blue' }] });
    await again.call('check_replies');
    expect(await person.next('delivered')).toMatchObject({ ack_id: id });
    expect(person.seen.filter((one) => one.type === 'given')).toHaveLength(1);
  });

  test('whose agent died while it waited is not told as given', async () => {
    ask('Go?').catch(() => undefined);
    const { ack_id: id } = await person.next('agentMessage');
    await agent.close();
    await person.next('status', ({ status }) => status.agents.length === 0);
    person.send({ type: 'ack', id, message: 'go' });
    await person.next('userMessage');
    const later = await page();
    const [first] = later.seen;
    expect(first?.type === 'connected' ? first.history.map(({ type }) => type) : []).toEqual(['agentMessage', 'userMessage']); // prettier-ignore
  });

  test('[req:MT-T-check_replies] that nobody waits for any more is told with check_replies, and shown as delivered after the next call', async () => {
    ask('Colour?').catch(() => undefined);
    const { ack_id: id } = await person.next('agentMessage');
    await agent.close();
    person.send({ type: 'ack', id, message: 'blue' });
    await person.next('userMessage');
    const again = await startAgent(chaperone.home);
    opened.push(again);
    expect((await again.call('check_replies')).value).toMatchObject({
      replies: [{ question: 'Colour?', reply: 'blue', paired: true }],
    });
    expect((await again.call('check_replies')).value).toEqual({ replies: [] });
    expect(await person.next('delivered')).toMatchObject({ ack_id: id });
  });
});
