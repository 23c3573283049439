import { expect, test } from 'vitest';
import { containingWindow } from '../../../src/main/pipeline/target/plans.js';
import { coveredError, coverNote, findCover } from '../../../src/main/pipeline/target/scope.js';
import type { Element, Rect, Window } from '../../../src/native/desktop.js';
import { openSimulated } from '../../../src/native/simulated/index.js';
import { message } from '../../../src/messages/index.js';

const signal = new AbortController().signal;
const app = { id: 'calc', name: 'Calc', pid: 7, startTime: '1', frontmost: true };
const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });

const window = (id: string, frame: Rect, more: Partial<Window> = {}): Window => ({
  id, title: 'calc', app, frame, focused: false, minimized: false, visible: true, normal: true, documentUrl: null, ...more,
}); // prettier-ignore

const states = { enabled: true, visible: true, focused: false, editable: false, secure: false, checked: null, selected: null, expanded: null }; // prettier-ignore
const element = (role: string, frame: Rect | null, more: Partial<Element> = {}): Element => ({
  id: role, pid: 7, role, nativeRole: '', title: 'calc', description: '', value: null, frame, states, actions: [], path: [], identifier: '', ...more,
}); // prettier-ignore

const MAIN = rect(100, 100, 300, 400);
const nine = element('AXButton', rect(150, 200, 60, 30), { title: '9' });
const root = element('AXWindow', MAIN);

/** Pairs as a backend does: `roots` names the root of each window. */
async function find(windows: Window[], of: Element, ancestors: Element[], roots: Record<string, string> = {}) {
  const desktop = openSimulated();
  const paired = {
    ...desktop,
    tree: async ({ windowId = '' }: { windowId?: string }) => ({
      nodes: [
        { element: element('AXWindow', MAIN, { id: roots[windowId] ?? '' }), depth: 0, parent: -1, childCount: 0 },
      ],
      truncated: { depth: false, nodes: false, time: false },
    }),
  };
  const found = await containingWindow(paired, windows, of, ancestors, signal);
  await desktop.close();
  return found?.id ?? null;
}

test('a tooltip with the title of the application, on top and over the element, is not its window [req:TR-1]', async () => {
  const tip = window('tip', rect(140, 190, 200, 60), { normal: false });
  expect(await find([tip, window('main', MAIN)], nine, [root])).toBe('main');
  expect(await find([tip, window('main', rect(0, 0, 9, 9))], nine, [root])).toBe('main');
});

test('an item of an open menu is in the window of the menu', async () => {
  const menu = window('menu', rect(140, 190, 200, 60), { normal: false, title: '' });
  const item = element('AXMenuItem', rect(150, 200, 180, 20));
  expect(await find([menu, window('main', MAIN)], item, [root])).toBe('menu');
  expect(await find([menu, window('main', MAIN)], nine, [element('AXMenu', null), root])).toBe('menu');
  expect(await find([menu, window('main', MAIN)], nine, [element('AXList', rect(141, 191, 199, 60)), root])).toBe(
    'menu',
  );
  expect(await find([menu, window('main', MAIN)], nine, [element('AXList', rect(141, 191, 150, 60)), root])).toBe(
    'main',
  );
  expect(await find([{ ...menu, visible: false }, window('main', MAIN)], item, [root])).toBe('main');
  expect(await find([menu, window('main', MAIN)], element('AXMenuItem', rect(150, 300, 180, 20)), [root])).toBe('main');
});

test('of two windows the frame and title of the root decide, then the backend', async () => {
  const [front, back] = [window('front', rect(90, 90, 300, 400)), window('back', MAIN)];
  expect(await find([front, back], nine, [root])).toBe('back');
  expect(await find([window('front', MAIN, { title: 'other' }), back], nine, [root])).toBe('back');
  const twins = [window('front', MAIN), window('back', MAIN)];
  expect(await find(twins, nine, [root], { front: 'x', back: root.id })).toBe('back');
  const elsewhere = [window('front', rect(0, 0, 10, 10)), window('back', rect(100, 100, 200, 200))];
  expect(await find(elsewhere, nine, [{ ...root, frame: null }])).toBe('back');
});

test('where nothing tells, no window is named', async () => {
  const strangers = [window('a', rect(0, 0, 10, 10), { title: 'a' }), window('b', rect(20, 0, 10, 10), { title: 'b' })];
  expect(await find(strangers, nine, [root])).toBe(null);
  expect(await find(strangers, nine, [])).toBe(null);
  expect(await find([window('tip', MAIN, { normal: false })], nine, [])).toBe(null);
  expect(await find([window('other', MAIN, { app: { ...app, pid: 8 } })], nine, [root])).toBe(null);
  expect(await find([window('only', rect(0, 0, 1, 1), { title: 'x' })], nine, [])).toBe('only');
});

test('only what lies above and over the target covers it [req:TR-2]', () => {
  const main = window('main', MAIN);
  const target = rect(150, 200, 60, 30);
  const over = window('over', rect(200, 220, 100, 100), { title: 'Notes' });
  expect(findCover([over, main], main, target)?.id).toBe('over');
  expect(findCover([main, over], main, target)).toBe(null);
  expect(findCover([{ ...over, visible: false }, main], main, target)).toBe(null);
  expect(findCover([{ ...over, frame: rect(210, 200, 50, 50) }, main], main, target)).toBe(null);
  expect(findCover([{ ...over, frame: rect(150, 230, 50, 50) }, main], main, target)).toBe(null);
  expect(findCover([{ ...over, frame: rect(90, 100, 60, 400) }, main], main, target)).toBe(null);
  expect(findCover([over], main, target)).toBe(null);
  expect(coverNote(over)).toEqual(message('note.covered_by', { window: 'Notes' }));
  expect(coverNote({ ...over, normal: false })).toEqual(message('note.covered_by_popup', { app: 'Calc' }));
  expect(coveredError(null, over, { x: 1, y: 2 })).toMatchObject({
    code: 'DESKTOP_TARGET_CHANGED',
    message: 'Nothing was done: (1, 2) is covered by “Notes”.',
    details: { reason: 'covered', by: { window: 'Notes', application: 'Calc' } },
  });
});
