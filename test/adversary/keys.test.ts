/** Real editors under a grant: what keys do to a file and to the application. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alive } from '../support/alive.js';
import type { TestAgent, ToolAnswer } from '../support/agent.js';
import { notesOf } from '../support/in-english.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { cardOf, settle, type Person } from '../support/person.js';
import { withPerson } from '../support/with-person.js';

const TEXT = Array.from({ length: 30 }, (_one, index) => `Line ${index} of what the person wrote.`).join('\n');
let linux: LinuxDesktop;
let person: Person;
let agent: TestAgent;

beforeAll(async () => {
  linux = await openLinuxDesktop();
}, 120_000);
withPerson(
  (started) => ({ person, agent } = started),
  () => ({ display: 'current', env: linux.session.env }),
);
afterAll(() => linux.close());

const cards = () => person.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose');

/** The request for this act, answered. */
async function asked(act: Promise<ToolAnswer>, answer: 'allow' | 'deny', grant?: 'session', asking = () => {}) {
  const card = await cardOf(person, act);
  asking();
  await settle(person, card, answer, grant === undefined ? {} : { grant });
  await act;
  return card;
}

async function unasked(act: () => Promise<ToolAnswer>) {
  const before = cards().length;
  const answer = await act();
  expect(answer, answer.text).toMatchObject({ isError: false });
  expect(cards()).toHaveLength(before);
}

describe.each(['mousepad', 'featherpad'])('%s', (editor) => {
  let [pid, file] = [0, ''];
  /** The other one hides its menus. */
  const menus = editor === 'mousepad';
  const press = (...keys: string[]) =>
    agent.call('press_key', { key: keys.at(-1), modifiers: keys.slice(0, -1), application: `applications/${pid}` });
  const saved = () => readFile(file, 'utf8');

  beforeAll(async () => {
    file = join(linux.folder, `${editor}-plan.txt`);
    await writeFile(file, TEXT);
    const app = linux.run(`/usr/bin/${editor}`, editor === 'mousepad' ? ['--disable-server', file] : ['-s', file]);
    pid = (await linux.window(({ title }) => title.includes(`${editor}-plan`))).app.pid;
    expect(app.pid).toBe(pid);
    expect((await asked(press('right'), 'allow', 'session')).effect).toBe('input');
  }, 120_000);

  test('[req:KS-7] a few words are saved as before', { timeout: 120_000 }, async () => {
    await unasked(() => agent.call('type_text', { text: 'some words ', application: `applications/${pid}` }));
    await unasked(() => press('ctrl', 's'));
    await eventually(async () => expect(await saved()).toContain('some words'));
    expect(await saved()).toContain('Line 29');
  });

  test(
    '[req:KS-7] what was emptied is not saved, and the editor not closed, unasked',
    { timeout: 240_000 },
    async () => {
      const before = await saved();
      await unasked(() => press('ctrl', 'a'));
      await unasked(() => press('delete'));
      const save = await asked(press('ctrl', 's'), 'deny');
      expect(save.effect).toBe('dangerous');
      expect(notesOf(save).join(' ')).toMatch(new RegExp(`Saves over “[^”]*${editor}-plan.txt”, whose whole content`));
      expect(await saved()).toBe(before);
      await unasked(() => press('ctrl', 'z'));
      await eventually(async () => {
        const { matched } = await linux.desktop.find({ pid }, { valueContains: 'Line 29' }, 1, { maxDepth: 80, maxNodes: 9000, timeoutMs: 9000 }, new AbortController().signal); // prettier-ignore
        expect(matched).toBeGreaterThan(0);
      });
      await unasked(() => press('ctrl', 's'));
    },
  );

  test(
    '[req:KS-7] the letters of a menu ask as well; once allowed, the file is what the person was told',
    { timeout: 240_000 },
    async () => {
      await unasked(() => press('ctrl', 'a'));
      await unasked(() => agent.call('type_text', { text: 'gone', application: `applications/${pid}` }));
      const menu = async () => {
        if (!menus) return;
        await press('alt', 'f');
        await eventually(async () => {
          const { matched } = await linux.desktop.find({ pid }, { role: 'AXMenuItem', visibleOnly: true, titleContains: 'Save' }, 1, { maxDepth: 80, maxNodes: 9000, timeoutMs: 9000 }, new AbortController().signal); // prettier-ignore
          expect(matched).toBeGreaterThan(0);
        });
      };
      await menu();
      expect(await saved()).toContain('Line 29');
      expect((await asked(menus ? press('s') : press('ctrl', 's'), 'allow')).effect).toBe('dangerous');
      await eventually(async () => expect((await saved()).trim()).toBe('gone'));
      await unasked(() => press('ctrl', 's'));
      await menu();
      const quit = await asked(menus ? press('q') : press('ctrl', 'q'), 'allow', undefined, () => expect(alive(pid)).toBe(true)); // prettier-ignore
      expect(quit.effect).toBe('dangerous');
      await eventually(async () => expect(alive(pid)).toBe(false));
    },
  );
});
