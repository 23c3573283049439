/** What GTK 4.18 tells of itself, noted down from its own programs: the tests' own applications are older. */
import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../../src/native/desktop.js';
import type { AccessibleObject } from '../../../src/native/linux/atspi/accessible-object.js';
import type { AccessibilityBus } from '../../../src/native/linux/atspi/bus.js';
import { openGtk4Layout } from '../../../src/native/linux/atspi/gtk4-layout.js';
import type { TopLevelWindow } from '../../../src/native/linux/windows.js';
import { verbatim } from '../../../src/messages/index.js';

const signal = new AbortController().signal;
const NEW = { name: 'gtk', major: 4, minor: 18 };
const PANEL = 39;
const SCROLL_PANE = 49;

interface Widget {
  /** Within its parent, as GTK tells it: from the inside of the parent's padding, the own border included. */
  at: [number, number, number, number] | null;
  role?: number;
  popover?: boolean;
  children?: Record<string, Widget>;
}

const refOf = (name: string) => ({ bus: ':1.4', path: `/${name}` });

function busOf(tree: Record<string, Widget>, asked: string[] = []): AccessibilityBus {
  const all = new Map<string, { widget: Widget; parent: string }>();
  const note = (widgets: Record<string, Widget>, parent: string): void => {
    for (const [name, widget] of Object.entries(widgets)) {
      all.set(`/${name}`, { widget, parent });
      note(widget.children ?? {}, `/${name}`);
    }
  };
  note(tree, '/a11y/root');
  const known = (path: string) => {
    const found = all.get(path);
    if (found === undefined) throw new DesktopError('stale', verbatim(`no ${path}`));
    return found;
  };
  const answers = new Map<string, (widget: Widget) => unknown>([
    ['Accessible.GetRole', ({ role = PANEL }) => role],
    ['Accessible.GetChildren', ({ children = {} }) => Object.keys(children).map((name) => [':1.4', `/${name}`])],
    ['Component.GetLayer', ({ popover = false }) => (popover ? 5 : 3)],
    ['Component.GetExtents', ({ at }) => at ?? [0, 0, 0, 0]],
  ]);
  const unused = (): never => {
    throw new Error('not asked here');
  };
  return {
    call: async ({ path }, member, options) => {
      // In relation to the screen and the window it tells nothing that is of use.
      asked.push(member);
      if (member === 'Component.GetExtents') expect(options?.body).toEqual([2]);
      return [answers.get(member)?.(known(path).widget)];
    },
    property: async ({ path }, name) => {
      asked.push(name);
      const { widget, parent } = known(path);
      return name === 'Accessible.ChildCount' ? Object.keys(widget.children ?? {}).length : [':1.4', parent];
    },
    properties: unused,
    setProperty: unused,
    reading: (_names, _signal, work) => work(),
    roots: unused,
    pidOf: unused,
    hasLeft: unused,
    answers: unused,
    listen: unused,
    onEnd: () => () => {},
    heardAll: unused,
    close: unused,
  };
}

function windowAt(xid: number, x: number, y: number, width: number, height: number): TopLevelWindow {
  const rect = { x, y, width, height };
  const borders = { left: 0, right: 0, top: 0, bottom: 0 };
  return {
    id: xid, top: xid, title: '', instance: '', className: '', pid: 1, frame: rect, client: rect, borders,
    focused: true, minimized: false, normal: true, viewable: true, mapped: true, shown: true, tooltip: false, dragged: false, onOtherDesktop: false, states: [], inside: [], crowded: false,
  }; // prettier-ignore
}

const label: Widget = { at: [0, 0, 34, 24] };
const send: Widget = { at: [0, 110, 68, 34], children: { label } };
const rows = { near: { at: [0, 0, 380, 30] }, far: { at: [0, 600, 380, 30] } } satisfies Record<string, Widget>;
const popover: Widget = {
  at: [0, 0, 192, 186],
  popover: true,
  children: { content: { at: [0, 14, 186, 168], children: { inner: { at: [0, 0, 168, 150], children: { pin: { at: [0, 104, 168, 34] } } } } } },
}; // prettier-ignore
const list: Widget = { at: [0, 150, 380, 120], role: SCROLL_PANE, children: rows };
const box: Widget = { at: [10, 56, 390, 304], children: { secret: { at: [0, 40, 390, 34] }, send, list } };
const bar: Widget = { at: [-1, -1, 412, 47], children: { handle: { at: [0, 0, 400, 46], children: { pop: { at: [0, 6, 67, 34], children: { popover } } } } } }; // prettier-ignore
const frame: Widget = { at: [-5, -5, 420, 380], children: { box, bar } };

