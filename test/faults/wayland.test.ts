/** The compositor ends while agents are connected: they are told, nothing stays pressed, and the host serves on. */
import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { openPage } from '../support/person.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

const kept = <T extends { close(): Promise<void> }>(one: T): T => (closing.push(one), one);
const openSway = async (): Promise<LinuxDesktop> => kept(await openLinuxDesktop(undefined, { wayland: true }));
const hostOn = async ({ session }: LinuxDesktop): Promise<TestHost> =>
  kept(await startHost({ backend: 'linux', display: 'current', env: session.env }));
const agentOf = async ({ home, workspace }: TestHost): Promise<TestAgent> =>
  kept(await startAgent(home, { cwd: workspace }));

/** The session's own: others run beside it. */
function killSway({ session }: LinuxDesktop): void {
  const pids = execFileSync('pgrep', ['-x', 'sway']).toString().trim().split('\n');
  const own = pids.find((pid) => environOf(pid).includes(`SWAYSOCK=${session.env['SWAYSOCK']}`));
  process.kill(Number(own), 'SIGKILL');
}

const environOf = (pid: string): string[] =>
  execFileSync('cat', [`/proc/${pid}/environ`])
    .toString()
    .split('\0');

test('a compositor that ends is told of, and another one is used after a restart', async () => {
  const linux = await openSway();
  const chaperone = await hostOn(linux);
  const agent = await agentOf(chaperone);
  const person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  expect((await agent.call('list_displays')).isError).toBe(false);
  killSway(linux);
  await eventually(async () => {
    const { isError, text } = await agent.call('list_displays');
    expect([isError, text]).toEqual([true, expect.stringMatching(/Wayland display .* is gone .* Start the session/)]);
  });
  // What needs no desktop goes on.
  const asked = agent.call('send_message', { text: 'The screen is gone.' });
  const { ack_id: id } = await person.next('agentMessage');
  person.send({ type: 'ack', id, message: 'I start it again.' });
  expect((await asked).text).toContain('I start it again.');
  person.close();
  const again = await hostOn(await openSway());
  expect((await (await agentOf(again)).call('list_displays')).isError).toBe(false);
});
