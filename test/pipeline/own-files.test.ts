import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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

describe('[req:OF-3] [req:OF-4] what a file manager’s window shows', () => {
  const shown = (title: string, texts: string[] | null) => createOwnFiles([own]).shownBy(title, texts);

  it('is Chaperone’s folder where a path says so, or its name and one of its files', () => {
    for (const path of [own, `${own}/`, `${own}/deep`, `file://${own}`, join(folder, 'elsewhere')])
      expect([path, shown('Files', ['Back', path])]).toEqual([path, 'folder']);
    expect(shown('state - Thunar', ['pairings.json'])).toBe('folder');
    expect(shown('state', null)).toBe('folder');
  });

  it('may be one of its files where a name is the same, where a folder holds its folder, and where nothing tells', () => {
    const other = '/usr/share';
    for (const [title, texts] of [
      ['state - Thunar', [other]],
      [`${basename(folder)} - Thunar`, [other]],
      ['Files', [folder]],
      ['Files', [`${folder}/`]],
      ['Files', [other, 'pairings.json']],
      ['Files', ['Back', 'Open']],
      ['Files', null],
    ] as const)
      expect([title, texts, shown(title, texts === null ? null : [...texts])]).toEqual([title, texts, 'perhaps']);
  });

  it('is something else where its path is another', () => {
    for (const path of ['/usr/share', `${own}-2/`, join(folder, 'letters')])
      expect([path, shown('letters - Thunar', ['Back', path])]).toEqual([path, 'none']);
  });
});

describe('[req:OF-3] [req:OF-4] an act in a file manager', () => {
  /** Notes is the file manager, and its window shows this folder. */
  function inManager(path: string) {
    const given = createTestPipeline(async () => ALLOWED);
    given.deps.ownFiles = createOwnFiles([own], ({ id }) => id === 'simulated.notes');
    const { tree } = given.desktop;
    given.desktop.tree = async (...asked) => {
      const found = await tree(...asked);
      const [root] = found.nodes;
      if (root === undefined || asked[0].windowId === undefined) return found;
      return { ...found, nodes: [root, { ...root, element: { ...root.element, value: path } }] };
    };
    return given;
  }
  async function place(given: ReturnType<typeof inManager>, titled: string) {
    const found = (await given.desktop.windows(new AbortController().signal)).find(({ title }) => title === titled);
    if (found === undefined) throw new Error('no such window');
    return { x: found.frame.x + 100, y: found.frame.y + 8 };
  }
  async function dragged(path: string, from: string, to: string) {
    const given = inManager(path);
    const [start, end] = [await place(given, from), await place(given, to)];
    const input = { start_x: start.x, start_y: start.y, end_x: end.x, end_y: end.y };
    const reason = await given.run('drag', input).then(() => null, (error: unknown) => (error instanceof WireError ? error.details['reason'] : error)); // prettier-ignore
    return { reason, asked: given.asked };
  }

  it('drags nothing out of a window with Chaperone’s folder, and nothing into it', async () => {
    expect(await dragged(own, 'Shopping', 'New Message')).toMatchObject({ reason: 'own_file', asked: [] });
    expect(await dragged(own, 'New Message', 'Shopping')).toMatchObject({ reason: 'own_file', asked: [] });
    const other = await dragged('/usr/share', 'Shopping', 'New Message');
    expect([other.reason, other.asked[0]?.plan?.ownFiles]).toEqual([null, undefined]);
    const near = await dragged(folder, 'Shopping', 'New Message');
    expect(near).toMatchObject({ reason: null, asked: [{ alwaysAsk: true, plan: { ownFiles: true } }] });
  });

  it('is asked about each time, with a note, where the window may show one', async () => {
    for (const [path, asks] of [[own, true], [folder, true], ['/usr/share', false]] as const) {
      const given = inManager(path);
      await given.run('press_key', { key: 'end', application: 'simulated.notes' });
      expect([path, given.asked[0]?.alwaysAsk]).toEqual([path, asks]);
      expect(given.asked[0]?.plan?.notes.some(({ code }) => code === 'note.own_files')).toBe(asks);
    }
  }); // prettier-ignore
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
