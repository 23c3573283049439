/** Chaperone's own files, chosen in the file dialog of a real application under a grant for that application. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.js';
import { eventually } from '../support/eventually.js';
import type { TestHost } from '../support/host.js';
import { gone } from '../support/other.js';
import { settle, type Person } from '../support/person.js';
import { startWithPerson, type WithPerson } from '../support/with-person.js';

let setUp: WithPerson;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let editor: ChildProcess;
let parent: string;

beforeEach(async () => {
  setUp = await startWithPerson();
  ({ chaperone, person, agent } = setUp);
  const letter = join(chaperone.workspace, 'letter.txt');
  await writeFile(letter, 'Dear Ada\n');
  editor = spawn('mousepad', [letter], { env: chaperone.host.desktopEnv ?? {}, stdio: 'ignore' });
  parent = `applications/${editor.pid ?? 0}`;
});
afterEach(async () => {
  editor.kill('SIGKILL');
  await gone(editor);
  await setUp.close();
});

const windows = async () => {
  const { value } = await agent.call('list_windows', { parent });
  return ((value['windows'] ?? []) as { title: string }[]).length;
};
const asked = () => person.next('approvalRequested', ({ approval }) => approval.effect !== 'disclose');

test('[req:OF-1] [req:OF-2] text in the dialog is covered by a grant, and a path of Chaperone’s own is refused however it gets there', async () => {
  await eventually(windows).toBe(1);
  const press = (key: string, modifiers: string[] = []) =>
    agent.call('press_key', { key, modifiers, application: parent });
  const first = press('end', ['ctrl']);
  await settle(person, (await asked()).approval, 'allow', { grant: 'time' });
  expect((await first).text).not.toContain('DESKTOP_');
  expect((await press('end')).isError).toBe(false);

  await press('s', ['ctrl', 'shift']);
  await eventually(windows).toBe(2);
  const own = join(chaperone.home, 'state', 'pairings.json');
  const before = await readFile(own, 'utf8');
  const typed = await agent.call('type_text', { text: own, application: parent });
  expect(typed.text).toContain('Chaperone’s own files');
  const save = { application: parent, file_path: own, confirm_overwrite: true };
  expect((await agent.call('automate_save_file_dialog', save)).text).toContain('Chaperone’s own files');

  // In two parts each text says nothing; the field, once both stand in it, does, and what confirms it is refused.
  const half = async (text: string) => {
    expect((await agent.call('type_text', { text, application: parent })).isError).toBe(false);
  };
  await half(join(chaperone.home, 'st'));
  await half('ate/pairings');
  expect((await press('enter')).text).toContain('Chaperone’s own files');
  expect(await readFile(own, 'utf8')).toBe(before);
  expect(await windows()).toBeGreaterThan(1);
}, 180_000);