describe('places in GTK 4', () => {
  it('are found without asking again for what was just read', async () => {
    const window = new Map([[':1.4/frame', windowAt(7, 5, 260, 420, 380)]]);
    const object = (name: string, parent: string, role: number): AccessibleObject => ({
      ...{ ref: refOf(name), parent: refOf(parent), role, name: '', description: '' },
      ...{ states: [0, 0], interfaces: new Set<string>(), childCount: 0 },
    });
    const asked: string[] = [];
    const layout = openGtk4Layout(busOf({ frame }, asked), NEW, window, []);
    layout.noteRead([
      object('near', 'list', PANEL),
      object('far', 'list', PANEL),
      object('list', 'box', SCROLL_PANE),
      object('box', 'frame', PANEL),
      object('frame', 'a11y/root', PANEL),
    ]);
    const other = openGtk4Layout(busOf({ frame }), NEW, window, []);
    expect(await layout.placeOf(refOf('near'), signal)).toEqual(await other.placeOf(refOf('near'), signal));
    expect(await layout.placeOf(refOf('near'), signal)).not.toBeNull();
    expect(await layout.placeOf(refOf('far'), signal), 'scrolled away').toBeNull();
    expect(asked).not.toContain('Accessible.GetRole');
    expect(asked).not.toContain('Accessible.Parent');
  });

  const open = (popups: TopLevelWindow[] = []) =>
    openGtk4Layout(busOf({ frame }), NEW, new Map([[':1.4/frame', windowAt(7, 5, 260, 420, 380)]]), popups);
  const placeOf = async (name: string, popups: TopLevelWindow[] = []) => {
    const found = await open(popups).placeOf(refOf(name), signal);
    return found === null ? null : [found.id, ...Object.values(found.frame)];
  };

  it('counts the border that a window draws and the padding inside buttons and bars', async () => {
    expect(await placeOf('frame')).toEqual([7, 5, 260, 420, 380]);
    expect(await placeOf('secret')).toEqual([7, 20, 361, 390, 34]);
    expect(await placeOf('send')).toEqual([7, 20, 431, 68, 34]);
    expect(await placeOf('label')).toEqual([7, 37, 436, 34, 24]);
    expect(await placeOf('pop')).toEqual([7, 15, 270, 67, 34]);
  });

  it('finds what is in a popover in the popover’s own window', async () => {
    const popups = [windowAt(8, 900, 40, 93, 120), windowAt(9, 297, 302, 192, 186)];
    expect(await placeOf('popover', popups)).toEqual([9, 297, 302, 192, 186]);
    expect(await placeOf('pin', popups)).toEqual([9, 309, 429, 168, 34]);
  });

  it('leaves out what is scrolled out of sight', async () => {
    expect(await placeOf('near')).toEqual([7, 20, 471, 380, 30]);
    expect(await placeOf('far')).toBeNull();
  });

  it('covers more where a place is not told to the pixel', async () => {
    const asymmetric: Widget = {
      at: [0, 0, 372, 192],
      children: { text: { at: [0, 0, 372, 54] }, pin: { at: [0, 97, 372, 54] } },
    };
    const placing = openGtk4Layout(busOf({ asymmetric }), NEW, new Map([[':1.4/asymmetric', windowAt(7, 100, 100, 372, 192)]]), []); // prettier-ignore
    expect((await placing.placeOf(refOf('pin'), signal))?.frame).toEqual({ x: 100, y: 197, width: 372, height: 54 });
    const inner = openGtk4Layout(busOf({ outer: { at: [0, 0, 372, 192], children: { asymmetric } } }), NEW, new Map([[':1.4/outer', windowAt(7, 100, 100, 372, 192)]]), []); // prettier-ignore
    const cover = await inner.coverOf(refOf('pin'), signal);
    // It is drawn up to 32 further down there, by a padding that is above only.
    expect(cover).toMatchObject({ x: 94, y: 191 });
    expect((cover?.y ?? 0) + (cover?.height ?? 0)).toBeGreaterThanOrEqual(197 + 54 + 32);
  });
});
