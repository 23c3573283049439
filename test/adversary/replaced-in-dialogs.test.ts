/** Files that are written while a dialog is being filled in, or while its card is open. On the simulated desktop, whose dialog does what a toolkit's would. */
import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { ALLOWED, createTestPipeline, failure } from '../support/pipeline.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-replaced-')));
  path = join(folder, 'letter.txt');
  await writeFile(path, 'as it was read');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const frame = { x: 40, y: 40, width: 400, height: 300 };

/** An application with its dialog; `confirmed` counts how often it was. */
function withDialog({
  whileAsked = () => {},
  onEntered = () => {},
}: Partial<Record<'whileAsked' | 'onEntered', () => void>>) {
  const inner = openSimulated({ apps: [] });
  const { world } = inner;
  let confirmed = 0;
  const desktop: SimulatedDesktop = {
    ...inner,
    async tree(scope, limits, signal) {
      const tree = await inner.tree(scope, limits, signal);
      const nodes = tree.nodes.map(({ element, ...node }) => ({
        ...node,
        element: element.title === 'Files' ? { ...element, nativeRole: 'file chooser' } : element,
      }));
      return { ...tree, nodes };
    },
    async setValue(id, value, signal) {
      await inner.setValue(id, value, signal);
      onEntered();
    },
  };
  const pid = world.addApp({ id: 'editor', name: 'Editor', executable: '/editor', windows: [{ title: 'Editor', frame, elements: [] }] }); // prettier-ignore
  const field = {
    role: 'AXTextField' as const,
    title: 'Name',
    identifier: 'name',
    frame: { x: 10, y: 10, width: 300, height: 24 },
    onEnter: () => {
      confirmed += 1;
      writeFileSync(path, 'as it is in the editor');
      world.removeWindow(dialog);
    },
  };
  const dialog = world.addWindow(pid, { title: 'Files', frame, modal: true, focus: 'name', elements: [field] });
  const pipeline = createTestPipeline(async () => {
    whileAsked();
    return ALLOWED;
  }, desktop);
  const run = (tool: string, more: object = {}) =>
    pipeline.run(tool, { application: 'editor', file_path: path, ...more });
  return { run, confirmed: () => confirmed };
}

const OVERWRITE = { confirm_overwrite: true };
const swap = () => writeFileSync(path, 'another letter');

test('[req:RF-3] a file is written over where it is the one that the person gave up', async () => {
  const dialog = withDialog({});
  expect(await dialog.run('automate_save_file_dialog', OVERWRITE)).toMatchObject({ value: { replaced: true } });
  expect(await readFile(path, 'utf8')).toBe('as it is in the editor');
});

test.each([
  ['while the card is open', { whileAsked: swap }],
  ['while the dialog is filled in', { onEntered: swap }],
])('[req:RF-3] a file that is written %s is not written over', async (_when, given) => {
  const dialog = withDialog(given);
  const error = await failure(dialog.run('automate_save_file_dialog', OVERWRITE));
  expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
  expect(dialog.confirmed()).toBe(0);
  expect(await readFile(path, 'utf8')).toBe('another letter');
});

test('[req:RF-2] nothing is saved under a folder that has become a link meanwhile', async () => {
  const [asked, other] = [join(folder, 'asked'), join(folder, 'other')];
  for (const made of [asked, other]) mkdirSync(made);
  const dialog = withDialog({
    onEntered: () => {
      rmdirSync(asked);
      symlinkSync(other, asked);
    },
  });
  const error = await failure(dialog.run('automate_save_file_dialog', { file_path: join(asked, 'new.txt') }));
  expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
  expect(dialog.confirmed()).toBe(0);
});

test.each([
  ['while the card is open', { whileAsked: swap }],
  ['while the dialog is filled in', { onEntered: swap }],
])('[req:RF-2] a file that is written %s is not opened', async (_when, given) => {
  const dialog = withDialog(given);
  expect((await failure(dialog.run('automate_open_file_dialog'))).code).toBe('DESKTOP_TARGET_CHANGED');
  expect(dialog.confirmed()).toBe(0);
});
