import { typing } from '../support/titles.js';
import { describe, expect, test } from 'vitest';
import { guardedActor, guardedReader } from '../../src/main/pipeline/run-context.js';
import type { ActCheckDependencies } from '../../src/main/pipeline/act-checks.js';
import { METHODS } from '../../src/native/methods.js';
import { closedEyes } from '../../src/main/pipeline/sight.js';
import { createImaging } from '../../src/main/evidence/imaging.js';
import { maskedActs, maskedReader, type HidingReader } from '../../src/main/pipeline/masked.js';
import { planWindow } from '../../src/main/pipeline/target/plans.js';
import type { Protection } from '../../src/main/pipeline/mask-rules.js';
import {
  type DesktopActor,
  type DesktopBackend,
  type DesktopReader,
  type Rect,
  type Window,
} from '../../src/native/desktop.js';
import { openSimulated } from '../../src/native/simulated/index.js';

const signal = new AbortController().signal;
const open: Protection = {
  isProtected: () => false,
  hintFor: () => null,
  hidesDocument: () => false,
  isPairingLinkOpen: () => false,
};
const limits = { maxDepth: 8, maxNodes: 500, timeoutMs: 10_000 };

function masked(over: { protection?: Partial<Protection>; excluded?: string[]; crowded?: true; inside?: Rect } = {}) {
  const real = openSimulated();
  const full = over.crowded === undefined ? {} : { crowded: over.crowded };
  const { inside } = over;
  const insideOf = (window: Window) =>
    inside === undefined ? {} : { inside: [{ ...window, title: 'Inside', frame: inside }] };
  const windows: DesktopReader['windows'] = async (given) =>
    (await real.windows(given)).map((window) => ({ ...window, ...full, ...insideOf(window) }));
  const desktop = { ...real, windows };
  const covered: Rect[][] = [];
  const seen = maskedReader(desktop, {
    protection: { ...open, ...over.protection },
    imaging: {
      mask(capture, areas) {
        covered.push(areas);
        return capture;
      },
    },
    excludedApps: () => new Set(over.excluded ?? []),
  });
  return { desktop, seen, covered };
}

