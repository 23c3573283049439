/** The self-test's Mac on the stand-in libraries: its applications, and a witness that looks at the scripted desktop and never asks the backend. */
import type { DesktopBackend } from '../../../src/native/desktop.js';
import { openMacos } from '../../../src/native/macos/open.js';
import { MAC_ACTORS, type Actors, type Witness } from '../../../src/native/self-test/index.js';
import { helpersInProcess, type HelpersInProcess } from './helper-in-process.js';
import { end, openApp, type AppContext } from './kit/contract-apps.js';
import { createKit, type KitApp } from './kit/kit.js';
import { createTextField } from './kit/text-field.js';
import { addControl, at } from './scene.js';
import { compileStandin, MODE, openScript, standinPaths, type Runtime } from './standin.js';

const TEXT = { settable: MODE.does, focusable: MODE.does };
const PRESS = { AXPress: MODE.does };
const TYPE = 'public.utf8-plain-text';
const CALCULATOR = '/Applications/Calculator.app';
/** Only what runs or lies on the disk is found by its name. */
export const STANDIN_ACTORS: Actors = {
  ...MAC_ACTORS,
  calculator: { ...MAC_ACTORS.calculator, application: 'com.apple.calculator' },
};

export interface SelfTestMac {
  open(): Promise<DesktopBackend>;
  witness: Witness;
  copied(): string;
  close(): Promise<void>;
}

