/** One scripted desktop for the tests: two displays, an application with all kinds of controls, and a second one beside it. */
import type { Rect } from '../../../src/native/desktop.js';
import { MODE, type Mode, type Script } from './standin.js';

/** Beyond what Linux hands out, so that none of them is the process of the tests itself. */
export const MAIN = { pid: 5_000_501, window: 71 };
export const SECOND = { pid: 5_000_502, window: 72 };
export const SECRET = 'hunter2-is-not-shown';

interface ControlSpec {
  role: string;
  subrole?: string;
  title?: string;
  frame?: Rect;
  value?: string | number;
  /** How the value takes what is set. */
  settable?: Mode;
  focusable?: Mode;
  actions?: Readonly<Record<string, Mode>>;
  enabled?: boolean;
  identifier?: string;
}

export function addControl(script: Script, parent: number, spec: ControlSpec): number {
  const { role, subrole, title, frame, value, settable = MODE.refuses, focusable, actions = {}, enabled, identifier } = spec; // prettier-ignore
  const element = script.addElement(parent);
  script.text(element, 'AXRole', role, 0);
  if (subrole !== undefined) script.text(element, 'AXSubrole', subrole, 0);
  if (title !== undefined) script.text(element, 'AXTitle', title, 0);
  if (identifier !== undefined) script.text(element, 'AXIdentifier', identifier, 0);
  if (enabled !== undefined) script.boolean(element, 'AXEnabled', Number(enabled), 0);
  if (focusable !== undefined) script.boolean(element, 'AXFocused', 0, focusable);
  if (frame !== undefined) script.frame(element, frame.x, frame.y, frame.width, frame.height);
  if (typeof value === 'number') script.number(element, 'AXValue', value, settable);
  else if (value !== undefined) script.text(element, 'AXValue', value, settable);
  for (const [name, mode] of Object.entries(actions)) script.action(element, name, mode);
  return element;
}

interface AppSpec {
  pid: number;
  name: string;
  bundle: string;
  policy?: number;
}

export function addApp(script: Script, { pid, name, bundle, policy = 0 }: AppSpec): number {
  const root = script.addApp(pid, name, bundle, policy);
  script.text(root, 'AXRole', 'AXApplication', 0);
  script.text(root, 'AXTitle', name, 0);
  script.boolean(root, 'AXFrontmost', 0, MODE.does);
  return root;
}

interface WindowSpec {
  app: number;
  pid: number;
  number: number;
  title: string;
  frame: Rect;
  level?: number;
  subrole?: string;
  minimized?: boolean;
}

export function addWindow(script: Script, spec: WindowSpec): number {
  const { app, pid, number, title, frame, level = 0, subrole = 'AXStandardWindow', minimized = false } = spec;
  const window = addControl(script, app, { role: 'AXWindow', subrole, title });
  script.boolean(window, 'AXMinimized', Number(minimized), MODE.does);
  script.boolean(window, 'AXMain', 0, MODE.does);
  script.action(window, 'AXRaise', MODE.does);
  script.frameMode(window, MODE.does);
  script.addWindow(number, pid, window, level, frame.x, frame.y, frame.width, frame.height);
  return window;
}

export interface Scene {
  app: number;
  window: number;
  send: number;
  locked: number;
  entry: number;
  password: number;
  remind: number;
  story: number;
  volume: number;
  outside: number;
  second: number;
}

const SYSTEM = '/System/Library/CoreServices';
export const DOCK = { pid: 5_000_401, window: 41 };
export const SCREENSHOT = { pid: 5_000_402, window: 42 };

/**
 * As from macOS 26.4: the Dock has a surface over the whole display that lets the pointer through, and so has Screenshot. The list of
 * windows says nothing of that, and `AXWindows` names neither.
 */
export function addSystemSurfaces(script: Script): void {
  const surface = ({ pid, window }: typeof DOCK, name: string, level: number): number => {
    const app = addApp(script, { pid, name, bundle: `com.apple.${name.toLowerCase()}`, policy: 1 });
    script.program(pid, `${SYSTEM}/${name}.app/Contents/MacOS/${name}`);
    script.addWindow(window, pid, 0, level, 0, 0, 1440, 900);
    script.passesHits(window);
    return app;
  };
  addControl(script, surface(DOCK, 'Dock', 20), { role: 'AXList', frame: at(400, 830, 640, 70) });
  surface(SCREENSHOT, 'screencaptureui', 24);
}