describe('the desktop as agents see it', () => {
  test('[req:DS-8-10] has no window, tree or picture of an excluded application', async () => {
    const { desktop, seen, covered } = masked({ excluded: ['Simulated.Mail'] });
    const mail = (await desktop.windows(signal)).find(({ app }) => app.id === 'simulated.mail');
    if (mail === undefined) throw new Error('no mail window');
    expect((await seen.windows(signal)).map(({ app }) => app.id)).not.toContain('simulated.mail');
    await expect(seen.tree({ pid: mail.app.pid }, limits, signal)).rejects.toThrow(/not open to agents/);
    await expect(seen.capture({ kind: 'window', windowId: mail.id }, signal)).rejects.toThrow(/not open to agents/);
    await seen.capture({ kind: 'display' }, signal);
    expect(covered.at(-1)).toContainEqual(mail.frame);
  });

  test('[req:PL-4] has no window with too many windows in it where any application is excluded', async () => {
    expect(await masked({ crowded: true }).seen.windows(signal)).not.toEqual([]);
    const { desktop, seen, covered } = masked({ crowded: true, excluded: ['not.running'] });
    expect(await seen.windows(signal)).toEqual([]);
    await seen.capture({ kind: 'display' }, signal);
    const shown = (await desktop.windows(signal)).filter(({ visible }) => visible);
    expect(covered.at(-1)).toEqual(expect.arrayContaining(shown.map(({ frame }) => frame)));
  });

  test('[req:PL-4] has no picture of our page where it is a window inside another’s', async () => {
    const frame = { x: 40, y: 50, width: 60, height: 70 };
    const isProtected: Protection['isProtected'] = (window) => window?.title === 'Inside';
    const { seen, covered } = masked({ inside: frame, protection: { isProtected } });
    await seen.capture({ kind: 'display' }, signal);
    expect(covered.at(-1)).toContainEqual(frame);
  });

  test('[req:DS-8-10] has no tree of a window of ours, though others of its process are open', async () => {
    const { desktop, seen } = masked({ protection: { isProtected: (window) => window?.title === 'New Message' } });
    const mail = (await desktop.windows(signal)).find(({ title }) => title === 'New Message');
    if (mail === undefined) throw new Error('no mail window');
    const inside = seen.tree({ pid: mail.app.pid, windowId: mail.id }, limits, signal);
    await expect(inside).rejects.toThrow(/not open to agents/);
  });

  test('[req:TA-4] tells a process that shows nothing but what stays hidden from one with a window that is hidden for now', async () => {
    const desktop = openSimulated();
    const [mail] = (await desktop.windows(signal)).filter(({ app }) => app.id === 'simulated.mail');
    if (mail === undefined) throw new Error('no mail window');
    const { pid } = mail.app;
    const isProtected = () => true;
    expect(await masked({ protection: { isProtected } }).seen.isAllHidden(pid, signal)).toBe(true);
    expect(await masked({ excluded: ['simulated.mail'] }).seen.isAllHidden(pid, signal)).toBe(true);
    expect(await masked().seen.isAllHidden(pid, signal)).toBe(false);
    expect(await masked({ protection: { isProtected } }).seen.isAllHidden(pid + 1000, signal)).toBe(false);
    const forNow = masked({ protection: { isProtected, hintFor: () => 'Ask the person.' } });
    expect(await forNow.seen.isAllHidden(pid, signal)).toBe(false);
    const some = masked({ protection: { isProtected: (window) => window?.title === 'Chaperone' } });
    some.desktop.world.addWindow(pid, { title: 'Chaperone', frame: { x: 0, y: 0, width: 300, height: 200 } });
    expect(await some.seen.isAllHidden(pid, signal)).toBe(false);
  });

  test('[req:DS-8-10] covers password fields in every picture', async () => {
    const { desktop, seen, covered } = masked();
    const secure = await desktop.secureAreas(signal);
    expect(secure.length).toBeGreaterThan(0);
    await seen.capture({ kind: 'display' }, signal);
    for (const area of secure) expect(covered.at(-1)).toContainEqual(area);
  });

  test('shows nothing at all while a pairing link is open: every method of the reader, but for those that show nothing', async () => {
    const { seen } = masked({ protection: { isPairingLinkOpen: () => true } });
    const open = ['permissions', 'displays', 'apps', 'findApplication', 'pointer'];
    for (const [name, given] of Object.entries(READS)) {
      const look: unknown = Reflect.apply(seen[name as keyof typeof READS], seen, given);
      if (open.includes(name)) await Promise.resolve(look).catch(() => undefined);
      else
        await expect(look, name).rejects.toMatchObject({
          code: 'DESKTOP_HOST_NOT_READY',
          details: { reason: 'pairing' },
        });
    }
  });
});

