/** The applications of the contract suite, on the scripted desktop. */
import { MAIN_TITLE, SECOND_TITLE, SECRET, STORY, type Control, type Entry } from '../../../contract/fixture.js';
import { addApp, addControl, addWindow, at } from '../scene.js';
import { MODE, type Script } from '../standin.js';
import type { Kit, KitApp } from './kit.js';
import { createTextField } from './text-field.js';

export interface AppContext {
  script: Script;
  kit: Kit;
  pid: number;
  /** Of its window. */
  number: number;
}

export interface Opened {
  app: KitApp;
  root: number;
}

const PRESS = { AXPress: MODE.does };
const TEXT = { settable: MODE.does, focusable: MODE.does };
const BUTTON = { role: 'AXButton', actions: PRESS };

/** A window with the buttons of its title bar; its application goes on without it where `ends` is not called then. */
export function openApp(context: AppContext, name: string, title: string, frame: ReturnType<typeof at>): Opened {
  const { script, kit, pid, number } = context;
  const root = addApp(script, { pid, name, bundle: `com.example.${name.toLowerCase()}` });
  const window = addWindow(script, { app: root, pid, number, title, frame });
  const button = (attribute: string, subrole: string, x: number): number => {
    const element = addControl(script, window, { ...BUTTON, subrole, frame: at(frame.x + x, frame.y + 4, 14, 14) });
    script.reference(window, attribute, element);
    return element;
  };
  script.closeButton(button('AXCloseButton', 'AXCloseButton', 4), window, MODE.does);
  button('AXMinimizeButton', 'AXMinimizeButton', 24);
  script.quitMode(pid, MODE.does);
  script.focus(pid, window, 0);
  const app = { pid, window, number };
  let focused = 0;
  // One that is minimised has no focus; one that comes back has it again.
  kit.onSet(window, 'AXMinimized', () => {
    const minimized = script.said(window, 'AXMinimized') === '1';
    if (minimized) focused = script.focused(pid);
    script.focus(pid, minimized ? 0 : window, minimized ? 0 : focused);
  });
  kit.onClosed(window, () => end(script, pid));
  return { app, root };
}

/** Another application comes to the front where it was there. */
export function end(script: Script, pid: number, next?: number): void {
  if (script.runs(pid) === 0) return;
  script.endApp(pid);
  if (script.front() === pid && next !== undefined) script.setFront(next);
}

/** In front, with the focus in its first field. */
export function addMainApp(context: AppContext, tell: (entry: Entry) => void): void {
  const { script, kit, pid } = context;
  const { app, root } = openApp(context, 'Fixture', MAIN_TITLE, at(100, 100, 480, 460));
  const { window } = app;
  const field = (control: Control, element: number): void => {
    script.text(element, 'AXSelectedText', '', MODE.does);
    const changed = (value: string): void => tell({ control, event: 'changed', value });
    kit.addField(app, createTextField(script, { element, left: 180, secure: control === 'password', changed }));
  };
  const label = addControl(script, window, { role: 'AXStaticText', value: 'Name', frame: at(120, 130, 60, 28) });
  const entry = addControl(script, window, { role: 'AXTextField', value: '', frame: at(180, 130, 240, 28), ...TEXT });
  script.reference(entry, 'AXTitleUIElement', label);
  field('entry', entry);
  field('password', addControl(script, window, { role: 'AXTextField', subrole: 'AXSecureTextField', title: 'Secret', value: SECRET, frame: at(180, 170, 240, 28), ...TEXT })); // prettier-ignore
  const area = addControl(script, window, { role: 'AXTextArea', title: 'Story', value: STORY, frame: at(120, 300, 420, 200), ...TEXT }); // prettier-ignore
  field('area', area);
  let offset = 0;
  kit.onScroll(area, (down) => {
    offset = Math.max(0, Math.min(1000, offset + down));
    tell({ control: 'area', event: 'scrolled', value: String(offset) });
  });
  addButtons(context, app, tell);
  addControl(script, root, { role: 'AXMenuBar', frame: at(0, 0, 1440, 25) });
  script.focus(pid, window, entry);
  script.setFront(pid);
}

