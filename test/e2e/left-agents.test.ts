/** Agents that leave, as the page shows it: real shims of real processes, a real host, the built page in Chromium. */
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { eventually } from '../support/eventually.js';
import { on, startHost, type TestHost } from '../support/host.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';
import { startRawAgent, type RawShim } from '../support/raw-shim.js';

const OPENING = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const PRESS = { name: 'click', arguments: { x: 760, y: 230 } };

let browser: PageBrowser;
let desktop: SimulatedDesktop;
let chaperone: TestHost;
let page: Page;
let agents: RawShim[];

beforeAll(async () => {
  browser = await startPageBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  desktop = openSimulated();
  chaperone = await startHost({ ...on(desktop), assets: inject('page') });
  ({ page } = await browser.open());
  await page.goto(chaperone.host.pairingLink());
  await page.locator('#views').waitFor();
  agents = [];
});
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  await page.context().close();
  await chaperone.close();
  await desktop.close();
});

async function agentWith(args: string[] = []): Promise<RawShim> {
  const agent = startRawAgent(chaperone.home, args);
  agents.push(agent);
  await agent.ask('initialize', OPENING);
  return agent;
}

const inHeader = () => page.locator('header .agents li').count();
const chip = () => page.locator('header .chip').innerText();
const button = (name: string) => page.getByRole('button', { name, exact: true });

test('[req:PG-8] [req:PG-13] names and counts stay true as agents leave; the card of one that has ended takes no Allow, only a dismissal', async () => {
  const [staying, leaving] = [await agentWith(), await agentWith()];
  void leaving.ask('tools/call', PRESS);
  await staying.ask('tools/call', { name: 'list_displays', arguments: {} });
  await eventually(inHeader).toBe(2);
  await eventually(chip).toContain('1');
  await leaving.close();
  await eventually(inHeader).toBe(1);
  await page.getByText('has quit, so this request can no longer run.').waitFor();
  expect(await button('Allow').count()).toBe(0);
  await button('Dismiss').click();
  await page.locator('.answered-request').waitFor();
  await eventually(chip).not.toContain('1');
  await staying.close();
  await eventually(inHeader).toBe(0);
  await page.getByText('No agents', { exact: true }).waitFor();
});

test('[req:PG-14] [req:PG-13] a No after the call has ended is Denied in the list, in the record after a restart, and for the agent that resumes', async () => {
  const agent = await agentWith(['--call-limit', '2']);
  const answer = await agent.ask('tools/call', PRESS);
  const { callId } = Object(Object(answer['result']).structuredContent);
  await page.getByText('If you allow this, it happens the next time').waitFor();
  const deny = button('Deny');
  await expect.poll(() => deny.getAttribute('aria-disabled'), { timeout: 20_000 }).toBeNull();
  await deny.click();
  const row = page.locator('#activity .row');
  await eventually(() => row.first().innerText()).toContain('Denied');
  const outcome = await agent.ask('tools/call', { name: 'resume_call', arguments: { call_id: callId } });
  expect(JSON.stringify(outcome)).toContain('The person said no');
  await agent.close();
  await chaperone.restart();
  await page.goto(chaperone.host.url);
  await page.locator('#views').waitFor();
  await eventually(async () => (await row.allInnerTexts()).filter((text) => text.includes('Denied')).length).toBe(2);
});

test('[req:PG-15] Stop keeps an open question, its text and the answer that is being written', async () => {
  const agent = await agentWith();
  void agent.ask('tools/call', { name: 'send_message', arguments: { text: 'Red or blue?' } });
  await page.getByText('Red or blue?').waitFor();
  const field = page.locator('.replybox textarea');
  await field.fill('Rather gre');
  await button('Stop').click();
  await page.getByText('Agents are paused').first().waitFor();
  await page.getByText('Red or blue?').waitFor();
  expect(await field.inputValue()).toBe('Rather gre');
  await page.reload();
  await page.locator('#views').waitFor();
  await eventually(() => field.inputValue()).toBe('Rather gre');
});