/** One call of each method: a new one does not compile until it is here, and so is judged by the tests below. */
const READS: {
  [Name in Exclude<keyof HidingReader, 'platform' | 'version' | 'maySpendTimeOn' | `on${string}`>]: Parameters<
    HidingReader[Name]
  >;
} = {
  permissions: [signal],
  displays: [signal],
  apps: [signal],
  windows: [signal],
  frontmost: [signal],
  tree: [{ pid: 1 }, limits, signal],
  find: [{ pid: 1 }, {}, 1, limits, signal],
  element: ['e', signal],
  ancestors: ['e', signal],
  elementAt: [{ x: 1, y: 1 }, signal],
  windowAt: [{ x: 1, y: 1 }, signal],
  focusedElement: [signal],
  scrollerOf: ['e', signal],
  capture: [{ kind: 'display' }, signal],
  windowPaint: ['w', null, signal],
  untilApplication: ['w', 'read', signal],
  windowState: ['w', signal],
  isAllHidden: [1, signal],
  findApplication: ['simulated.mail', signal],
  pointer: [signal],
  readClipboard: [signal],
};
type Acts = Omit<DesktopActor, keyof DesktopReader>;
const actsOn = (element: string, pid: number): { [Name in keyof Acts]: Parameters<Acts[Name]> } => ({
  performAction: [element, 'AXPress', signal],
  setValue: [element, 'x', signal],
  insertText: [element, 'x', signal],
  setSelected: [element, true, signal],
  setExpanded: [element, true, signal],
  focusElement: [element, signal],
  scrollIntoView: [element, signal],
  focusWindow: ['w', signal],
  setWindowFrame: ['w', { x: 1 }, signal],
  setWindowMinimized: ['w', true, signal],
  setWindowMaximized: ['w', true, signal],
  closeWindow: ['w', signal],
  killWindow: ['w', signal],
  quitApp: [pid, signal],
  launch: ['simulated.mail', { background: true, newInstance: false }, signal],
  writeClipboard: [{ text: 'x' }, signal],
  movePointer: [{ x: 1, y: 1 }, signal],
  button: ['left', true, signal],
  scroll: [{ x: 0, y: 1 }, signal],
  key: ['a', true, signal],
  typeText: ['a', signal],
  paste: ['a', pid, signal],
  dropFiles: [['/a'], 'w', signal],
});

const hidingNothing = (desktop: DesktopBackend) => ({
  ...desktop,
  isAllHidden: async () => false,
  maySpendTimeOn: () => true,
});

/** They show nothing of any application. */
const OPEN_READS = ['permissions', 'displays', 'pointer'];

async function guarded(
  over: Partial<ActCheckDependencies> = {},
  desktop = openSimulated(),
  acts: DesktopBackend = desktop,
) {
  const windows = await desktop.windows(signal);
  const front = windows.find(({ focused }) => focused);
  const other = windows.find(({ app }) => app.pid !== front?.app.pid);
  if (front === undefined || other === undefined) throw new Error('no two windows');
  const plan = await planWindow(front, { title: typing(1) });
  const acting = guardedActor(hidingNothing(desktop), acts, {
    real: desktop,
    plan,
    protection: open,
    revoked: () => false,
    noteInjection: () => undefined,
    waitWhilePressing: async () => undefined,
    dragging: () => false,
    signal,
    ...over,
  });
  const pressed = () => desktop.world.journal().filter(({ event }) => ['key', 'pointer', 'text'].includes(event));
  return { desktop, acting, front, other, pressed };
}

