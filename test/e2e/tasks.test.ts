/** One request for a form in a real Chromium and a text in a real Mousepad, through the real shim; and all that asks all the same. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatEnglish } from '../../src/messages/index.js';
import { startAgent, type TestAgent, type ToolAnswer } from '../support/agent.js';
import { askedFiles } from '../support/files-in-dialogs.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';
import { openShopBrowser, type ShopBrowser } from '../support/shop-browser.js';
import type { Card } from '../../src/main/protocol/index.js';

const signal = new AbortController().signal;
/** The page is left for another site once its notes begin with “away”. */
const form = (other = '') => `<title>Order form</title><h1>Order</h1><form onsubmit="return false"
  oninput="if (event.target.value.length > 20 && event.target.value.includes('away')) location.href = '${other}'">
  ${['Name', 'Street', 'Town', 'Notes'].map((name) => `<p><label>${name} <input aria-label="${name}" ${name === 'Notes' ? 'autofocus' : ''}></label>`).join('')}
  <p><button type="button" onclick="document.title = 'Details'">Details</button>
  <button type="button" onclick="document.title = 'Sent'">Send order</button></form>`;

let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let shop: ShopBrowser;
let elsewhere: Server;

/** How much later it is for the host than it was when it started. */
let later = 0;

beforeAll(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  chaperone = await startHost({ backend: 'linux', display: 'virtual' });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  elsewhere = createServer((_, response) => response.setHeader('content-type', 'text/html').end(form()));
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  shop = await openShopBrowser(chaperone, form(otherSite()));
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  await shop.browse([shop.shopUrl], { ACCESSIBILITY_ENABLED: '1' });
  await shop.element({ role: 'AXTextField', titleContains: 'Name' });
}, 120_000);
afterEach(async () => {
  await agent.call('finish_task');
});
afterAll(async () => {
  vi.restoreAllMocks();
  await agent.close();
  person.close();
  await shop.close();
  elsewhere.close();
  await chaperone.close();
});

const requests = () => person.seen.filter(({ type }) => type === 'approvalRequested').length;
const site = () => new URL(shop.shopUrl).origin;
const otherSite = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
const ask = (over: Record<string, unknown> = {}, by = agent) =>
  by.call('request_task', { purpose: 'Fill in the order form', apps: ['Chromium'], sites: [site()], minutes: 60, ...over }); // prettier-ignore

/** Asks for a task, which the person allows. */
async function started(over: Record<string, unknown> = {}): Promise<{ card: Card; answer: ToolAnswer }> {
  const call = ask(over);
  const card = await person.answer('allow');
  return { card, answer: await done(call) };
}

async function done(call: Promise<ToolAnswer>): Promise<ToolAnswer> {
  const answer = await call;
  if (answer.isError) throw new Error(answer.text);
  return answer;
}

/** The call asks, is denied, and does nothing. */
async function asks(call: Promise<ToolAnswer>): Promise<Card> {
  const unasked = call.then(({ text }) => Promise.reject(new Error(`done without a request: ${text}`)));
  const { approval } = await Promise.race([person.next('approvalRequested'), unasked]);
  await settle(person, approval, 'deny');
  expect((await call).isError).toBe(true);
  // Three denials within a minute would pause the agent.
  later += 61_000;
  return approval;
}

const inForm = (title: string, value: string) => ({ parent: 'chromium', role: 'text field', title, value });
const write = (title: string, value: string, by = agent) => by.call('write_element_value', inForm(title, value));
const valueOf = async (title: string) => (await shop.element({ role: 'AXTextField', titleContains: title })).value;
const running = async () => (await agent.call('get_task')).value['task'] as { acts_left: number } | null;

describe('a task', () => {
  test(
    '[req:MT-T-request_task] [req:MT-T-finish_task] [req:MT-T-get_task] fills in a form and a text with one request',
    { timeout: 240_000 },
    async () => {
      const before = requests();
      const { card, answer } = await started({ apps: ['Chromium', 'mousepad'] });
      expect(card.covers?.map(formatEnglish).join(' ')).toContain(`(${site()})`);
      expect(answer.value).toMatchObject({ status: 'started', task: { sites: [site()], effects: ['see', 'click', 'type'] } }); // prettier-ignore
      await done(agent.call('find_elements', { parent: 'chromium', role: 'text field' }));
      await done(write('Name', 'Ada'));
      await done(write('Street', 'Main Street 1'));
      await done(agent.call('click_element', { parent: 'chromium', role: 'button', title: 'Details' }));
      await eventually(async () => expect((await shop.window()).title).toContain('Details'));
      await done(agent.call('run_plan', { steps: [
      { tool: 'write_element_value', arguments: inForm('Town', 'London') },
      { tool: 'write_element_value', arguments: inForm('Notes', 'By hand') },
      { tool: 'find_elements', arguments: { parent: 'chromium', role: 'text field' } },
    ] })).then(({ text }) => expect(text).toMatch(/Town.*London/s)); // prettier-ignore
      await done(agent.call('open_application', { application_id: 'mousepad' }));
      await done(agent.call('type_text', { text: 'Ordered.', application: 'mousepad' }));
      expect(await Promise.all(['Name', 'Street', 'Town', 'Notes'].map(valueOf))).toEqual(['Ada', 'Main Street 1', 'London', 'By hand']); // prettier-ignore
      expect(requests()).toBe(before + 1);
      expect((await running())?.acts_left).toBe(100 - 7);
      expect((await done(agent.call('finish_task'))).value).toEqual({ ended: true });
      expect(await running()).toBeNull();
    },
  );

  test(
    'saves a new file in the agent’s folder by a dialog; what leaves the folder or replaces a file asks',
    { timeout: 240_000 },
    async () => {
      const files = await askedFiles(chaperone.workspace);
      const { card } = await started({ apps: ['mousepad'], sites: [] });
      expect(card.covers?.map(formatEnglish).join(' ')).toContain(`files in ${chaperone.workspace}`);
      const before = requests();
      const save = (args: Record<string, unknown>) => agent.call('automate_save_file_dialog', { application: 'mousepad', ...args }); // prettier-ignore
      await done(agent.call('open_application', { application_id: 'mousepad' }));
      await done(agent.call('type_text', { text: 'Ordered.', application: 'mousepad' }));
      await done(agent.call('press_key', { key: 's', modifiers: ['ctrl', 'shift'], application: 'mousepad' }));
      for (const [what, args] of files.saves) expect((await asks(save(args))).tool, what).toBe('automate_save_file_dialog'); // prettier-ignore
      expect(requests()).toBe(before + files.saves.length);
      await done(save({ file_path: join(chaperone.workspace, 'in', 'order.txt') }));
      expect(requests()).toBe(before + files.saves.length);
      expect(await readFile(join(chaperone.workspace, 'in', 'order.txt'), 'utf8')).toContain('Ordered.');
      await files.close();
    },
  );

  test('covers pictures of its windows, and no longer than it runs', { timeout: 120_000 }, async () => {
    const { app, id } = await shop.window();
    const picture = () => agent.call('capture_window_screenshot', { name: `applications/${app.pid}/windows/${id}` });
    await started();
    const before = requests();
    expect((await done(picture())).images).toHaveLength(1);
    expect(requests()).toBe(before);
    expect((await asks(agent.call('capture_screenshot'))).effect).toBe('disclose');
    await done(agent.call('finish_task'));
    const card = await asks(picture());
    expect([card.tool, card.effect]).toEqual(['capture_window_screenshot', 'disclose']);
  });

  test('asks for what is outside it, and goes on', { timeout: 240_000 }, async () => {
    await started();
    const sending = await asks(agent.call('click_element', { parent: 'chromium', role: 'button', title: 'Send order' })); // prettier-ignore
    expect(sending.effect).toBe('dangerous');
    await asks(agent.call('execute_shell_command', { command: 'rm', args: ['x'] }));
    expect(await running()).not.toBeNull();
    await done(write('Name', 'Grace'));
    expect(await valueOf('Name')).toBe('Grace');
  });

  test('is for its sites: another one in the same browser asks', { timeout: 120_000 }, async () => {
    await started();
    shop.openWindow(otherSite());
    const other = await eventually(async () => {
      const found = (await shop.judge.windows(signal)).find(({ documentUrl }) => documentUrl?.startsWith(otherSite()) === true); // prettier-ignore
      if (found === undefined) throw new Error('no other window');
      return found;
    });
    const parent = `applications/${other.app.pid}/windows/${other.id}`;
    await asks(agent.call('find_elements', { parent, role: 'text field' }));
    const card = await asks(agent.call('write_element_value', { ...inForm('Name', 'no'), parent }));
    expect(card.documentUrl).toContain(otherSite());
    await shop.keyIn(other, 'ctrl+w');
    await eventually(async () => expect((await shop.judge.windows(signal)).some(({ id }) => id === other.id)).toBe(false)); // prettier-ignore
    await done(write('Name', 'yes'));
  });

  test('ends in the middle of a plan when it is taken back or its time is over', { timeout: 120_000 }, async () => {
    const ends = [
      async () => person.send({ type: 'endTask', id: await taskId() }),
      async () => void (later += 61 * 60_000),
    ];
    for (const [index, end] of ends.entries()) {
      await done(started().then(({ answer }) => answer));
      const before = await valueOf('Street');
      const plan = agent.call('run_plan', { steps: [
        { tool: 'write_element_value', arguments: inForm('Name', `round ${index}`) },
        { tool: 'wait', arguments: { duration: 3 } },
        { tool: 'write_element_value', arguments: inForm('Street', 'too late') },
      ] }); // prettier-ignore
      await eventually(async () => expect(await valueOf('Name')).toBe(`round ${index}`));
      await end();
      expect((await plan).isError).toBe(true);
      expect(await valueOf('Street')).toBe(before);
      expect(await running()).toBeNull();
    }
  });

  test(
    'counts: a plan that is too long asks as a whole, and so does the act after the last',
    { timeout: 120_000 },
    async () => {
      await started({ acts: 2 });
      const steps = ['Name', 'Street', 'Town'].map((title) => ({ tool: 'write_element_value', arguments: inForm(title, 'planned') })); // prettier-ignore
      await asks(agent.call('run_plan', { steps }));
      expect(await valueOf('Name')).not.toBe('planned');
      await done(write('Name', 'one'));
      expect((await done(write('Name', 'two'))).text).not.toContain('may not see');
      expect(await running()).toBeNull();
      await asks(write('Name', 'three'));
      expect(await valueOf('Name')).toBe('two');
    },
  );

  test(
    'is for one process: another agent, and one that starts again, are asked for',
    { timeout: 120_000 },
    async () => {
      const own = { cwd: chaperone.workspace, ownProcess: true };
      const first = await startAgent(chaperone.home, own);
      const call = ask({}, first);
      await person.answer('allow');
      await done(call);
      await done(write('Name', 'first', first));
      await asks(write('Name', 'another'));
      await first.close();
      const again = await startAgent(chaperone.home, own);
      await asks(write('Name', 'again', again));
      expect((await again.call('get_task')).value['task']).toBeNull();
      await again.close();
      expect(await valueOf('Name')).toBe('first');
    },
  );

  test('holds as the person edited it', { timeout: 120_000 }, async () => {
    const call = ask({ apps: ['Chromium', 'mousepad'] });
    const { approval } = await person.next('approvalRequested');
    const apps = approval.task?.scope.apps.map(({ id }) => id) ?? [];
    const edit = { apps: apps.slice(0, 1), sites: [site()], effects: ['see', 'click'] as const, minutes: 5, acts: 9 };
    person.send({ type: 'editTask', id: approval.id, digest: approval.digest, task: edit });
    const { approval: edited } = await person.next('approvalChanged', (one) => one.approval.id === approval.id);
    await expect(settle(person, approval, 'allow')).rejects.toThrow('stale');
    await settle(person, edited, 'allow');
    const { value, text } = await done(call);
    expect(value).toMatchObject({ task: { apps: apps.slice(0, 1), effects: ['see', 'click'], acts_left: 9 } });
    expect(text).toContain('not all as you asked');
    await done(agent.call('click_element', { parent: 'chromium', role: 'button', title: 'Details' }));
    await asks(write('Name', 'typed'));
    await asks(agent.call('open_application', { application_id: 'mousepad' }));
  });

  test('is started by no forged and no repeated Allow', { timeout: 120_000 }, async () => {
    const call = ask();
    const { approval } = await person.next('approvalRequested');
    const allow = { type: 'approval', id: approval.id, digest: approval.digest, decision: 'allow' };
    person.send(allow);
    await person.next('error', ({ code }) => code === 'no_press');
    const stranger = await openPage(chaperone.host.url);
    stranger.send({ type: 'press', id: approval.id, digest: approval.digest });
    stranger.send(allow);
    await stranger.next('error', ({ code }) => code === 'pairing_needed');
    stranger.close();
    expect(await running()).toBeNull();
    await settle(person, approval, 'allow');
    await done(call);
    await done(agent.call('finish_task'));
    person.send({ type: 'press', id: approval.id, digest: approval.digest });
    person.send(allow);
    await person.next('error', ({ code }) => code === 'settled');
    expect(await running()).toBeNull();
  });

  test(
    'stops at the next key when the page is left for another site, or another window comes to the front',
    { timeout: 120_000 },
    async () => {
      await started();
      const text = `away ${'abcdefghij'.repeat(5)}`;
      await done(agent.call('click_element', { parent: 'chromium', role: 'text field', title: 'Notes' }));
      const left = await agent.call('type_text', { text, application: 'chromium', char_delay: 0.05 });
      expect([left.isError, left.text]).toEqual([true, expect.stringContaining('TARGET_CHANGED')]);
      const other = await eventually(async () => {
        const found = await shop.element({ role: 'AXTextField', titleContains: 'Notes' });
        if (found.document?.url?.startsWith(otherSite()) !== true) throw new Error('not there yet');
        return found;
      });
      expect(other.value ?? '').toBe('');
      await asks(write('Name', 'elsewhere'));
    },
  );

  test('names what runs or is installed, and says what is near', async () => {
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ apps: ['Chromum'] }, /No application is named “Chromum”.*/s],
      [{ apps: ['xterm'], sites: [] }, /XTerm|xterm/],
      [{ sites: [] }, /names no sites/],
      [{ apps: ['mousepad'] }, /no browser/],
      [{ sites: ['file:///etc/passwd'] }, /not an http/],
      [{ minutes: 121 }, /minutes/],
      [{ acts: 501 }, /acts/],
    ];
    const before = requests();
    for (const [over, text] of wrong) {
      const answer = await ask(over);
      expect([answer.isError, answer.text], JSON.stringify(over)).toEqual([true, expect.stringMatching(text)]);
    }
    expect((await ask({ apps: ['Chromum'] })).text).toContain('chromium');
    expect(requests()).toBe(before);
  });
});

const taskId = async (): Promise<string> => {
  const { status } = await person.next('status', (one) => one.status.agents.some(({ task }) => task != null));
  return status.agents.find(({ task }) => task != null)?.task?.id ?? '';
};
