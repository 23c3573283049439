/** Files that take the place of what the person was asked about: programs, scripts, what is handed over. */
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

test('data among the arguments may grow meanwhile', async () => {
  await start();
  await writeFile(file('app.log'), 'one\n');
  const { text, isError } = await run({ command: 'cat', args: ['app.log'] }, () => appendFile(file('app.log'), 'two'));
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