describe('the desktop that a handler acts on', () => {
  test('takes keys in the approved window, and nowhere else', async () => {
    const { desktop, acting, other, pressed } = await guarded();
    await acting.typeText('a', signal);
    await desktop.focusWindow(other.id, signal);
    const before = pressed().length;
    await expect(acting.typeText('b', signal)).rejects.toMatchObject({ details: { reason: 'focus' } });
    await expect(acting.key('a', true, signal)).rejects.toMatchObject({ details: { reason: 'focus' } });
    expect(pressed()).toHaveLength(before);
  });

  test('takes no key where what was approved is in no window', async () => {
    const { acting } = await guarded({ plan: null });
    await expect(acting.typeText('a', signal)).rejects.toMatchObject({ details: { reason: 'no_window' } });
  });

  test('takes no button where the pointer was moved away by somebody', async () => {
    const { desktop, acting, front } = await guarded();
    const at = { x: front.frame.x + 50, y: front.frame.y + 60 };
    await acting.movePointer(at, signal);
    await desktop.movePointer({ x: at.x + 30, y: at.y }, signal);
    await expect(acting.button('left', true, signal)).rejects.toMatchObject({ details: { reason: 'pointer' } });
  });

  test('takes nothing in a window of ours, by events or by accessibility', async () => {
    const { desktop, acting, front } = await guarded({ protection: { ...open, isProtected: () => true } });
    await acting.movePointer({ x: front.frame.x + 50, y: front.frame.y + 60 }, signal);
    const send = desktop.world.find('send') ?? '';
    const acts = [
      () => acting.typeText('a', signal),
      () => acting.button('left', true, signal),
      () => acting.scroll({ x: 0, y: 1 }, signal),
      () => acting.performAction(send, 'AXPress', signal),
      () => acting.setValue(send, 'x', signal),
      () => acting.focusElement(send, signal),
    ];
    for (const act of acts) await expect(act()).rejects.toMatchObject({ details: { reason: 'protected' } });
  });

  test('takes nothing by accessibility in another process than the approved one', async () => {
    const { desktop, acting } = await guarded();
    const note = desktop.world.find('note') ?? '';
    for (const act of [acting.performAction(note, 'AXPress', signal), acting.setValue(note, 'x', signal)])
      await expect(act).rejects.toMatchObject({ details: { reason: 'process' } });
  });

  test('takes nothing and shows nothing once the approval is taken back, whatever the method', async () => {
    const { desktop, front } = await guarded();
    const done: string[] = [];
    const { acting } = await guarded({ revoked: () => true }, desktop, recording(desktop, done));
    const calls = { ...READS, ...actsOn(desktop.world.find('send') ?? '', front.app.pid) };
    for (const [name, given] of Object.entries(calls)) {
      const call: unknown = Reflect.apply(acting[name as keyof typeof calls], acting, given);
      if (OPEN_READS.includes(name)) await call;
      else await expect(call, name).rejects.toThrow(/revoked the permission/);
    }
    expect(done).toEqual([]);
  });
});

test('shows a call that only reads nothing once the approval is taken back', async () => {
  const desktop = openSimulated();
  const allowed = guardedReader(hidingNothing(desktop), { revoked: () => false, signal });
  expect(await allowed.windows(signal)).toEqual(await desktop.windows(signal));
  const reading = guardedReader(hidingNothing(desktop), { revoked: () => true, signal });
  for (const [name, args] of Object.entries(READS)) {
    const call: unknown = Reflect.apply(reading[name as keyof typeof READS], reading, args);
    if (OPEN_READS.includes(name)) await call;
    else await expect(call, name).rejects.toThrow(/revoked the permission/);
  }
});

test('refuses and leaves out a method that no rule knows', async () => {
  const desktop = { ...openSimulated(), unknown: async () => 'all of it' };
  const found = (from: object): unknown => Reflect.get(from, 'unknown');
  const reading = guardedReader(hidingNothing(desktop), { revoked: () => true, signal });
  await expect(Reflect.apply(Object(found(reading)), reading, [])).rejects.toThrow(/revoked the permission/);
  const blind = closedEyes({ ...hidingNothing(desktop), capture: desktop.capture });
  await expect(Reflect.apply(Object(found(blind)), blind, [])).rejects.toMatchObject({
    code: 'DESKTOP_ELEMENT_NOT_FOUND',
  });
  expect(
    found(maskedActs(desktop, { imaging: createImaging(), excludedApps: () => new Set<string>(), protection: open })),
  ).toBeUndefined();
});

/** Of acts, what passed its guard. */
function recording(desktop: DesktopBackend, done: string[]): DesktopBackend {
  const act =
    (name: string, part: string) =>
    async (...given: unknown[]) => {
      const guard = part === 'input' ? given.at(-2) : null;
      if (typeof guard === 'function') await Reflect.apply(guard, undefined, []);
      done.push(name);
    };
  const acts = Object.entries(METHODS).filter(([, { kind }]) => kind === 'act' || kind === 'input');
  return { ...desktop, ...Object.fromEntries(acts.map(([name, { kind }]) => [name, act(name, kind)])) };
}
