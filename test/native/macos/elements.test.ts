import { describe, expect, it } from 'vitest';
import type { Element, Selector, Tree, TreeLimits } from '../../../src/native/desktop.js';
import { createElementTable } from '../../../src/native/macos/accessibility/element-table.js';
import { withoutHidden } from '../../../src/native/macos/accessibility/documents.js';
import { codeFrom } from '../../support/macos/errors.js';
import { openReader, type Opened } from '../../support/macos/reader.js';
import { addControl, at, MAIN, SECOND, SECRET, type Scene } from '../../support/macos/scene.js';
import { withScene } from '../../support/macos/with-scene.js';

const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 5000, timeoutMs: 20_000 };

let scene: Scene;
let opened: Opened;
const { library, script } = withScene((started) => ({ scene, opened } = started));
const whole = (more: Partial<TreeLimits> = {}): Tree => opened.reader.tree({ pid: MAIN.pid }, { ...LIMITS, ...more });
const find = (selector: Selector): Element[] => opened.reader.find({ pid: MAIN.pid }, selector, 50, LIMITS).elements;
const one = (titleContains: string): Element => {
  const [element, ...others] = find({ titleContains }).filter(({ role }) => role !== 'AXStaticText');
  if (element === undefined || others.length > 0) throw new Error(`expected one ${titleContains}`);
  return element;
};

