/** What one Allow for an application covers in a real editor, and that nothing beside it is. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { allowingAll, mustAsk } from '../support/every-grant.js';
import { startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';

let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let editor: string;
/** Effects of the requests before the grants were there. */
let asked: string[][];

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual' });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  await writeFile(at('there.txt'), 'What is there.\n'.repeat(20));
  const env = { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' };
  const child = spawn('/usr/bin/mousepad', [at('there.txt')], { env, stdio: 'ignore' });
  editor = `applications/${child.pid}`;
  ends.push(() => child.kill('SIGKILL'));
  const looked = await allowingAll(person, () => agent.call('wait_element', { parent: editor, role: 'AXTextArea' }));
  const typed = await allowingAll(person, () => agent.call(...type('Dear Ada')));
  asked = [looked, typed].map(({ cards }) => cards.map(({ effect }) => effect));
}, 120_000);
afterAll(async () => {
  await agent.close();
  person.close();
  for (const end of ends) end();
  await chaperone.close();
});
const ends: (() => void)[] = [];

const at = (name: string) => join(chaperone.workspace, name);
const press = (key: string, ...modifiers: string[]) => ['press_key', { key, modifiers, application: editor }] as const;
const type = (text: string) => ['type_text', { text, application: editor }] as const;

/** Done, and no request was shown. */
async function unasked(tool: string, given: object = {}): Promise<string> {
  const { answer, cards } = await allowingAll(person, () => agent.call(tool, { ...given }));
  expect(answer.isError, answer.text).toBe(false);
  expect(cards.map(({ effect, text, notes }) => [effect, text, notes])).toEqual([]);
  return answer.text;
}

test('after one Allow for the editor, its text, its dialogs and new files in the workspace are not asked about', async () => {
  expect(asked).toEqual([['disclose'], ['input']]);
  await unasked(...press('end', 'ctrl'));
  await unasked(...type('one\ntwo'));
  await unasked(...press('enter'));
  await unasked('get_element_tree', { parent: editor });
  await unasked('find_text', { parent: editor, text: 'two' });
  await unasked(...press('f', 'ctrl'));
  await unasked(...type('Ada'));
  await unasked(...press('escape'));
  await unasked(...press('s', 'ctrl', 'shift'));
  await unasked('automate_save_file_dialog', { application: editor, file_path: at('new.txt') });
  expect(await readFile(at('new.txt'), 'utf8')).toContain('one\ntwo\n');
});

test('a line break that goes where an earlier step moves the focus is asked about', async () => {
  await unasked(...press('f', 'ctrl'));
  await unasked(...press('escape'));
  const steps = [
    { tool: 'press_key', arguments: { key: 'f', modifiers: ['ctrl'], application: editor } },
    { tool: 'type_text', arguments: { text: 'Ada\n', application: editor } },
  ];
  const card = await mustAsk(person, () => agent.call('run_plan', { steps }));
  expect(card.grants.map(({ kind }) => kind)).toEqual(['once']);
  expect(card.notes).toContainEqual(expect.objectContaining({ code: 'note.asked_anyway', params: expect.objectContaining({ why: 'enter' }) })); // prettier-ignore
});
