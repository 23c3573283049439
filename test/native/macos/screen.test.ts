import { describe, expect, it } from 'vitest';
import type { Rect } from '../../../src/native/desktop.js';
import { secureAreas } from '../../../src/native/macos/accessibility/secure-areas.js';
import { listDisplays } from '../../../src/native/macos/screen/displays.js';
import type { Opened } from '../../support/macos/reader.js';
import {
  addApp,
  addControl,
  addSurface,
  addWindow,
  at,
  buildScene,
  DOCK,
  MAIN,
  SCREENSHOT,
  SECOND,
  type Scene,
} from '../../support/macos/scene.js';
import { codeFrom } from '../../support/macos/errors.js';
import { withScene } from '../../support/macos/with-scene.js';

let opened: Opened;
let scene: Scene;
const { script } = withScene((started) => ({ opened, scene } = started));

describe('displays', () => {
  it('have ids that outlive a reconnection, names, points and pixels; mirrors are left out', () => {
    expect(listDisplays(opened.core)).toEqual([
      { id: '37D8832A-2D66-02CA-B9F7-000000000001', name: 'Built-in Display', frame: at(0, 0, 1440, 900), scale: 2, main: true },
      { id: '37D8832A-2D66-02CA-B9F7-000000000005', name: 'Side Display', frame: at(1440, 0, 1920, 1080), scale: 1, main: false },
    ]); // prettier-ignore
  });

  it('that all sleep are an error, not an empty list', () => {
    script.reset();
    expect(codeFrom(() => listDisplays(opened.core))).toBe('failed');
    buildScene(script);
  });
});

describe('applications', () => {
  it('have what the bundle and the kernel say of them, the one in front marked', () => {
    expect(opened.apps.list()).toEqual([
      {
        id: 'com.example.fixture',
        name: 'Fixture',
        program: '/Applications/Fixture.app/Contents/MacOS/Fixture',
        pid: MAIN.pid,
        startTime: '1705000501.000042',
        frontmost: true,
      },
      expect.objectContaining({ id: 'com.example.second', pid: SECOND.pid, frontmost: false }),
    ]);
  });

  it('in the background are listed only with an ordinary window; without a bundle they are named by their program', () => {
    addApp(script, { pid: 5_000_600, name: 'Agent', bundle: 'com.example.agent', policy: 1 });
    const tool = addApp(script, { pid: 5_000_601, name: 'Tool', bundle: '', policy: 2 });
    addWindow(script, { app: tool, pid: 5_000_601, number: 90, title: 'Tool', frame: at(0, 0, 50, 50) });
    const listed = opened.apps.list();
    expect(listed.map(({ pid }) => pid)).toEqual([MAIN.pid, SECOND.pid, 5_000_601]);
    expect(listed[2]).toMatchObject({ id: '/Applications/Tool.app/Contents/MacOS/Tool', name: 'Tool' });
  });

  it('that started a moment ago are there: the run loop is turned before the list is read', () => {
    opened.apps.list();
    addApp(script, { pid: 5_000_700, name: 'New', bundle: 'com.example.new' });
    expect(opened.apps.list().map(({ pid }) => pid)).toContain(5_000_700);
  });

  it('that have ended are not there, although the list of the workspace is old', () => {
    opened.apps.list();
    script.endApp(SECOND.pid);
    expect(opened.apps.of(SECOND.pid)).toBeNull();
  });

  it('of Chromium do not say that they have the focus: the workspace does', () => {
    script.setFront(SECOND.pid);
    script.silentFocus(SECOND.pid);
    expect(opened.apps.frontPid()).toBe(SECOND.pid);
  });

  it('that hang in front are still known to be in front', () => {
    script.hang(MAIN.pid, 1);
    expect(opened.apps.frontPid()).toBe(MAIN.pid);
    script.hang(MAIN.pid, 0);
  });
});