export function createSelfTestMac(runtime: Runtime = 'own'): SelfTestMac {
  const library = compileStandin(runtime);
  const script = openScript(library);
  script.reset();
  script.addDisplay(1, 'Built-in Display', 0, 0, 1440, 900, 2, 0);
  script.install(CALCULATOR, 'com.apple.calculator', 'Calculator', 0);
  const { kit, listener } = createKit(script);
  const opened: HelpersInProcess[] = [];
  const windows = new Map<number, { title: string; app: KitApp }[]>();
  let next = 5_000_600;
  let document = { pid: 0, text: 0, scrolled: 0 };
  let calculator = 0;
  let rows = { list: [] as number[], folding: 0 };
  let dialog = 0;

  const context = (pid = ++next): AppContext => ({ script, kit, pid, number: pid });
  const add = (of: AppContext, name: string, title: string, frame = at(100, 100, 480, 400)): KitApp => {
    const { app } = openApp(of, name, title, frame);
    windows.set(of.pid, [{ title, app }]);
    return app;
  };
  const front = (pid: number): void => {
    script.raise(pid);
    script.setFront(pid);
  };
  const addCalculator = (pid: number): void => {
    const app = add(context(pid), 'Calculator', 'Calculator', at(900, 300, 200, 300));
    calculator = addControl(script, app.window, { role: 'AXStaticText', value: '0', frame: at(910, 330, 180, 40) });
    const element = addControl(script, app.window, { role: 'AXButton', title: '5', frame: at(950, 450, 40, 40), actions: PRESS }); // prettier-ignore
    const activated = (): void => void script.text(calculator, 'AXValue', `${script.said(calculator, 'AXValue')}5`, 0);
    kit.addButton({ app, element, enabled: true, activated });
  };
  const stop = script.listen((what, pid, ...rest) =>
    what === 'launch' ? addCalculator(pid) : listener(what, pid, ...rest),
  );
  const rect = (text: string) => {
    const [x = 0, y = 0, width = 0, height = 0] = JSON.parse(text) as number[];
    return { x, y, width, height };
  };
  const shown = (pid: number) => (script.runs(pid) === 1 ? (windows.get(pid) ?? []) : []);

  const witness: Witness = {
    prepare: async () => undefined,
    platform: async () => 'macos',
    systemVersion: async () => '15.3.1',
    permissions: async () => ({ accessibility: 'authorized', screen: 'authorized', listening: 'authorized' }),
    mainDisplay: async () => ({ width: 1440, height: 900 }),
    screenPixels: async () => ({ width: 2880, height: 1800 }),
    frontPid: async () => script.front(),
    isRunning: async (pid) => script.runs(pid) === 1,
    exists: async (path) => path.startsWith(CALCULATOR),
    async window(pid, title) {
      const found = shown(pid).find((one) => one.title === title);
      if (found === undefined) return null;
      const minimized = script.said(found.app.window, 'AXMinimized') === '1';
      return { frame: rect(script.windowPlace(found.app.number)), minimized };
    },
    titles: async (pid) => shown(pid).map(({ title }) => title),
    pointer: async () => rect(script.pointer()),
    clipboard: async () => script.pasted(),
    // Another program takes a moment to start.
    async copy(text) {
      for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      script.copy(0, TYPE, text);
    },
    document: async () => script.said(document.text, 'AXValue'),
    scrolled: async () => document.scrolled,
    tookFile: async () => false,
    result: async () => (calculator === 0 ? '' : script.said(calculator, 'AXValue')),
    async openRows() {
      const app = add(context(), 'Finder', 'Rows', at(200, 200, 300, 320));
      const area = addControl(script, app.window, { role: 'AXScrollArea', frame: at(220, 230, 200, 240) });
      const list = addControl(script, area, { role: 'AXOutline', frame: at(220, 230, 200, 960) });
      script.emptyList(list, 'AXSelectedRows', MODE.does);
      const made = Array.from({ length: 40 }, (_, index) => {
        const frame = at(220, 230 + index * 24, 200, 24);
        const row = addControl(script, list, { role: 'AXRow', frame, actions: { AXScrollToVisible: MODE.does } });
        script.boolean(row, 'AXSelected', 0, MODE.does);
        addControl(script, row, { role: 'AXTextField', value: `row ${index}`, frame });
        return row;
      });
      const [folding = 0] = made;
      script.boolean(folding, 'AXDisclosing', 0, MODE.does);
      rows = { list: made, folding };
      front(app.pid);
      return { pid: app.pid, title: 'Rows', row: 'row 2', folding: 'row 0', last: 'row 39' };
    },
    selectedRows: async () =>
      rows.list.flatMap((row, index) => (script.said(row, 'AXSelected') === '1' ? [`row ${index}`] : [])),
    isUnfolded: async () => script.said(rows.folding, 'AXDisclosing') === '1',
    scrolledRows: async () => -rect(script.place(rows.list.at(-1) ?? 0)).y,
    async openPassword() {
      const app = add(context(), 'osascript', 'Question', at(500, 300, 300, 150));
      const frame = at(520, 340, 200, 24);
      addControl(script, app.window, { role: 'AXTextField', subrole: 'AXSecureTextField', value: 'secret', frame });
      dialog = app.pid;
      return frame;
    },
    closePassword: async () => end(script, dialog),
    askPerson: async () => void script.personMoves(33, 44),
    endBackend: async () => opened.at(-1)?.end(),
    backendRuns: async () => opened.some((one) => one.running() > 0),
    async openDocument(text) {
      const of = context();
      const title = `document ${of.pid}`;
      const app = add(of, 'TextEdit', title);
      const area = addControl(script, app.window, { role: 'AXScrollArea', frame: at(110, 140, 460, 340) });
      const element = addControl(script, area, { role: 'AXTextArea', value: text, frame: at(110, 140, 460, 340), ...TEXT }); // prettier-ignore
      script.text(element, 'AXSelectedText', '', MODE.does);
      kit.addField(app, createTextField(script, { element, left: 110, changed: () => undefined }));
      const mine = { pid: of.pid, text: element, scrolled: 0 };
      kit.onScroll(element, (down) => (mine.scrolled = Math.max(0, mine.scrolled + down)));
      document = mine;
      script.focus(of.pid, app.window, element);
      front(of.pid);
      return { pid: of.pid, title };
    },
    cleanUp: async () => undefined,
  };
  return {
    witness,
    async open() {
      const helpers = helpersInProcess();
      opened.push(helpers);
      return openMacos({ start: helpers.start, libraries: standinPaths(library) });
    },
    copied: () => script.pasted(),
    async close() {
      for (const helpers of opened) await helpers.ended();
      stop();
      script.drain();
      // What applications hold is theirs, also the elements in a list of what is selected.
      script.reset();
      if (script.leaked() !== 0) throw new Error(`${script.leaked()} objects of the system were not released`);
    },
  };
}
