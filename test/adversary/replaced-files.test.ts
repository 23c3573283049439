/** Files that take the place of what the person was asked about: programs, scripts, what is handed over. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startApp } from '../support/desktop-app.js';
import { startHost, type TestHost } from '../support/host.js';
import { openLinuxDesktop } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';

let chaperone: TestHost;
let person: Person;
let agent: TestAgent;

async function start(more: Parameters<typeof startHost>[0] = {}): Promise<void> {
  chaperone = await startHost(more);
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
}
afterEach(async () => {
  await agent.close();
  person.close();
  await chaperone.close();
});

const file = (name: string): string => join(chaperone.workspace, name);
const put = (name: string, words: string) => writeFile(file(name), `#!/bin/sh\n${words}\n`, { mode: 0o755 });

/** Allows the call after `meanwhile`. */
async function allowedAfter(tool: string, given: Record<string, unknown>, meanwhile: () => Promise<unknown>) {
  const call = agent.call(tool, given);
  const { approval } = await person.next('approvalRequested', ({ approval: { effect } }) => effect !== 'disclose');
  await meanwhile();
  await settle(person, approval, 'allow');
  return call;
}

const run = (given: Record<string, unknown>, meanwhile: () => Promise<unknown>) =>
  allowedAfter('execute_shell_command', given, meanwhile);

test('[req:RF-1] a program or script that is replaced or written while its card is open does not run', async () => {
  await start();
  await put('safe', 'echo safe');
  await put('safe.sh', 'echo safe');
  await put('other', 'touch reached');
  const ways: [Record<string, unknown>, () => Promise<unknown>][] = [
    [{ command: './safe' }, () => rename(file('other'), file('safe'))],
    [{ command: 'sh', args: ['safe.sh'] }, () => put('safe.sh', 'touch reached')],
    [{ command: './safe.sh', shell: true }, () => put('safe.sh', 'touch reached')],
    [{ command: 'safe.sh', environment: { PATH: chaperone.workspace } }, () => put('safe.sh', 'touch reached')],
  ];
  for (const [given, meanwhile] of ways) {
    await put('safe.sh', 'echo safe');
    const { isError, text } = await run(given, meanwhile);
    expect(isError, JSON.stringify(given)).toBe(true);
    expect(text).toContain('DESKTOP_TARGET_CHANGED');
  }
  expect(existsSync(file('reached'))).toBe(false);
});

test('[req:RF-1] a link to a program that leads elsewhere by then is not followed', async () => {
  await start();
  await put('safe', 'echo safe');
  await put('other', 'touch reached');
  await symlink('safe', file('link'));
  const { text } = await run({ command: './link' }, async () => {
    await unlink(file('link'));
    await symlink('other', file('link'));
  });
  expect(text).toContain('DESKTOP_TARGET_CHANGED');
  expect(existsSync(file('reached'))).toBe(false);
});

/** Has the file open for writing already: what it writes then need not show in any of its times. */
async function mapped(path: string) {
  const script = `import mmap, sys; file = open(sys.argv[1], 'r+b'); held = mmap.mmap(file.fileno(), 0); held[0:1] = held[0:1]; print('held', flush=True); words = sys.stdin.readline().encode(); held[-len(words):] = words; print('written', flush=True)`;
  const child = spawn('/usr/bin/python3', ['-c', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return async (words: string) => {
    child.stdin.end(`${words}\n`);
    await once(child.stdout, 'data');
    if (child.exitCode === null) await once(child, 'exit');
  };
}

test.skipIf(process.platform !== 'linux')(
  '[req:RF-1] a script that is written through a mapping that is older than the card does not run',
  async () => {
    await start();
    await put('safe.sh', `echo safe\n${' '.repeat('touch reached'.length)}`);
    const write = await mapped(file('safe.sh'));
    const { text } = await run({ command: 'sh', args: ['safe.sh'] }, () => write('touch reached'));
    expect(text).toContain('DESKTOP_TARGET_CHANGED');
    expect(existsSync(file('reached'))).toBe(false);
  },
);

test('data among the arguments may grow meanwhile', async () => {
  await start();
  await writeFile(file('app.log'), 'one\n');
  const { text, isError } = await run({ command: 'sort', args: ['app.log'] }, () => appendFile(file('app.log'), 'two'));
  expect(isError, text).toBe(false);
  expect(text).toContain('two');
});

test('[req:RF-1] on a real display: neither an application that was replaced is opened, nor a file that was written since is dropped', async () => {
  const linux = await openLinuxDesktop();
  await start({ backend: 'linux', display: 'current', env: linux.session.env });
  const app = await startApp('gtk', linux.session.env);
  try {
    await linux.window(({ app: { pid } }) => pid === app.pid);
    person.allowLooking();
    await put('tool', 'echo safe');
    const opened = await allowedAfter('open_application', { application_id: file('tool') }, () =>
      put('tool', `touch ${file('reached')}`),
    );
    expect(opened.text).toContain('DESKTOP_TARGET_CHANGED');
    expect(existsSync(file('reached'))).toBe(false);

    await writeFile(file('letter.txt'), 'as it was read');
    const found = await agent.call('wait_element', { parent: `applications/${app.pid}`, role: 'AXCheckBox' });
    const { elementId } = found.value['element'] as { elementId: string };
    const given = { element_id: elementId, file_paths: [file('letter.txt')] };
    const dropped = await allowedAfter('drag_files', given, () => writeFile(file('letter.txt'), 'another letter'));
    expect(dropped.text).toContain('DESKTOP_TARGET_CHANGED');
  } finally {
    await app.close();
    await linux.close();
  }
});
