/** The self-test on the simulated desktop. The witness asks the desktop itself; what is tested may lie about it. */
import { afterEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/native/methods.js';
import { DesktopError, type DesktopBackend, type TreeLimits } from '../../../src/native/desktop.js';
import {
  reportText,
  runSelfTest,
  verdictOf,
  type Actors,
  type Row,
  type Witness,
} from '../../../src/native/self-test/index.js';
import {
  openSimulated,
  type AppSpec,
  type ElementSpec,
  type SimulatedDesktop,
} from '../../../src/native/simulated/index.js';
import { verbatim } from '../../../src/messages/index.js';

const signal = new AbortController().signal;
const LIMITS: TreeLimits = { maxDepth: 30, maxNodes: 500, timeoutMs: 5000 };
const ACTORS: Actors = { text: { role: 'AXTextArea' }, calculator: { application: 'Calculator', button: '5' } };
const desktops: SimulatedDesktop[] = [];
afterEach(() => Promise.all(desktops.splice(0).map((desktop) => desktop.close())));

const editor = (value: string): AppSpec => ({
  id: 'test.editor',
  name: 'Editor',
  executable: '/simulated/bin/editor',
  windows: [
    {
      title: 'story.txt',
      frame: { x: 100, y: 100, width: 500, height: 400 },
      focus: 'text',
      elements: [{ role: 'AXTextArea', title: 'Text', identifier: 'text', value, frame: { x: 10, y: 10, width: 480, height: 300 } }],
    },
  ],
}); // prettier-ignore

const window = (title: string, elements: ElementSpec[]): AppSpec => ({
  id: `test.${title}`,
  name: title,
  executable: `/simulated/bin/${title}`,
  windows: [{ title, frame: { x: 200, y: 200, width: 300, height: 320 }, elements }],
});
const rows = (): AppSpec => {
  const children = Array.from({ length: 40 }, (_, index): ElementSpec => ({ role: 'AXRow', title: `Row ${index + 1}`, frame: { x: 20, y: 20 + index * 24, width: 200, height: 24 }, outOfView: index >= 10 })); // prettier-ignore
  return window('Rows', [
    { role: 'AXList', title: 'All', frame: { x: 20, y: 20, width: 200, height: 240 }, children },
    { role: 'AXDisclosureTriangle', title: 'More', frame: { x: 20, y: 264, width: 200, height: 24 } },
  ]);
};
const question = (): AppSpec =>
  window('Question', [{ role: 'AXTextField', title: 'Password', secure: true, frame: { x: 20, y: 20, width: 100, height: 24 } }]); // prettier-ignore

function witnessOf(desktop: SimulatedDesktop): Witness {
  const { world } = desktop;
  const windowsOf = async (pid: number) => (await desktop.windows(signal)).filter(({ app }) => app.pid === pid);
  const opened: number[] = [];
  let [dialog, list] = [0, 0];
  const rowsTold = (event: string) => world.journal().filter((one) => one.event === event);
  const textOf = (name: string, pid?: number) => world.text(world.find(name, pid) ?? '');
  return {
    prepare: async () => undefined,
    platform: async () => 'simulated',
    systemVersion: async () => 'Simulated',
    permissions: async () => ({ accessibility: 'authorized', screen: 'authorized', listening: 'authorized' }),
    mainDisplay: async () => ({ width: 1440, height: 900 }),
    screenPixels: async () => ({ width: 1440, height: 900 }),
    frontPid: async () => (await desktop.frontmost(signal)).app?.pid ?? 0,
    isRunning: async (pid) => (await desktop.apps(signal)).some((app) => app.pid === pid),
    exists: async (path) => path.startsWith('/simulated/bin/'),
    async window(pid, title) {
      const found = (await windowsOf(pid)).find((each) => each.title === title);
      return found === undefined ? null : { frame: found.frame, minimized: found.minimized };
    },
    titles: async (pid) => (await windowsOf(pid)).map(({ title }) => title),
    pointer: () => desktop.pointer(signal),
    clipboard: async () => world.clipboard().text ?? '',
    copy: async (text) => world.setClipboard({ text }),
    document: async () => textOf('text', opened.at(-1)),
    async scrolled() {
      const offsets = world.journal().filter(({ event }) => event === 'scrolled');
      return Number(offsets.at(-1)?.value ?? 0);
    },
    tookFile: async () => world.journal().some(({ event }) => event === 'dropped'),
    result: async () => textOf('display'),
    async openRows() {
      list = world.addApp(rows());
      return { pid: list, title: 'Rows', row: 'Row 1', folding: 'More', last: 'Row 40' };
    },
    selectedRows: async () => rowsTold('selected').flatMap(({ control, value }) => (value === 'true' ? [control] : [])),
    isUnfolded: async () => rowsTold('expanded').at(-1)?.value === 'true',
    async scrolledRows() {
      const { elements } = await desktop.find({ pid: list }, { titleContains: 'Row 40' }, 1, LIMITS, signal);
      return elements[0]?.states.visible === true ? 1 : 0;
    },
    async openPassword() {
      dialog = world.addApp(question());
      const { elements } = await desktop.find({ pid: dialog }, { role: 'AXTextField' }, 1, LIMITS, signal);
      return elements[0]?.frame ?? { x: 0, y: 0, width: 0, height: 0 };
    },
    closePassword: async () => world.kill(dialog),
    askPerson: async () => world.person.move({ x: 7, y: 9 }),
    endBackend: async () => desktops.at(-1)?.world.lose('ended by the test'),
    backendRuns: async () => false,
    async openDocument(text) {
      const pid = world.addApp(editor(text));
      opened.push(pid);
      return { pid, title: 'story.txt' };
    },
    async cleanUp() {
      const running = (await desktop.apps(signal).catch(() => [])).map(({ pid }) => pid);
      for (const pid of [...opened, list]) if (running.includes(pid)) world.kill(pid);
    },
  };
}

async function run(lies: Partial<DesktopBackend> = {}, limitMs = 20_000, ill: Partial<Witness> = {}) {
  const desktop = openSimulated();
  desktops.push(desktop);
  desktop.world.setClipboard({ text: 'of the person' });
  const witness = witnessOf(desktop);
  let cleaned = 0;
  const counted: Witness = { ...witness, ...ill, cleanUp: async () => void ((cleaned += 1), await witness.cleanUp()) };
  // The simulated desktop tells of other programs' input only, a real one of its own too.
  const key: DesktopBackend['key'] = async (...given) => {
    await desktop.key(...given);
    desktop.world.syntheticInput();
  };
  const tested = { ...desktop, key, ...lies };
  const rows = await runSelfTest({
    desktop: tested,
    another: async () => {
      const other = openSimulated();
      desktops.push(other);
      return other;
    },
    witness: counted,
    actors: ACTORS,
    signal,
    limitMs,
    personMs: 100,
    agreeMs: 200,
  });
  return {
    rows,
    cleaned,
    copied: desktop.world.clipboard().text,
    of: (member: string): Row | undefined => rows.find((row) => row.member === member),
  };
}

const REFUSED = new DesktopError('permission', verbatim('not allowed'));

describe('the self-test', () => {
  it('[req:MT-ST-1] has one row for each member, and calls right only what the witness saw too', async () => {
    const { rows, cleaned } = await run();
    expect(rows.map(({ member }) => member).toSorted()).toEqual(Object.keys(METHODS).toSorted());
    expect(rows.filter(({ result }) => result === 'wrong' || result === 'error')).toEqual([]);
    expect(rows.filter(({ result }) => result === 'not_run')).toEqual([]);
    expect([verdictOf(rows), cleaned]).toEqual(['passed', 1]);
  });

  it.each<[string, Partial<Witness>]>([
    ['is not allowed to ask', { prepare: () => Promise.reject(new Error('osascript is not allowed assistive access')) }],
    ['opens no document', { openDocument: () => Promise.reject(new Error('osascript is not allowed assistive access')) }],
  ])('has its whole table where the witness %s: nothing was run, and why', async (_, ill) => {
    const { rows, cleaned, copied } = await run({}, 20_000, ill);
    expect(rows.map(({ member }) => member).toSorted()).toEqual(Object.keys(METHODS).toSorted());
    const said = new Set(rows.map(({ result, told }) => `${result}: ${told}`));
    expect([...said]).toEqual([expect.stringMatching(/^not_run: .*not allowed assistive access/)]);
    expect([verdictOf(rows), cleaned, copied]).toEqual(['incomplete', 1, 'of the person']);
  }); // prettier-ignore

  it.each<[keyof DesktopBackend, Partial<DesktopBackend>]>([
    ['setValue', { setValue: async () => undefined }],
    ['typeText', { typeText: async () => undefined }],
    ['setWindowFrame', { setWindowFrame: async () => ({ x: 1, y: 2, width: 300, height: 400 }) }],
    ['setWindowMinimized', { setWindowMinimized: async () => undefined }],
    ['writeClipboard', { writeClipboard: async () => undefined }],
    ['movePointer', { movePointer: async () => undefined }],
    ['releaseAll', { releaseAll: async () => undefined }],
    ['killWindow', { killWindow: async () => undefined }],
    ['closeWindow', { closeWindow: async () => undefined }],
    ['scroll', { scroll: async () => undefined }],
    ['dropFiles', { dropFiles: async () => ({ accepted: true }) }],
    ['performAction', { performAction: async () => undefined }],
    ['permissions', { permissions: async () => ({ accessibility: 'missing', screenRecording: 'granted' }) }],
    ['capture', { capture: async () => ({ width: 3, height: 1, rgb: new Uint8Array(9), origin: { x: 0, y: 0 }, scale: 1 }) }],
    ['setSelected', { setSelected: async () => undefined }],
    ['setExpanded', { setExpanded: async () => undefined }],
    ['scrollIntoView', { scrollIntoView: async () => undefined }],
    ['secureAreas', { secureAreas: async () => [] }],
    ['onPersonInput', { onPersonInput: () => () => undefined }],
    ['onPersonPress', { onPersonPress: (listener) => (listener(null), () => undefined) }],
    ['close', { close: async () => undefined }],
  ])('[req:MT-ST-2] %s that says it is done and does nothing is wrong', async (member, lie) => {
    const { of, rows } = await run(lie);
    expect(of(member)).toMatchObject({ result: 'wrong', witness: expect.stringMatching(/./) });
    expect(verdictOf(rows)).toBe('failed');
  }); // prettier-ignore

  it('[req:MT-ST-3] what may not be done was not run, what hangs ends at its limit, and the others go on', async () => {
    const lies: Partial<DesktopBackend> = {
      capture: () => Promise.reject(REFUSED),
      pointer: () => new Promise(() => undefined),
      setWindowMaximized: () => Promise.reject(new DesktopError('unsupported', verbatim('no'))),
      setValue: () => Promise.reject(new DesktopError('unsupported', verbatim('no'))),
    };
    const { of, rows } = await run(lies, 2000);
    expect(of('capture')).toMatchObject({ result: 'not_run', told: 'permission: not allowed' });
    expect(of('pointer')?.result).toBe('error');
    expect(of('setWindowMaximized')?.result).toBe('unsupported');
    expect(of('setValue')?.result).toBe('error');
    expect(of('writeClipboard')?.result).toBe('right');
    expect(rows).toHaveLength(Object.keys(METHODS).length);
  });

  it('[req:MT-ST-5] types nothing into what the person brings to the front, and puts the clipboard back', async () => {
    const other = openSimulated();
    desktops.push(other);
    const typed: string[] = [];
    const { of, copied } = await run({
      frontmost: (given) => other.frontmost(given),
      typeText: async (text, guard) => {
        await guard();
        typed.push(text);
      },
    });
    expect([typed, of('typeText')?.result, of('key')?.result]).toEqual([[], 'error', 'error']);
    expect(copied).toBe('of the person');
  });

  it('its table is one line a member, whatever was said', () => {
    const row: Row = { member: 'find', result: 'wrong', told: 'a|b\nc', witness: '' };
    const text = reportText([row], { system: '15.3.1' });
    expect(text).toContain('- system: 15.3.1\n- right: 0, wrong: 1, error: 0, unsupported: 0, not_run: 0\n');
    expect(text).toContain('| find | wrong | a\\|b c |  |\n');
    expect(verdictOf([])).toBe('failed');
  });
});
