/** AppleScript and JXA through the real shim, with stand-ins for osascript and osacompile. */
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileSpawn } from '../../support/spawn/standin.js';
import { disclaimingSupervisor } from '../../support/supervisor.js';
import { startAgent, type TestAgent } from '../../support/agent.js';
import { startHost, type TestHost } from '../../support/host.js';
import { inEnglish } from '../../../src/messages/index.js';
import { notesOf } from '../../support/in-english.js';
import { openPage, type Person } from '../../support/person.js';

let folder: string;
let chaperone: TestHost;
let agent: TestAgent;
let person: Person;

/** Writes down its arguments and input, then does what the first line of the script says in a comment. */
const OSASCRIPT = `#!/bin/sh
script=$(cat); printf '%s\\n' "$*" "$script" >> "$(dirname "$0")/ran"
case "$script" in
  *hang*) exec sleep 600;;
  *flood*) head -c 3000000 /dev/zero | tr '\\0' x;;
  *refused*) echo 'execution error: Not authorized to send Apple events to Mail. (-1743)' >&2; exit 1;;
  *broken*) echo 'execution error: The variable x is not defined. (-2753)' >&2; exit 1;;
  *) echo done;;
esac`;
const OSACOMPILE = `#!/bin/sh
while [ "$1" != -o ]; do shift; done; echo "$2" >> "$(dirname "$0")/compiled"; echo x > "$2"
if grep -q broken; then echo '0:3: syntax error: A identifier can’t go here. (-2740)' >&2; exit 1; fi`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chap-apple-'));
  for (const [name, text] of Object.entries({ osascript: OSASCRIPT, osacompile: OSACOMPILE })) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  chaperone = await startHost({
    scripting: { osascript: join(folder, 'osascript'), osacompile: join(folder, 'osacompile') },
  });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterAll(async () => {
  await agent.close();
  person.close();
  await chaperone.close();
  await rm(folder, { recursive: true, force: true });
});

const lines = async (name: string) => (await readFile(join(folder, name), 'utf8').catch(() => '')).trim().split('\n');
async function allowed(tool: string, args: Record<string, unknown>) {
  const [answer, card] = await Promise.all([agent.call(tool, args), person.answer('allow')]);
  return { ...answer, card };
}

describe('running a script', () => {
  test('[req:MS-3] [req:MT-T-execute_apple_script] [req:MT-T-execute_javascript] shows the whole script with the applications it names, and runs it by its input', async () => {
    const script = 'tell application "Mail" to activate\ndo shell script "ls"';
    const { value, card } = await allowed('execute_apple_script', { script });
    expect(value).toMatchObject({ result: 'done', exit_code: 0, effect: 'confirmed' });
    expect(card).toMatchObject({ effect: 'dangerous', text: script, grants: [] });
    const told = [...notesOf(card), ...(card.covers ?? []).map((one) => inEnglish.format(one))].join(' ');
    for (const part of ['controls Mail', 'shell commands', 'outside any sandbox', 'Stops after 30 s'])
      expect(told).toContain(part);
    expect(await lines('ran')).toEqual(['-l AppleScript', ...script.split('\n')]);
    expect((await allowed('execute_javascript', { script: "Application('Notes').name()" })).card.text).toContain(
      'Notes',
    );
    expect(await lines('ran')).toContain('-l JavaScript');
  });

  test('does not run before an Allow, nor after a no', async () => {
    const before = await lines('ran');
    const [answer] = await Promise.all([agent.call('execute_apple_script', { script: 'beep' }), person.answer('deny')]);
    expect([answer.isError, await lines('ran')]).toEqual([true, before]);
  });

  test('ends it at its limit, and keeps no more of its output than is useful', async () => {
    expect((await allowed('execute_apple_script', { script: 'hang', timeout: 1 })).value).toMatchObject({
      timed_out: true,
      effect: 'unverified',
    });
    expect((await allowed('execute_apple_script', { script: 'flood' })).value).toMatchObject({ truncated: true });
  });

  test('[req:MS-4] a script’s own error is its result; a missing Automation permission is named with the application', async () => {
    expect((await allowed('execute_apple_script', { script: 'broken' })).value).toMatchObject({
      exit_code: 1,
      stderr: expect.stringContaining('-2753'),
    });
    expect((await allowed('execute_apple_script', { script: 'refused' })).text).toMatch(
      /DESKTOP_PERMISSION_MISSING[^]*Mail[^]*Automation/,
    );
  });

  test('[req:MT-T-execute_apple_script] [req:MT-T-execute_javascript] only compiles where that is asked, and leaves no file', async () => {
    const before = await lines('ran');
    expect((await allowed('execute_apple_script', { script: 'beep', compile_only: true })).value).toMatchObject({
      exit_code: 0,
    });
    expect((await allowed('execute_javascript', { script: 'function (', compile_only: true })).value).toMatchObject({
      exit_code: 1,
    });
    expect(await lines('ran')).toEqual(before);
    for (const file of await lines('compiled')) await expect(readdir(join(file, '..'))).rejects.toThrow('ENOENT');
  });
});

describe('checking a script', () => {
  const check = (type: string, script: string) => agent.call('validate_script', { type, script });
  test('[req:MS-5] compiles AppleScript that reaches nothing and parses JavaScript, without asking or running', async () => {
    expect((await check('applescript', 'set x to 1')).value).toEqual({ valid: true, errors: [] });
    expect((await check('applescript', 'broken')).value).toMatchObject({
      valid: false,
      errors: [expect.stringContaining('-2740')],
    });
    expect((await check('javascript', 'throw new Error("ran")')).value).toEqual({ valid: true, errors: [] });
    expect((await check('javascript', 'var = 1')).value).toMatchObject({ valid: false });
    for (const script of [
      'tell application "Mail" to quit',
      'tell app id "x" to quit',
      'use framework "AppKit"',
      'property x : do shell script "id"',
    ])
      expect((await check('applescript', script)).text, script).toContain('compile_only');
  });
});

test('[req:MS-2] [req:DS-9-8] neither a command nor a script runs where the system would lend it what Chaperone may', async () => {
  const env = { STANDIN_RECORD: join(folder, 'record'), STANDIN_MODE: 'inherits' };
  await chaperone.restart({ supervisor: disclaimingSupervisor(compileSpawn(), env) });
  const again = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  const made = join(folder, 'made');
  for (const [tool, args] of [
    ['execute_shell_command', { command: 'touch', args: [made] }],
    ['execute_apple_script', { script: 'beep' }],
  ] as const) {
    const before = await lines('ran');
    const [answer] = await Promise.all([agent.call(tool, args), again.answer('allow')]);
    expect(answer.text, tool).toMatch(/lent it Chaperone’s own permissions[^]*Nothing ran/);
    expect(await lines('ran')).toEqual(before);
  }
  expect(await readdir(folder)).not.toContain('made');
  again.close();
});
