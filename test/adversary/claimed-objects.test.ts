/** An application on a real display that names the objects of another one as its own over AT-SPI. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { APPS, startApp, type DesktopApp } from '../support/desktop-app.js';
import { startHost, type TestHost } from '../support/host.js';
import { openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';

const LIMITS = { maxDepth: 30, maxNodes: 500, timeoutMs: 10_000 };
const never = new AbortController().signal;
let linux: LinuxDesktop;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let other: DesktopApp;

beforeEach(async () => {
  linux = await openLinuxDesktop();
  chaperone = await startHost({ backend: 'linux', display: 'current', env: linux.session.env });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  person.allowLooking();
  other = await startApp('gtk', linux.session.env, ['--title', 'Other']);
  await linux.window(({ title }) => title === 'Other');
});
afterEach(async () => {
  await agent.close();
  person.close();
  await other.close();
  await chaperone.close();
  await linux.close();
});

/** With the element of the other application that fits as a child and as the option of a combo box; without, a part of its own. */
async function openClaiming(title: string | null): Promise<number> {
  const { elements } = await linux.desktop.find({ pid: other.pid }, { titleContains: title ?? '' }, 1, LIMITS, never);
  const child = title === null ? [] : ['--child', elements[0]?.id ?? ''];
  const { pid } = linux.run('/usr/bin/python3', [`${APPS}/gtk-claims.py`, '--title', 'Claims', ...child]);
  await linux.window(({ app }) => app.pid === pid);
  return pid;
}

test('[req:TR-7] what it names of an excluded application is neither read nor found', async () => {
  const pid = await openClaiming('Other');
  person.send({ type: 'exclude', appId: 'gtk-fixture.py', on: true });
  await person.next('policy', ({ policy }) => policy.excludedApps?.includes('gtk-fixture.py') === true);
  const tree = await agent.call('get_element_tree', { parent: `applications/${pid}` });
  expect(tree.text).toContain('Harmless');
  expect(tree.text).not.toMatch(/Other|Send|Remind me/);
  const found = await agent.call('find_elements', { parent: `applications/${pid}`, role: 'AXCheckBox' });
  expect(found.text).not.toContain('Remind me');
});

test('[req:TR-7] a button of another application is not pressed as an option of its own', async () => {
  const pid = await openClaiming('Send');
  const found = await agent.call('wait_element', { parent: `applications/${pid}`, role: 'AXComboBox' });
  const { elementId } = found.value['element'] as { elementId: string };
  const writing = agent.call('write_element_value', { element_id: elementId, value: 'Send' });
  const { approval } = await person.next('approvalRequested', ({ approval: { effect } }) => effect !== 'disclose');
  await settle(person, approval, 'allow');
  expect((await writing).isError).toBe(true);
  expect(await other.journal()).toEqual([]);
});

test('what a process of its own shows in its window is read as before', async () => {
  const pid = await openClaiming(null);
  const tree = await agent.call('get_element_tree', { parent: `applications/${pid}` });
  expect(tree.text).toContain('Of the part');
});