/** Beside what `AXWindows` names: an element with a row of its own in the list of windows. */
export function addSurface(
  script: Script,
  parent: number,
  spec: ControlSpec & { number: number; level?: number },
): number {
  const { number, level = 0, ...control } = spec;
  const element = addControl(script, parent, control);
  script.addSurface(number, element, level);
  return element;
}

const PRESS = { AXPress: MODE.does };
const TEXT = { settable: MODE.does, focusable: MODE.does };

/** The main application is in front, its window over the second one. */
export function buildScene(script: Script): Scene {
  script.reset();
  script.addDisplay(1, 'Built-in Display', 0, 0, 1440, 900, 2, 0);
  script.addDisplay(5, 'Side Display', 1440, 0, 1920, 1080, 1, 0);
  script.addDisplay(9, 'Projector', 0, 0, 1440, 900, 1, 1);
  addSystemSurfaces(script);
  const app = addApp(script, { pid: MAIN.pid, name: 'Fixture', bundle: 'com.example.fixture' });
  const window = addWindow(script, { app, ...MAIN, number: MAIN.window, title: 'Contract fixture', frame: at(100, 100, 480, 460) }); // prettier-ignore
  const controls = addControls(script, window);
  addControl(script, app, { role: 'AXMenuBar', frame: at(0, 0, 1440, 25) });
  const other = addApp(script, { pid: SECOND.pid, name: 'Second', bundle: 'com.example.second' });
  const second = addWindow(script, { app: other, ...SECOND, number: SECOND.window, title: 'Second fixture', frame: at(300, 200, 600, 500) }); // prettier-ignore
  addControl(script, second, { role: 'AXButton', title: 'Other', frame: at(700, 220, 100, 30), actions: PRESS });
  script.setFront(MAIN.pid);
  script.focus(MAIN.pid, window, controls.entry);
  script.focus(SECOND.pid, second, 0);
  return { app, window, second, ...controls };
}

function addControls(script: Script, window: number): Omit<Scene, 'app' | 'window' | 'second'> {
  const control = (spec: ControlSpec, parent = window): number => addControl(script, parent, spec);
  const label = control({ role: 'AXStaticText', value: 'Name', frame: at(120, 120, 60, 28) });
  const entry = control({ role: 'AXTextField', value: '', frame: at(180, 120, 240, 28), ...TEXT });
  script.reference(entry, 'AXTitleUIElement', label);
  const password = control({ role: 'AXTextField', subrole: 'AXSecureTextField', title: 'Secret', value: SECRET, frame: at(120, 160, 300, 28), ...TEXT }); // prettier-ignore
  const remind = control({ role: 'AXCheckBox', title: 'Remind me', value: 0, frame: at(120, 200, 160, 24), actions: PRESS }); // prettier-ignore
  const group = control({ role: 'AXGroup', frame: at(110, 230, 400, 50) });
  const send = control({ role: 'AXButton', title: 'Send', identifier: 'send', frame: at(120, 240, 100, 30), actions: PRESS }, group); // prettier-ignore
  const locked = control({ role: 'AXButton', title: 'Locked', enabled: false, frame: at(230, 240, 100, 30), actions: PRESS }, group); // prettier-ignore
  const volume = control({ role: 'AXSlider', title: 'Volume', value: 8, settable: MODE.does, frame: at(340, 240, 100, 30) }, group); // prettier-ignore
  const area = control({ role: 'AXScrollArea', frame: at(120, 290, 400, 200) });
  const story = control({ role: 'AXTextArea', title: 'Story', value: 'Once\nupon', frame: at(120, 290, 400, 2000), ...TEXT }, area); // prettier-ignore
  const outside = control({ role: 'AXButton', title: 'Scrolled away', frame: at(120, 600, 80, 20) }, area);
  return { send, locked, entry, password, remind, story, volume, outside };
}

export const at = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });
