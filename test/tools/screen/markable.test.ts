import { expect, test } from 'vitest';
import { candidates } from '../../../src/main/tools/screen/picture.js';
import type { Element, ElementStates, Rect, Tree } from '../../../src/native/desktop.js';

const WINDOW = { x: 0, y: 0, width: 400, height: 300 };
const SCREEN = { x: 0, y: 0, width: 1000, height: 800 };

interface Given {
  role: string;
  title?: string;
  value?: string;
  at?: [number, number, number, number] | null;
  actions?: string[];
  states?: Partial<ElementStates>;
  inside?: Given[];
}

function treeOf(root: Given): Tree {
  const nodes: Tree['nodes'] = [];
  const add = (
    { role, title = '', value, at = [10, 10, 50, 20], actions = [], states = {}, inside = [] }: Given,
    depth: number,
    parent: number,
  ) => {
    const frame: Rect | null = at === null ? null : { x: at[0], y: at[1], width: at[2], height: at[3] };
    const element: Element = {
      id: `${nodes.length}`, pid: 1, role, nativeRole: role, title, description: '', value: value ?? null, frame, actions, path: [], identifier: '',
      states: { enabled: true, visible: true, focused: false, editable: false, secure: false, checked: null, selected: null, expanded: null, ...states },
    }; // prettier-ignore
    const index = nodes.push({ element, depth, parent, childCount: inside.length }) - 1;
    for (const child of inside) add(child, depth + 1, index);
  };
  add(root, 0, -1);
  return { nodes, truncated: { depth: false, nodes: false, time: false } };
}

const labels = (inside: Given[], menus = true) =>
  candidates(treeOf({ role: 'AXWindow', title: 'W', at: [0, 0, 400, 300], inside }), WINDOW, SCREEN, menus).map(({ label }) => label); // prettier-ignore

const button = (title: string, more: Partial<Given> = {}): Given => ({ role: 'AXButton', title, ...more });

test('controls that can be used and seen are numbered, and nothing else', () => {
  expect(
    labels([
      button('Yes'),
      button('Disabled', { states: { enabled: false } }),
      button('Hidden', { states: { visible: false } }),
      button('Placeless', { at: null }),
      button('Tiny', { at: [5, 5, 3, 3] }),
      button('Less than half', { at: [390, 10, 60, 20] }),
      button('Beyond the window', { at: [397, 10, 60, 20] }),
      { role: 'AXStaticText', title: 'Words', actions: ['AXPress'] },
      { role: 'AXGroup', title: 'Group', actions: ['AXPress'] },
      { role: 'AXImage', title: 'Picture that acts', actions: ['AXPress'] },
      { role: 'AXImage', title: 'Picture' },
      { role: 'AXTextField', title: 'Field' },
    ]),
  ).toEqual(['Yes', 'Less than half', 'Picture that acts', 'Field']);
});

test('what is scrolled out of sight is not, what shows in part is cut', () => {
  const scrolled = { role: 'AXScrollArea', at: [0, 0, 200, 100] as [number, number, number, number] };
  const inside = [button('In'), button('Out', { at: [10, 150, 50, 20] }), button('Half', { at: [10, 70, 50, 50] })];
  const tree = treeOf({ role: 'AXWindow', at: [0, 0, 400, 300], inside: [{ ...scrolled, inside }] });
  const found = candidates(tree, WINDOW, SCREEN, true);
  expect(found.map(({ label }) => label)).toEqual(['In', 'Half']);
  expect(found[1]?.frame).toEqual({ x: 10, y: 70, width: 50, height: 30 });
});

test('a control inside one of the same size, and what a combo box holds, are one with it', () => {
  expect(
    labels([
      { role: 'AXLink', title: 'Link', inside: [button('Same')] },
      {
        role: 'AXRow',
        states: { selected: false },
        at: [0, 40, 300, 30],
        inside: [button('Delete', { at: [250, 45, 40, 20] })],
      },
      { role: 'AXComboBox', title: 'Colour', inside: [{ role: 'AXMenuItem', title: 'Red', at: [12, 12, 20, 10] }] },
    ]),
  ).toEqual(['Link', 'Delete', 'Delete', 'Colour']);
});

test('items of an open menu lie outside of their window, and are no part of its own picture', () => {
  const menu: Given = {
    role: 'AXMenuBar',
    inside: [
      { role: 'AXMenu', title: 'Edit', inside: [{ role: 'AXMenuItem', title: 'Copy', at: [10, 290, 300, 25] }] },
    ],
  };
  expect(labels([{ ...menu, inside: menu.inside?.map((one) => ({ ...one, actions: ['AXPress'] })) ?? [] }])).toEqual([
    'Edit',
    'Copy',
  ]);
  expect(labels([menu], false)).toEqual([]);
});

test('what has no name of its own goes by the words in it, never by a secret', () => {
  const row = (inside: Given[]): Given => ({
    role: 'AXRow',
    states: { selected: false },
    at: [0, 40, 300, 30],
    inside,
  });
  expect(
    labels([
      row([{ role: 'AXGroup', inside: [{ role: 'AXStaticText', value: 'Row 1' }] }]),
      row([{ role: 'AXTextField', value: 'hunter2', states: { secure: true }, at: null }]),
    ]),
  ).toEqual(['Row 1', '']);
});