describe('windows', () => {
  const listed = (): unknown[] => opened.windows.list().map(({ id, title, focused, visible }) => [id, title, focused, visible]); // prettier-ignore

  it('are listed topmost first, with title, frame and focus', () => {
    expect(opened.windows.list()).toEqual([
      expect.objectContaining({
        id: '71',
        title: 'Contract fixture',
        frame: at(100, 100, 480, 460),
        focused: true,
        minimized: false,
        visible: true,
        normal: true,
        documentUrl: null,
      }),
      expect.objectContaining({ id: '72', title: 'Second fixture', focused: false, visible: true }),
    ]);
    expect(opened.windows.list()[0]?.app).toMatchObject({ pid: MAIN.pid, frontmost: true });
  });

  it('are described with one reading of the running applications, however many there are', () => {
    const { windows } = opened;
    for (const look of [windows.list, windows.frontmost, () => windows.at({ x: 350, y: 250 })]) {
      const before = script.workspaceReads();
      look();
      expect(script.workspaceReads() - before).toBe(1);
    }
  });

  it('that are minimised come last and do not show', () => {
    const app = addApp(script, { pid: 5_000_610, name: 'Third', bundle: 'com.example.third' });
    addWindow(script, { app, pid: 5_000_610, number: 80, title: 'Put away', frame: at(0, 0, 90, 90), minimized: true });
    script.showWindow(80, 0);
    expect(listed().at(-1)).toEqual(['80', 'Put away', false, false]);
    expect(opened.windows.list().at(-1)).toMatchObject({ minimized: true });
  });

  it('are what accessibility calls so: further surfaces of an application are none', () => {
    script.addWindow(99, MAIN.pid, 0, 0, 0, 0, 30, 30);
    expect(opened.windows.list().map(({ id }) => id)).toEqual(['71', '72']);
  });

  it('of an application that hangs are listed without titles, at the cost of one call', () => {
    script.hang(SECOND.pid, 1);
    const calls = script.hungCalls();
    expect(listed()).toEqual([['71', 'Contract fixture', true, true], ['72', '', false, true]]); // prettier-ignore
    expect(script.hungCalls() - calls).toBe(1);
    script.hang(SECOND.pid, 0);
  });

  it('in panels and of palettes are not normal', () => {
    const app = addApp(script, { pid: 5_000_611, name: 'Panels', bundle: 'com.example.panels' });
    addWindow(script, { app, pid: 5_000_611, number: 81, title: 'Palette', frame: at(0, 0, 9, 9), level: 3 });
    addWindow(script, { app, pid: 5_000_611, number: 82, title: 'Odd', frame: at(0, 0, 9, 9), subrole: 'AXUnknown' });
    const normal = new Map(opened.windows.list().map(({ id, normal: is }) => [id, is]));
    expect([normal.get('81'), normal.get('82'), normal.get('71')]).toEqual([false, false, true]);
  });

  it('at a point are the topmost that take clicks', () => {
    const { windows } = opened;
    expect(windows.at({ x: 350, y: 250 })?.id).toBe('71');
    expect(windows.at({ x: 700, y: 600 })?.id).toBe('72');
    expect(windows.at({ x: 5, y: 5 })).toBeNull();
    script.windowAlpha(71, 0);
    expect(windows.at({ x: 350, y: 250 })?.id).toBe('72');
  });

  it('at a point are below what other programs lay over everything, and let the pointer through', () => {
    const { windows } = opened;
    const app = addApp(script, { pid: 5_000_613, name: 'Frames', bundle: 'com.example.frames', policy: 1 });
    expect(app).toBeGreaterThan(0);
    script.addWindow(83, 5_000_613, 0, 0, 90, 90, 500, 480);
    script.raise(83);
    script.passesHits(83);
    expect(windows.at({ x: 350, y: 250 })?.id).toBe('71');
    expect(opened.reader.at({ x: 150, y: 250 })?.title).toBe('Send');
    expect(windows.list().map(({ id }) => id)).toEqual(['71', '72']);
  });

  it('at a point are not passed over where the hit test passes over what takes clicks', () => {
    const { windows } = opened;
    const app = addApp(script, { pid: 5_000_614, name: 'Preview', bundle: 'com.example.preview' });
    const panel = addSurface(script, app, { role: 'AXGroup', frame: at(320, 220, 100, 100), number: 84, level: 3 });
    expect(panel).toBeGreaterThan(0);
    script.passesSystemHits(84);
    expect(windows.at({ x: 350, y: 250 })).toMatchObject({ id: '84', normal: false });
    script.hang(5_000_614, 1);
    expect(windows.at({ x: 350, y: 250 })).toMatchObject({ id: '84', normal: false });
    script.hang(5_000_614, 0);
  });

  it('at a point are below an overlay that accessibility names too, where it is above all, bare, and let through', () => {
    const { windows } = opened;
    const pid = 5_000_616;
    const app = addApp(script, { pid, name: 'Borders', bundle: 'com.example.borders', policy: 1 });
    const overlay = (number: number, level: number, frame: Rect): number => {
      const window = addWindow(script, { app, pid, number, title: 'Borders', frame, level });
      script.raise(number);
      return window;
    };
    const border = overlay(90, 3, at(0, 0, 1440, 900));
    const under = (): string | undefined => windows.at({ x: 350, y: 250 })?.id;
    expect(under()).toBe('90');
    script.passesSystemHits(90);
    expect(under()).toBe('71');
    addControl(script, border, { role: 'AXButton', title: 'Stop', frame: at(340, 240, 50, 50) });
    expect(under()).toBe('90');
    script.showWindow(90, 0);
    overlay(91, 0, at(0, 0, 1440, 900));
    script.passesSystemHits(91);
    expect(under()).toBe('91');
    script.showWindow(91, 0);
    overlay(92, 3, at(100, 100, 480, 460));
    script.passesSystemHits(92);
    expect(under()).toBe('92');
  });

  it('at a point are ours wherever one of ours lies over them', () => {
    addApp(script, { pid: process.ppid, name: 'Chaperone', bundle: 'com.example.chaperone', policy: 1 });
    script.addWindow(85, process.ppid, 0, 101, 300, 200, 200, 200);
    script.passesHits(85);
    expect(opened.windows.at({ x: 350, y: 250 })).toMatchObject({ id: '85', app: { pid: process.ppid } });
  });

  it('at a point are not told where the system names nothing, but what lies over a whole display is passed over', () => {
    const { windows } = opened;
    script.passesHits(71);
    script.passesHits(72);
    expect(windows.at({ x: 350, y: 250 })?.id).toBe('71');
    script.addWindow(86, SECOND.pid, 0, 8, 340, 240, 20, 20);
    script.passesHits(86);
    expect(windows.at({ x: 350, y: 250 })).toMatchObject({ id: '86', normal: false });
  });

  it('have their sheets and popovers in them, as they are at a point too', () => {
    const { windows, reader } = opened;
    const sheet = addSurface(script, scene.window, { role: 'AXSheet', frame: at(50, 300, 600, 150), number: 87 });
    addControl(script, sheet, { role: 'AXButton', title: 'Save', frame: at(60, 310, 80, 30), actions: { AXPress: 1 } });
    expect(windows.list().map(({ id }) => id)).toEqual(['71', '72']);
    expect(windows.at({ x: 70, y: 320 })).toMatchObject({ id: '71', title: 'Contract fixture' });
    expect(windows.at({ x: 300, y: 320 })?.id).toBe('71');
    expect(reader.at({ x: 70, y: 320 })?.title).toBe('Save');
  });

  it('have menus and lists beside them, each a window that is not normal', () => {
    const { windows, reader } = opened;
    const menu = addSurface(script, scene.story, { role: 'AXMenu', frame: at(550, 400, 100, 100), number: 88, level: 101 }); // prettier-ignore
    addControl(script, menu, { role: 'AXMenuItem', title: 'Copy', frame: at(550, 400, 100, 20) });
    addSurface(script, scene.app, { role: 'AXList', frame: at(10, 40, 60, 60), number: 89, level: 101 });
    const beside = (id: string) => expect.objectContaining({ id, title: 'Contract fixture', normal: false });
    expect(windows.list().slice(0, 2)).toEqual([beside('89'), beside('88')]);
    expect([windows.at({ x: 600, y: 405 }), windows.at({ x: 20, y: 50 })]).toEqual([beside('88'), beside('89')]);
    expect(reader.at({ x: 600, y: 405 })?.title).toBe('Copy');
  });

  it.each([1, 2])('of an application that names none in its list are found elsewhere (%s)', (how) => {
    script.windowless(SECOND.pid, how);
    expect(listed()).toEqual([['71', 'Contract fixture', true, true], ['72', 'Second fixture', false, true]]); // prettier-ignore
    expect(opened.windows.at({ x: 700, y: 600 })?.id).toBe('72');
    const nothing = addApp(script, { pid: 5_000_615, name: 'Nothing', bundle: 'com.example.nothing' });
    expect(nothing).toBeGreaterThan(0);
    script.addWindow(78, 5_000_615, 0, 0, 1000, 0, 90, 90);
    expect(opened.windows.list().find(({ id }) => id === '78')).toMatchObject({ normal: true, visible: true });
    expect(opened.windows.at({ x: 1010, y: 10 })?.id).toBe('78');
  });

  it('[req:MA-9] of an application that says that accessibility is off are as those of one that hangs; of several it is off', () => {
    script.refuses(SECOND.pid, 1);
    const names = [['71', 'Contract fixture', true, true], ['72', '', false, true]]; // prettier-ignore
    expect([listed(), listed()]).toEqual([names, names]);
    expect(opened.reader.at({ x: 150, y: 250 })?.title).toBe('Send');
    expect(secureAreas(opened, null)).toContainEqual(at(300, 200, 600, 500));
    const found = () => opened.reader.find({ pid: SECOND.pid }, {}, 1, { maxDepth: 1, maxNodes: 9, timeoutMs: 1000 });
    expect([codeFrom(found), codeFrom(found)]).toEqual(['failed', 'failed']);
    for (const { pid } of [MAIN, DOCK, SCREENSHOT]) script.refuses(pid, 1);
    expect(codeFrom(() => opened.windows.list())).toBe('permission');
  });

  it('are refused without permission, and not called absent', () => {
    script.trust(0);
    expect(codeFrom(() => opened.windows.list())).toBe('permission');
    script.trust(1);
  });

  it('in front belong to the application in front', () => {
    expect(opened.windows.frontmost()).toMatchObject({ app: { pid: MAIN.pid }, window: { id: '71' } });
    const app = addApp(script, { pid: 5_000_612, name: 'Windowless', bundle: 'com.example.none' });
    expect(app).toBeGreaterThan(0);
    script.setFront(5_000_612);
    expect(opened.windows.frontmost()).toMatchObject({ app: { pid: 5_000_612, frontmost: true }, window: null });
  });
});
