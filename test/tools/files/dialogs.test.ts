/** What is said of a file dialog once it has gone: on the simulated desktop, whose application does with the file what the test says. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSimulated, type SimulatedDesktop } from '../../../src/native/simulated/index.js';
import { ALLOWED, createTestPipeline } from '../../support/pipeline.js';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chaperone-dialogs-'));
  path = join(folder, 'letter.txt');
  await writeFile(path, 'Dear Ada, this is the letter.\nYours\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const frame = { x: 40, y: 40, width: 400, height: 300 };
const field = { x: 10, y: 10, width: 300, height: 24 };

/** Its dialog goes when Enter is pressed in it; `then` is what else happens. */
function open(
  then: (desktop: SimulatedDesktop, pid: number, main: string) => void = () => undefined,
  deaf = 0,
  [tool, file]: readonly [string, string] = ['automate_open_file_dialog', path],
) {
  let heard = -deaf;
  const inner = openSimulated({ apps: [] });
  // What a toolkit calls its dialog is all that tells it from other windows.
  const desktop: SimulatedDesktop = {
    ...inner,
    async tree(scope, limits, signal) {
      const tree = await inner.tree(scope, limits, signal);
      const nodes = tree.nodes.map((node) =>
        node.element.title === 'Open File'
          ? { ...node, element: { ...node.element, nativeRole: 'file chooser' } }
          : node,
      );
      return { ...tree, nodes };
    },
  };
  const { world } = inner;
  const text = { role: 'AXTextArea' as const, title: 'Text', identifier: 'text', frame: { ...field, height: 200 } };
  const recent = { role: 'AXStaticText' as const, title: 'Recent: my-letter.txt', frame: { ...field, y: 250 } };
  const editor = { title: 'Editor', frame, elements: [text, recent] };
  const pid = world.addApp({ id: 'editor', name: 'Editor', executable: '/editor', windows: [editor] });
  let dialog = '';
  const elements = [{
    role: 'AXTextField' as const, title: 'Name', identifier: 'name', frame: field,
    onEnter: () => {
      heard += 1;
      if (heard <= 0) return;
      world.removeWindow(dialog);
      void windows().then(([first = '']) => then(inner, pid, first));
    },
  }]; // prettier-ignore
  const windows = async () => (await inner.windows(new AbortController().signal)).map(({ id }) => id);
  dialog = world.addWindow(pid, { title: 'Open File', frame, modal: true, focus: 'name', elements });
  const pipeline = createTestPipeline(async () => ALLOWED, desktop);
  return () => pipeline.run(tool, { application: 'editor', file_path: file });
}

test.concurrent('a dialog that was cancelled has gone as well: nothing is said to be opened', async () => {
  const result = await open()();
  expect(result).toMatchObject({ value: { chosen: path, taken: false }, verified: { effect: 'unverified' } });
  expect(result.text).toContain('may have been cancelled');
});

test.concurrent('an application that shows something else than the file proves nothing', async () => {
  const choose = open(({ world }, pid, main) => {
    world.retitleWindow(main, 'Editor: your-letter.txt');
    world.change(world.find('text', pid) ?? '', { value: 'Nothing was opened.' });
  });
  expect((await choose()).verified).toMatchObject({ effect: 'unverified' });
});

test.concurrent('a dialog that did not hear, and still shows the path, is told again', async () => {
  const result = await open(({ world }, _pid, main) => world.retitleWindow(main, '*letter.txt - Editor'), 1)();
  expect(result).toMatchObject({ value: { chosen: path, taken: true }, verified: { effect: 'confirmed' } });
});

test.each<[string, Parameters<typeof open>[0]]>([
  ['its title', ({ world }, _pid, main) => world.retitleWindow(main, '*letter.txt - Editor')],
  ['its address', ({ world }, _pid, main) => world.retitleWindow(main, 'Editor', `file://${path}`)],
  ['its text', ({ world }, pid) => world.change(world.find('text', pid) ?? '', { value: 'Dear Ada, this is the letter.' })], // prettier-ignore
  ['its name', ({ world }, _pid, main) => void world.addElement(main, { role: 'AXStaticText', title: 'letter.txt', frame: field })], // prettier-ignore
])('what the application shows of the file tells that it was taken: %s', async (_what, then) => {
  const result = await open(then)();
  expect(result).toMatchObject({ value: { chosen: path, taken: true }, verified: { effect: 'confirmed' } });
});

test.concurrent(
  'what an application asks before it writes is told with its buttons: the file is not said to be missing',
  async () => {
    const button = (title: string, x: number) => ({ role: 'AXButton' as const, title, frame: { x, y: 60, width: 80, height: 24 } }); // prettier-ignore
    const says = { role: 'AXStaticText' as const, title: 'This format may lose something.', frame: field };
    const elements = [says, button('Keep Format', 10), button('Cancel', 100)];
    const asks: Parameters<typeof open>[0] = ({ world }, pid) =>
      void world.addWindow(pid, { title: 'Keep Current Format?', frame, modal: true, elements });
    const save = open(asks, 0, ['automate_save_file_dialog', join(folder, 'letter.docx')]);
    const dialog = { title: 'Keep Current Format?', says: says.title, buttons: [{ title: 'Keep Format' }, { title: 'Cancel' }] }; // prettier-ignore
    await expect(save()).rejects.toMatchObject({
      code: 'DESKTOP_TARGET_CHANGED',
      details: { reason: 'asked', dialog, next: expect.stringContaining('click_element') },
    });
  },
);