function addButtons({ script, kit }: AppContext, app: KitApp, tell: (entry: Entry) => void): void {
  const { window } = app;
  const toggle = addControl(script, window, { role: 'AXCheckBox', title: 'Remind me', value: 0, frame: at(120, 210, 160, 24), actions: PRESS }); // prettier-ignore
  const isOn = (): boolean => script.said(toggle, 'AXValue') === '1';
  kit.addButton({
    app,
    element: toggle,
    enabled: true,
    flip: () => void script.number(toggle, 'AXValue', Number(!isOn()), 0),
    activated: () => tell({ control: 'toggle', event: 'toggled', value: String(isOn()) }),
  });
  const group = addControl(script, window, { role: 'AXGroup', frame: at(110, 240, 400, 50) });
  const button = (control: Control, title: string, x: number, enabled = true): number => {
    const identifier = control === 'send' ? 'send' : undefined;
    const element = addControl(script, group, { ...BUTTON, title, enabled, frame: at(x, 250, 100, 30), ...(identifier === undefined ? {} : { identifier }) }); // prettier-ignore
    const activated = (): void => {
      tell({ control, event: 'pressed', value: '' });
      if (control === 'removed') script.removeElement(element);
    };
    const touched = (value: string): void => {
      if (control === 'send') tell({ control, event: 'pointer', value });
    };
    kit.addButton({ app, element, enabled, activated, touched });
    return element;
  };
  button('send', 'Send', 120);
  button('disabled', 'Locked', 230, false);
  button('removed', 'Temporary', 340);
}

/** Ends with its window. */
export function addSecondApp(context: AppContext): void {
  const { script } = context;
  const { app } = openApp(context, 'Second', SECOND_TITLE, at(700, 120, 300, 220));
  addControl(script, app.window, { ...BUTTON, title: 'Other', frame: at(720, 150, 100, 30) });
}

/** Behind the others, as the system starts it. */
export function addLaunchedApp(context: AppContext): void {
  openApp(context, 'Launchable', 'Launched', at(300, 300, 200, 150));
}

const FRUITS = ['Apple', 'Banana', 'Cherry'];

export interface ControlsTold {
  selected: string[];
  expanded: string[];
}

/** A list, and something that folds. */
export function addControlsApp(context: AppContext): ControlsTold {
  const { script, kit } = context;
  const { app } = openApp(context, 'Controls', 'Controls', at(200, 200, 300, 300));
  const told: ControlsTold = { selected: [], expanded: [] };
  const list = addControl(script, app.window, { role: 'AXList', title: 'Fruits', frame: at(220, 230, 200, 72) });
  const rows = FRUITS.map((title, index) => {
    const row = addControl(script, list, { role: 'AXRow', title, frame: at(220, 230 + index * 24, 200, 24) });
    script.boolean(row, 'AXSelected', 0, MODE.does);
    return row;
  });
  script.emptyList(list, 'AXSelectedRows', MODE.does);
  kit.onSet(list, 'AXSelectedRows', () => {
    const chosen = rows.filter((row) => script.said(row, 'AXSelected') === '1');
    told.selected.push(chosen.map((row) => script.said(row, 'AXTitle')).at(-1) ?? '');
  });
  const more = addControl(script, app.window, { role: 'AXDisclosureTriangle', title: 'More', value: 0, frame: at(220, 320, 200, 24), actions: PRESS }); // prettier-ignore
  const words = addControl(script, app.window, { role: 'AXStaticText', value: 'Hidden words', frame: at(220, 350, 0, 0) }); // prettier-ignore
  kit.addButton({
    app,
    element: more,
    enabled: true,
    activated() {
      const open = script.said(more, 'AXValue') === '1';
      script.frame(words, 220, 350, open ? 200 : 0, open ? 24 : 0);
      told.expanded.push(String(open));
    },
  });
  return told;
}

/** More rows than show; those that do not can be asked to. */
export function addRowsApp(context: AppContext): void {
  const { script } = context;
  const { app } = openApp(context, 'Rows', 'Rows', at(200, 200, 300, 320));
  const area = addControl(script, app.window, { role: 'AXScrollArea', frame: at(220, 230, 200, 240) });
  const list = addControl(script, area, { role: 'AXList', title: 'Rows', frame: at(220, 230, 200, 960) });
  for (let row = 1; row <= 40; row += 1) {
    const frame = at(220, 206 + row * 24, 200, 24);
    addControl(script, list, { role: 'AXRow', title: `Row ${row}`, frame, actions: { AXScrollToVisible: MODE.does } });
  }
}
