/** The tools of the contract suite: finding controls, pressing keys, reading the journal, waiting for a condition. */
import { expect } from 'vitest';
import type {
  DesktopBackend,
  Element,
  InputGuard,
  MouseButton,
  Point,
  Rect,
  TreeLimits,
  Window,
} from '../../src/native/desktop.js';
import { MAIN_TITLE, SECOND_TITLE, type Apps, type Control, type Entry, type Fixture } from './fixture.js';

export const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 5_000, timeoutMs: 20_000 };
export const PLAIN = { background: false, newInstance: false };
export const free: InputGuard = () => Promise.resolve();

/** Longer than an application that draws in steps takes from one to the next. */
const REST_MS = 200;

const CONTROLS = new Map<Control, { role?: string; title: string }>([
  ['send', { role: 'AXButton', title: 'Send' }],
  ['toggle', { role: 'AXCheckBox', title: 'Remind me' }],
  ['entry', { role: 'AXTextField', title: 'Name' }],
  ['password', { title: 'Secret' }],
  ['area', { role: 'AXTextArea', title: 'Story' }],
  ['disabled', { role: 'AXButton', title: 'Locked' }],
  ['removed', { role: 'AXButton', title: 'Temporary' }],
]);

export interface Bench {
  readonly fixture: Fixture;
  readonly desktop: DesktopBackend;
  readonly apps: Apps;
  readonly signal: AbortSignal;
  control(control: Control): Promise<Element>;
  main(): Promise<Window>;
  second(): Promise<Window>;
  journal(control: Control, event: Entry['event']): Promise<string[]>;
  /** Waits until the application tells of the event with this value (default: of any). */
  told(control: Control, event: Entry['event'], value?: string): Promise<void>;
  /** Presses Send through accessibility and waits for it: whatever was injected before has arrived by then. */
  settled(): Promise<void>;
  chord(...keys: string[]): Promise<void>;
  click(at: Point, button?: MouseButton, times?: number): Promise<void>;
  /** Gives the control the focus, waits until it has it. */
  focus(control: Control): Promise<Element>;
  /** Waits until the application has drawn its main window, and does not go on with that. */
  drawn(): Promise<void>;
}

export function createBench(fixture: Fixture, apps: Apps): Bench {
  const { desktop } = fixture;
  const signal = new AbortController().signal;

  const control: Bench['control'] = async (name) => {
    const wanted = CONTROLS.get(name) ?? { title: name };
    const selector = { titleContains: wanted.title, ...(wanted.role === undefined ? {} : { role: wanted.role }) };
    const { elements } = await desktop.find({ pid: apps.pid }, selector, 50, LIMITS, signal);
    const fitting = elements.filter(
      (each) => each.title === wanted.title && (name !== 'password' || each.states.secure),
    );
    const [element] = fitting;
    if (element === undefined || fitting.length > 1) throw new Error(`expected one ${name}, found ${fitting.length}`);
    return element;
  };
  const titled = async (title: string): Promise<Window> => {
    const found = (await desktop.windows(signal)).find((window) => window.title === title);
    if (found === undefined) throw new Error(`expected a window titled ${title}`);
    return found;
  };
  const journal: Bench['journal'] = async (name, event) =>
    (await apps.journal()).filter((each) => each.control === name && each.event === event).map((each) => each.value);

  return {
    fixture,
    desktop,
    apps,
    signal,
    control,
    main: () => titled(MAIN_TITLE),
    second: () => titled(SECOND_TITLE),
    journal,
    told: (name, event, value) =>
      until(async () => {
        const values = await journal(name, event);
        if (value === undefined) expect(values.length).toBeGreaterThan(0);
        else expect(values.at(-1)).toBe(value);
      }),
    async settled() {
      const before = (await journal('send', 'pressed')).length;
      await desktop.performAction((await control('send')).id, 'AXPress', signal);
      await until(async () => expect((await journal('send', 'pressed')).length).toBe(before + 1));
    },
    async chord(...keys) {
      for (const key of keys) await desktop.key(key, true, free, signal);
      for (const key of keys.reverse()) await desktop.key(key, false, free, signal);
    },
    async click(at, button = 'left', times = 1) {
      await desktop.movePointer(at, signal);
      for (let count = 0; count < times; count++) {
        await desktop.button(button, true, free, signal);
        await desktop.button(button, false, free, signal);
      }
    },
    async focus(name) {
      const element = await control(name);
      await desktop.focusElement(element.id, signal);
      await until(async () => expect((await desktop.focusedElement(signal))?.id).toBe(element.id));
      return element;
    },
    drawn: () =>
      until(async () => {
        const paint = await desktop.windowPaint((await titled(MAIN_TITLE)).id, null, signal);
        // Stand-ins that do not tell draw at once.
        if (paint === null) return;
        expect(paint.unpaintedMs).toBeGreaterThanOrEqual(REST_MS);
        const rect = frameOf(await control('send'));
        const { rgb } = await desktop.capture({ kind: 'region', rect }, signal);
        const first = rgb.subarray(0, 3);
        expect(rgb.some((value, index) => value !== first[index % 3])).toBe(true);
      }),
  };
}

/** Tries again until nothing is wrong any more. */
export async function until(check: () => Promise<unknown>): Promise<void> {
  let wrong: unknown = null;
  const right = async (): Promise<boolean> => {
    try {
      await check();
      return true;
    } catch (thrown) {
      wrong = thrown;
      return false;
    }
  };
  const deadline = Date.now() + 15_000;
  while (!(await right())) {
    if (Date.now() > deadline) throw wrong;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

export function frameOf(element: Element): Rect {
  if (element.frame === null) throw new Error(`expected ${element.title} to have a frame`);
  return element.frame;
}

export function centre(rect: Rect): Point {
  return { x: Math.round(rect.x + rect.width / 2), y: Math.round(rect.y + rect.height / 2) };
}

/** A guard that says no from its nth call on, and the error it says it with. */
export function refusing(from: number): { guard: InputGuard; error: Error; calls(): number } {
  const error = new Error('no more input');
  let calls = 0;
  return {
    error,
    calls: () => calls,
    guard: () => {
      calls += 1;
      return calls >= from ? Promise.reject(error) : Promise.resolve();
    },
  };
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (thrown) {
    expect(thrown, String(thrown)).toMatchObject({ name: 'DesktopError' });
    expect((thrown as Error).message.length).toBeGreaterThan(0);
    return String((thrown as { code?: unknown }).code);
  }
  return 'no error';
}
