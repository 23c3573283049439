/** Applications of which nothing can be read: without accessibility, or stopped. Keys and clicks reach them, and the person is told. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAgent, type TestAgent, type ToolAnswer } from '../support/agent.js';
import { startApp } from '../support/desktop-app.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';

const never = new AbortController().signal;
let linux: LinuxDesktop;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;

beforeEach(async () => {
  linux = await openLinuxDesktop();
  chaperone = await startHost({ backend: 'linux', display: 'current', env: linux.session.env });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  person.allowLooking();
});
afterEach(async () => {
  await agent.close();
  person.close();
  await chaperone.close();
  await linux.close();
});

/** The answer, once the person has allowed it, and the codes of what the request noted. */
async function allowed(tool: string, args: Record<string, unknown>): Promise<{ answer: ToolAnswer; noted: string[] }> {
  const calling = agent.call(tool, args);
  const { approval } = await person.next('approvalRequested', ({ approval }) => approval.tool === tool);
  await settle(person, approval, 'allow');
  return { answer: await calling, noted: approval.notes.map(({ code }) => code) };
}

test(
  '[req:HA-4] a line for a terminal that tells nothing is asked about and typed, as Enter is',
  { timeout: 120_000 },
  async () => {
    const typed = join(linux.folder, 'typed');
    await writeFile(typed, '');
    const terminal = linux.run('xterm', ['-e', 'sh', '-c', `cat > ${typed}; sleep 99`], { LC_ALL: 'C.UTF-8' });
    await eventually(async () =>
      expect((await linux.desktop.windows(never)).some(({ app }) => app.pid === terminal.pid)).toBe(true),
    );
    const line = await allowed('type_text', { text: 'one\n' });
    expect([line.answer.isError, line.noted.includes('note.not_whole')]).toEqual([false, true]);
    await eventually(async () => expect(await readFile(typed, 'utf8')).toBe('one\n'));
    const enter = await allowed('press_key', { key: 'Return' });
    expect([enter.answer.isError, enter.noted.includes('note.not_whole')]).toEqual([false, true]);
    await eventually(async () => expect(await readFile(typed, 'utf8')).toBe('one\n\n'));
    const pasting = await allowed('type_text', { text: 'pasted', paste: true });
    expect([pasting.answer.isError, pasting.answer.text]).toEqual([
      true,
      expect.stringContaining('DESKTOP_UNSUPPORTED'),
    ]);
    // Where ctrl+v reached it, the next Enter is no end of a line.
    await allowed('press_key', { key: 'Return' });
    await eventually(async () => expect(await readFile(typed, 'utf8')).toBe('one\n\n\n'));
    await terminal.end();
  },
);

test(
  '[req:HA-4] a stopped application is not responding, and a click at a point in it waits there',
  { timeout: 120_000 },
  async () => {
    const app = await startApp('gtk', linux.session.env, ['--title', 'Stopped']);
    try {
      await linux.window(({ title }) => title === 'Stopped');
      const parent = `applications/${app.pid}`;
      const found = await agent.call('find_elements', { parent, title: 'Remind me' });
      const [box] = found.value['elements'] as { frame: { x: number; y: number; width: number; height: number } }[];
      const { x = 0, y = 0, width = 0, height = 0 } = box?.frame ?? {};
      process.kill(app.pid, 'SIGSTOP');
      const reading = await agent.call('find_elements', { parent, title: 'Remind me' });
      expect([reading.isError, reading.text]).toEqual([
        true,
        expect.stringMatching(/DESKTOP_TIMEOUT.*does not answer/),
      ]);
      const click = await allowed('click', { x: Math.round(x + width / 2), y: Math.round(y + height / 2) });
      expect([click.answer.isError, click.noted.includes('note.app_silent')]).toEqual([false, true]);
      process.kill(app.pid, 'SIGCONT');
      await eventually(async () => expect((await app.journal()).length).toBeGreaterThan(0));
    } finally {
      process.kill(app.pid, 'SIGCONT');
      await app.close();
    }
  },
);
