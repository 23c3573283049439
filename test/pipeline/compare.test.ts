import { typing } from '../support/titles.js';
import { describe, expect, test } from 'vitest';
import { originAt, pixelDrift, planDrift, stepDrift } from '../../src/main/pipeline/compare.js';
import type { Plan } from '../../src/main/approvals/plan.js';
import type { Element, Window } from '../../src/native/desktop.js';

const app = { id: 'mail', name: 'Mail', pid: 7, startTime: 'then', frontmost: true };
const WINDOW: Window = {
  id: 'w1', title: 'Inbox', app, frame: { x: 0, y: 0, width: 400, height: 300 },
  focused: true, minimized: false, visible: true, normal: true, documentUrl: 'https://shop.example/cart',
}; // prettier-ignore
const STATES = { enabled: true, visible: true, focused: false, editable: true, secure: false, checked: null, selected: null, expanded: null }; // prettier-ignore
const ELEMENT: Element = {
  id: 'e1', pid: 7, role: 'AXTextField', nativeRole: 'entry', title: 'Subject', description: '', value: null,
  frame: { x: 10, y: 10, width: 80, height: 20 }, states: STATES, actions: [], path: [0, 1], identifier: 'subject',
  document: { url: 'https://shop.example/cart' },
}; // prettier-ignore

function plan(element: Partial<Element> = {}, window: Partial<Window> = {}, more: Partial<Plan> = {}): Plan {
  const subject = { title: typing(1), target: 'Subject', app: 'Mail', place: null };
  return {
    subject, target: { kind: 'element', element: { ...ELEMENT, ...element } }, window: { ...WINDOW, ...window },
    ancestors: ['Form'], text: 'hello', notes: [], look: null, needsFocus: false, alwaysAsk: false, pixels: null, ...more,
  }; // prettier-ignore
}

const CHANGES: [string, Plan][] = [
  ['another element of the same name', plan({ id: 'e2' })],
  ['a password field', plan({ states: { ...STATES, secure: true } })],
  ['another role', plan({ role: 'AXButton' })],
  ['another name', plan({ title: 'Body' })],
  ['another document', plan({ document: { url: 'https://bank.example/' } })],
  ['another process', plan({ pid: 8 })],
  ['another window', plan({}, { id: 'w2' })],
  ['a process started later', plan({}, { app: { ...app, startTime: 'now' } })],
  ['another text', plan({}, {}, { text: 'good bye' })],
  ['an element that went out of view', plan({}, {}, { scroller: ELEMENT })],
];

describe('what was approved is compared with what is there [req:DS-4-12]', () => {
  test('nothing differs where only frames and states of no weight do', () => {
    const moved = plan({ frame: { x: 50, y: 90, width: 80, height: 20 }, states: { ...STATES, focused: true } });
    expect(planDrift(plan(), moved)).toEqual([]);
    expect(stepDrift(plan(), moved)).toEqual([]);
    expect(planDrift(plan({}, {}, { scroller: ELEMENT }), plan())).toEqual([]);
  });

  test.each(CHANGES)('%s is noticed, also in a later step', (_, fresh) => {
    expect(planDrift(plan(), fresh)).not.toEqual([]);
    expect(stepDrift(plan(), fresh)).not.toEqual([]);
  });

  test('the same window at another address of one site is noticed, but not in a later step', () => {
    const fresh = plan({}, { documentUrl: 'https://shop.example/pay' });
    expect(planDrift(plan(), fresh)).not.toEqual([]);
    expect(stepDrift(plan(), fresh)).toEqual([]);
  });

  test('other ancestors are noticed', () => {
    expect(planDrift(plan(), plan({}, {}, { ancestors: ['Other form'] }))).not.toEqual([]);
  });
});

test('[req:EG-1] what is in no document of a browser is on no site', () => {
  const { document: _document, ...bare } = ELEMENT;
  const shown = { documents: { urls: ['https://shop.example/cart'], complete: true } };
  expect(originAt(plan({}, shown))).toBe('https://shop.example');
  expect(originAt({ ...plan({}, shown), target: { kind: 'element', element: bare } })).toBeNull();
  expect(originAt({ ...plan(), target: { kind: 'element', element: bare } })).toBe('https://shop.example');
});

/** Cells of a field: its paper, a bar one cell wide from top to bottom, and in it a part that a letter covers. */
function cells(bar: 'absent' | 'shown'): Plan['pixels'] {
  const [columns, rows] = [10, 12];
  const ink = (row: number, column: number) =>
    column !== 4 || row < 1 || row > 10 ? 240 : row === 5 ? (bar === 'shown' ? 100 : 140) : bar === 'shown' ? 130 : 240;
  const all = Array.from({ length: columns * rows }, (_, at) => ink(Math.floor(at / columns), at % columns));
  return { columns, rows, edge: 2, cells: all.flatMap((value) => [value, value, value]) };
}

describe('a caret over a letter', () => {
  const field = (value: string | null, editable: boolean, pixels: Plan['pixels']) =>
    plan({ value, states: { ...STATES, editable } }, {}, { pixels });
  const differs = (one: string | null, other: string | null, editable = true) =>
    pixelDrift(field(one, editable, cells('absent')), field(other, editable, cells('shown')));

  test('[req:DS-4-12] is no difference in a field with the same text', () => {
    expect(differs('Ada', 'Ada')).toBe(false);
    expect(pixelDrift(field('Ada', true, cells('shown')), field('Ada', true, cells('absent')))).toBe(false);
  });

  test('[req:DS-4-12] is one where the text is another, is not known, or cannot be edited', () => {
    expect([differs('−7', '+7'), differs(null, null), differs('Ada', 'Ada', false)]).toEqual([true, true, true]);
  });
});