describe('a tree', () => {
  it('is read whole, in preorder, from the application down', () => {
    const { nodes, truncated } = whole();
    expect(truncated).toEqual({ depth: false, nodes: false, time: false });
    expect(nodes.map(({ element, depth, parent, childCount }) => [element.role, element.title, depth, parent, childCount])).toEqual([
      ['AXApplication', 'Fixture', 0, -1, 2],
      ['AXWindow', 'Contract fixture', 1, 0, 6],
      ['AXStaticText', 'Name', 2, 1, 0],
      ['AXTextField', 'Name', 2, 1, 0],
      ['AXTextField', 'Secret', 2, 1, 0],
      ['AXCheckBox', 'Remind me', 2, 1, 0],
      ['AXGroup', '', 2, 1, 3],
      ['AXButton', 'Send', 3, 6, 0],
      ['AXButton', 'Locked', 3, 6, 0],
      ['AXSlider', 'Volume', 3, 6, 0],
      ['AXScrollArea', '', 2, 1, 2],
      ['AXTextArea', 'Story', 3, 10, 0],
      ['AXButton', 'Scrolled away', 3, 10, 0],
      ['AXMenuBar', '', 1, 0, 0],
    ]); // prettier-ignore
    expect(nodes.map(({ element }) => element.path)).toContainEqual([0, 4, 1]);
  });

  it('says where a limit cut it short', () => {
    expect(whole({ maxDepth: 0 })).toMatchObject({ truncated: { depth: true }, nodes: { length: 1 } });
    expect(whole({ maxNodes: 14 }).truncated.nodes).toBe(false);
    expect(whole({ maxNodes: 13 })).toMatchObject({ truncated: { nodes: true }, nodes: { length: 13 } });
    expect(whole({ timeoutMs: 0 })).toMatchObject({ truncated: { time: true }, nodes: { length: 1 } });
  });

  it('starts at a window or an element where it is told to', () => {
    const { reader } = opened;
    const below = reader.tree({ pid: MAIN.pid, windowId: '71' }, LIMITS);
    expect(below.nodes[0]?.element).toMatchObject({ role: 'AXWindow', path: [0] });
    const send = one('Send');
    const leaf = reader.tree({ pid: MAIN.pid, elementId: send.id }, LIMITS);
    expect(leaf.nodes.map(({ element }) => element)).toEqual([send]);
    expect(codeFrom(() => reader.tree({ pid: MAIN.pid, windowId: '72' }, LIMITS))).toBe('not_found');
    expect(codeFrom(() => reader.tree({ pid: MAIN.pid, windowId: '999' }, LIMITS))).toBe('not_found');
    expect(codeFrom(() => reader.tree({ pid: SECOND.pid, elementId: send.id }, LIMITS))).toBe('stale');
    expect(codeFrom(() => reader.tree({ pid: 5_999_999 }, LIMITS))).toBe('not_found');
  });

  it('leaves out what does not show, where it is told to', () => {
    const titles = whole({ visibleOnly: true }).nodes.map(({ element }) => element.title);
    expect(titles).toContain('Send');
    expect(titles).not.toContain('Scrolled away');
  });

  it('says the same in brief, but for actions and identifiers', () => {
    const plain = whole().nodes.map((node) => ({ ...node, element: { ...node.element, actions: [], identifier: '' } }));
    expect(whole({ brief: true }).nodes).toEqual(plain);
  });

  it('with a circle in it ends, each element once', () => {
    script.adopt(scene.send, scene.window);
    const ids = whole().nodes.map(({ element }) => element.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(14);
  });

  it('of an application that hangs costs one call, and says so', () => {
    script.hang(MAIN.pid, 1);
    const calls = script.hungCalls();
    expect(codeFrom(() => whole())).toBe('not_responding');
    expect(script.hungCalls() - calls).toBe(1);
    script.hang(MAIN.pid, 0);
  });

  it('is refused without the permission', () => {
    script.trust(0);
    expect(codeFrom(() => whole())).toBe('permission');
    script.trust(1);
  });

  it('keeps nothing alive after thousands of readings but what has an id', () => {
    whole();
    const held = script.liveObjects();
    for (let round = 0; round < 300; round++) whole();
    expect(script.liveObjects()).toBe(held);
  });
});

describe('an element', () => {
  it('has role, states, frame, actions and identifier', () => {
    expect(one('Send')).toMatchObject({
      pid: MAIN.pid,
      role: 'AXButton',
      nativeRole: 'AXButton',
      frame: at(120, 240, 100, 30),
      actions: ['AXPress'],
      identifier: 'send',
      value: null,
      states: { enabled: true, visible: true, focused: false, editable: false, secure: false, checked: null },
    });
    expect(one('Locked').states.enabled).toBe(false);
    expect(one('Remind me').states.checked).toBe(false);
    expect(one('Name')).toMatchObject({ value: '', states: { editable: true, focused: true } });
    expect(one('Story')).toMatchObject({ value: 'Once\nupon', states: { editable: true } });
    expect(one('Volume').value).toBe('8');
  });

  it('shows only within its window, its scroll areas and the displays', () => {
    expect(one('Scrolled away').states.visible).toBe(false);
    script.showWindow(71, 0);
    expect(one('Send').states.visible).toBe(false);
  });

  it('that is a password field has no value, and the value is not even asked for', () => {
    const password = one('Secret');
    expect(password).toMatchObject({ value: null, nativeRole: 'AXTextField:AXSecureTextField', states: { secure: true } }); // prettier-ignore
    expect(JSON.stringify([whole(), opened.reader.element(password.id)])).not.toContain(SECRET);
    expect(find({ valueContains: 'hunter2' })).toEqual([]);
    script.number(scene.password, 'AXSubrole', 3, 0);
    expect(one('Secret')).toMatchObject({ value: null, states: { secure: true } });
  });

  it('that is labelled by a password field does not get its text as title', () => {
    script.reference(scene.remind, 'AXTitleUIElement', scene.password);
    script.text(scene.remind, 'AXTitle', '', 0);
    expect(JSON.stringify(whole())).not.toContain(SECRET);
  });

  it('that is mixed is neither checked nor unchecked', () => {
    script.number(scene.remind, 'AXValue', 2, 0);
    expect(one('Remind me').states.checked).toBeNull();
  });

  it('knows the page it is in, and a page that is hidden is left out with its content', () => {
    const page = addControl(script, scene.window, { role: 'AXWebArea', title: 'Page', frame: at(120, 290, 400, 200) });
    script.text(page, 'AXURL', 'https://shop.example/', 0);
    const link = addControl(script, page, { role: 'AXLink', title: 'Basket', frame: at(130, 300, 50, 20) });
    script.text(link, 'AXURL', 'https://shop.example/basket', 0);
    const found = one('Basket');
    expect(found.document).toEqual({ url: 'https://shop.example/' });
    expect(opened.reader.element(found.id)).toEqual({ ...found, leadsTo: 'https://shop.example/basket' });
    const hides = (url: string | null): boolean => url === 'https://shop.example/';
    const titles = withoutHidden(whole(), hides).nodes.map(({ element }) => element.title);
    expect(titles).not.toContain('Page');
    expect(titles).not.toContain('Basket');
    const below = opened.reader.tree({ pid: MAIN.pid, elementId: found.id }, LIMITS);
    expect(below.nodes).toHaveLength(1);
    expect(withoutHidden(below, hides).nodes).toEqual([]);
  });

  it('is read again by its id, and has its ancestors up to the window', () => {
    const send = one('Send');
    expect(opened.reader.element(send.id)).toEqual(send);
    expect(opened.reader.ancestors(send.id).map(({ role, path }) => [role, path])).toEqual([
      ['AXGroup', [0, 4]],
      ['AXWindow', [0]],
    ]);
  });

  it('that is gone is stale, and so is one of another process', () => {
    const send = one('Send');
    script.removeElement(scene.send);
    expect(codeFrom(() => opened.reader.element(send.id))).toBe('stale');
    expect(codeFrom(() => opened.reader.ancestors(send.id))).toBe('stale');
    const later = openReader(library, 2);
    whole();
    later.reader.tree({ pid: MAIN.pid }, LIMITS);
    expect(codeFrom(() => later.reader.element(one('Locked').id))).toBe('stale');
    later.core.close();
  });
});

describe('finding', () => {
  it('matches as every desktop does', () => {
    expect(find({ role: 'AXButton' }).map(({ title }) => title)).toEqual(['Send', 'Locked', 'Scrolled away']);
    expect(find({ role: 'AXButton', visibleOnly: true }).map(({ title }) => title)).toEqual(['Send', 'Locked']);
    expect(find({ identifier: 'send' })).toHaveLength(1);
    expect(find({ roles: ['AXTextField:AXSecureTextField'] })).toHaveLength(1);
    expect(opened.reader.find({ pid: MAIN.pid }, { role: 'AXButton' }, 1, LIMITS)).toMatchObject({ matched: 3, elements: { length: 1 } }); // prettier-ignore
  });
});

describe('a point', () => {
  it('hits the deepest element of the window on top', () => {
    expect(opened.reader.at({ x: 150, y: 250 })?.title).toBe('Send');
    expect(opened.reader.at({ x: 750, y: 230 })?.title).toBe('Other');
    expect(opened.reader.at({ x: 5, y: 600 })).toBeNull();
    expect(opened.reader.at({ x: -50, y: 20 })).toBeNull();
  });

  it('hits nothing rather than what lies below, where the hit test of the system passes through the window on top', () => {
    script.passesHits(71);
    expect(opened.reader.at({ x: 350, y: 250 })).toBeNull();
  });
});

describe('the focus', () => {
  it('is where the application in front says', () => {
    expect(opened.reader.focused()).toMatchObject({ role: 'AXTextField', title: 'Name', states: { focused: true } });
    script.focus(MAIN.pid, scene.window, 0);
    expect(opened.reader.focused()).toBeNull();
  });
});

describe('ids', () => {
  it('are those of equal elements, also where their hashes are the same', () => {
    const { core } = opened;
    for (let more = 0; more < 200; more++) addControl(script, scene.window, { role: 'AXGroup' });
    const first = whole().nodes.map(({ element }) => element.id);
    expect(new Set(first).size).toBe(214);
    expect(whole().nodes.map(({ element }) => element.id)).toEqual(first);
    expect(core.elements.idOf(core.elements.refOf(first[100] ?? ''))).toBe(first[100]);
  });

  it('used longest ago are forgotten where there are too many', () => {
    const { core } = opened;
    const ids = whole().nodes.map(({ element }) => element.id);
    const live = script.liveObjects();
    const table = createElementTable(core.bound, 7, 2);
    const three = ids.slice(0, 3).map((id) => table.idOf(core.elements.refOf(id)));
    table.refOf(three[0] ?? '');
    table.trim();
    expect(codeFrom(() => table.refOf(three[1] ?? ''))).toBe('stale');
    expect(table.refOf(three[0] ?? '')).toBe(core.elements.refOf(ids[0] ?? ''));
    table.close();
    expect(script.liveObjects()).toBe(live);
  });
});
