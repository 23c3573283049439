import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOwnFiles } from '../../src/main/pipeline/own-files.js';
import { WireError } from '../../src/main/protocol/index.js';
import { ALLOWED, createTestPipeline, failure } from '../support/pipeline.js';

let folder: string;
let own: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-own-')));
  own = join(folder, 'state');
  await mkdir(own);
  await writeFile(join(own, 'pairings.json'), '{}');
  await writeFile(join(folder, 'letter.txt'), 'Dear Ada');
  await symlink(own, join(folder, 'elsewhere'));
  await link(join(own, 'pairings.json'), join(folder, 'notes.txt'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('[req:OF-1] knows them through links, hard links, detours and addresses, also before they are there', () => {
  const { has } = createOwnFiles([own]);
  const paths = ['state', 'state/pairings.json', 'state/new.json', 'elsewhere/pairings.json', 'elsewhere/deep/new.json', 'notes.txt', 'x/../state/policy.json', 'state//pairings.json']; // prettier-ignore
  for (const path of paths) expect([path, has(`${folder}/${path}`)]).toEqual([path, true]);
  expect(has(` file://${own}/pairings.json\n`)).toBe(true);
  expect(createOwnFiles([join(homedir(), '.local/state/chaperone')]).has('~/.local/state/chaperone/policy.json')).toBe(true); // prettier-ignore
});

it('takes no other file and no other text for one', () => {
  const { has } = createOwnFiles([own]);
  for (const text of [
    '',
    'state',
    'pairings.json',
    folder,
    `${own}-2/x`,
    join(folder, 'letter.txt'),
    `see ${own}/pairings.json`,
  ])
    // prettier-ignore
    expect([text, has(text)]).toEqual([text, false]);
});

function createPipeline() {
  const given = createTestPipeline(async () => ALLOWED);
  given.deps.ownFiles = createOwnFiles([own]);
  return given;
}

describe('[req:OF-1] an act that hands one to an application is refused before anybody is asked', () => {
  const file = () => join(folder, 'elsewhere', 'pairings.json');
  it.each([
    ['write_clipboard', () => ({ type: 'files', files: [join(folder, 'letter.txt'), file()] })],
    ['type_text', () => ({ text: file() })],
    ['run_plan', () => ({ steps: [{ tool: 'type_text', arguments: { text: file() } }] })],
  ])('%s', async (tool, input) => {
    const given = createPipeline();
    const error = await failure(given.run(tool, input()));
    expect(error).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST', details: { reason: 'own_file' } });
    expect(given.asked).toEqual([]);
  });

  it('drag_files', async () => {
    const given = createPipeline();
    const target = await given.refer('note');
    const error = await failure(given.run('drag_files', { element_id: target, file_paths: [file()] }));
    expect(error.details['reason']).toBe('own_file');
    expect(given.asked).toEqual([]);
  });
});

describe('[req:LI-4] a relative name in a file dialog', () => {
  /** Notes, whose window is a file dialog that shows this folder. */
  function inDialog(folder: { path?: string; name?: string }, field = '') {
    const given = createPipeline();
    const { tree } = given.desktop;
    given.desktop.tree = async (...asked) => {
      const found = await tree(...asked);
      const [root] = found.nodes;
      if (root === undefined) return found;
      const as = (nativeRole: string, title: string, value: string | null, editable: boolean) => {
        const states = { ...root.element.states, visible: true, editable, checked: !editable };
        return { ...root, depth: 1, parent: 0, element: { ...root.element, nativeRole, title, value, states } };
      };
      const nodes = [
        { ...root, element: { ...root.element, nativeRole: 'file chooser' } },
        as('toggle button', folder.name ?? '', null, false),
        as('combo box', '', folder.path ?? null, false),
        as('text', 'Name', field, true),
      ];
      return { ...found, nodes };
    };
    return given;
  }
  const refused = async (given: ReturnType<typeof createPipeline>, text: string) => {
    const thrown = await given.run('type_text', { text }).then(() => null, (error: unknown) => error); // prettier-ignore
    return [thrown instanceof WireError ? thrown.details['reason'] : null, given.asked.length > 0];
  };
  const [NO, ASKED] = [
    ['own_file', false],
    [null, true],
  ];

  it('is refused where the dialog shows Chaperone’s own folder, whatever the name', async () => {
    for (const text of ['pairings.json', 'new.json', './x', '../state/pairings.json']) {
      expect([text, await refused(inDialog({ path: own }), text)]).toEqual([text, NO]);
      expect([text, await refused(inDialog({ name: 'state' }), text)]).toEqual([text, NO]);
    }
    expect(await refused(inDialog({ path: join(folder, 'elsewhere') }), 'new.json')).toEqual(NO);
  });

  it('is refused where a field holds it already, or it leads there from another folder', async () => {
    expect(await refused(inDialog({ path: folder }, 'state/pairings.json'), 'a')).toEqual(NO);
    expect(await refused(inDialog({ path: folder }), 'state/new.json')).toEqual(NO);
    expect(await refused(inDialog({ name: 'home' }), '../state/new.json')).toEqual(NO);
  });

  it('is refused where nothing tells the folder and one of them is called so; others are asked about', async () => {
    expect(await refused(inDialog({}), 'pairings.json')).toEqual(NO);
    expect(await refused(inDialog({}), 'letter.txt')).toEqual(ASKED);
    expect(await refused(inDialog({ path: folder }), 'pairings.json')).toEqual(ASKED);
    expect(await refused(inDialog({ name: 'home' }), 'pairings.json')).toEqual(ASKED);
  });

  it('is not what a whole path is: it leads away from the folder that shows', async () => {
    expect(await refused(inDialog({ name: 'state' }), join(folder, 'letter.txt'))).toEqual(ASKED);
  });
});
