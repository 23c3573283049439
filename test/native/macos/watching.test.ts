import { afterEach, describe, expect, it } from 'vitest';
import type { CaptureTarget, Rect } from '../../../src/native/desktop.js';
import { secureAreas } from '../../../src/native/macos/accessibility/secure-areas.js';
import { listStack, readWindowState } from '../../../src/native/macos/screen/windows.js';
import { codeFrom } from '../../support/macos/errors.js';
import type { Opened } from '../../support/macos/reader.js';
import {
  addApp,
  addControl,
  addSurface,
  addWindow,
  at,
  DOCK,
  MAIN,
  SCREENSHOT,
  SECOND,
  type Scene,
} from '../../support/macos/scene.js';
import { MODE } from '../../support/macos/standin.js';
import { withScene } from '../../support/macos/with-scene.js';

let scene: Scene;
let opened: Opened;
// Hooks run in reverse: this one after all was released.
afterEach(() => {
  expect(script.journal()).toEqual([]);
});
const { script } = withScene((started) => ({ scene, opened } = started));

describe('password fields on the screen', () => {
  const areas = (target: CaptureTarget | null = null): Rect[] => secureAreas(opened, target);

  it('are found in every window, and their text is not asked for', () => {
    const role = { role: 'AXTextField', subrole: 'AXSecureTextField', value: 'other' };
    addControl(script, scene.second, { ...role, frame: at(310, 610, 50, 20) });
    expect(areas()).toEqual([at(120, 160, 300, 28), at(310, 610, 50, 20)]);
  });

  it('reach no further than their window, and are not looked for in windows that do not show', () => {
    script.frame(scene.password, 120, 160, 5000, 28);
    expect(areas()).toEqual([at(120, 160, 460, 28)]);
    script.showWindow(MAIN.window, 0);
    expect(areas()).toEqual([]);
  });

  it('in a sheet are found beyond the window that the sheet belongs to', () => {
    const sheet = addControl(script, scene.window, { role: 'AXSheet', frame: at(50, 130, 600, 200) });
    addControl(script, sheet, { role: 'AXTextField', subrole: 'AXSecureTextField', frame: at(590, 300, 60, 20) });
    expect(areas()).toContainEqual(at(590, 300, 60, 20));
  });

  it('that do not tell where they are, or what they are, are covered all the same', () => {
    addControl(script, scene.second, { role: 'AXSecureTextField' });
    const odd = addControl(script, scene.second, { role: 'AXTextField', frame: at(320, 620, 40, 20) });
    script.number(odd, 'AXSubrole', 3, 0);
    expect(areas()).toContainEqual(at(300, 200, 600, 500));
    expect(areas()).toContainEqual(at(320, 620, 40, 20));
  });

  it('of an application that hangs are covered with its windows, at the cost of one call', () => {
    script.hang(SECOND.pid, 1);
    const calls = script.hungCalls();
    expect(areas()).toEqual([at(120, 160, 300, 28), at(300, 200, 600, 500)]);
    expect(script.hungCalls() - calls).toBe(1);
    script.hang(SECOND.pid, 0);
  });

  const addField = (parent: number, frame: Rect): number =>
    addControl(script, parent, { role: 'AXTextField', subrole: 'AXSecureTextField', frame });

  it('[req:MA-10] are looked for in what a picture shows: no other application is asked', () => {
    script.hang(SECOND.pid, 1);
    const calls = script.hungCalls();
    expect(areas({ kind: 'window', windowId: String(MAIN.window) })).toEqual([at(120, 160, 300, 28)]);
    expect(areas({ kind: 'region', rect: at(100, 100, 100, 100) })).toEqual([at(120, 160, 300, 28)]);
    expect(script.hungCalls()).toBe(calls);
    const sheet = addSurface(script, scene.window, { role: 'AXSheet', frame: at(50, 300, 40, 100), number: 87 });
    addField(sheet, at(55, 310, 30, 20));
    expect(areas({ kind: 'region', rect: at(50, 300, 40, 100) })).toContainEqual(at(55, 310, 30, 20));
    expect(areas({ kind: 'window', windowId: String(SECOND.window) })).toEqual([at(300, 200, 600, 500)]);
    expect(areas({ kind: 'display' })).toContainEqual(at(300, 200, 600, 500));
    script.hang(SECOND.pid, 0);
  });

  it('of a table are looked for in the rows that show, and beside them', () => {
    const table = addControl(script, scene.window, { role: 'AXTable', frame: at(120, 290, 400, 200) });
    for (let row = 0; row < 3000; row++)
      addField(addControl(script, table, { role: 'AXRow' }), at(120, 290 + row, 90, 10));
    addField(table, at(400, 300, 80, 10));
    script.childList(table, 'AXRows', 0, 3000);
    script.childList(table, 'AXVisibleRows', 5, 2);
    const calls = script.axCalls();
    const shown = [at(120, 295, 90, 10), at(120, 296, 90, 10), at(400, 300, 80, 10)];
    expect(areas()).toEqual(expect.arrayContaining(shown));
    expect(areas()).toHaveLength(1 + shown.length);
    expect(script.axCalls() - calls).toBeLessThan(500);
    script.emptyList(table, 'AXVisibleRows', 0);
    expect(areas().length).toBeGreaterThan(100);
  });

  describe('of a large page', () => {
    /** One field in 3,000 parts of a page. */
    const addPage = (how: number): number => {
      const page = addControl(script, scene.window, { role: 'AXWebArea', frame: at(120, 290, 400, 200) });
      for (let part = 0; part < 3000; part++) addControl(script, page, { role: 'AXGroup' });
      addField(addControl(script, page, { role: 'AXGroup' }), at(130, 300, 90, 10));
      addControl(script, page, { role: 'AXButton', subrole: 'AXSecureTextField', frame: at(130, 320, 90, 10) });
      script.searches(page, how);
      return page;
    };
    const both = [at(130, 300, 90, 10), at(130, 320, 90, 10)];
    const cost = (work: () => void): number => {
      const calls = script.axCalls();
      work();
      return script.axCalls() - calls;
    };

    it('are asked of Chromium in one question, whatever the page calls them', () => {
      script.program(MAIN.pid, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
      addPage(1);
      expect(cost(() => expect(areas()).toEqual(expect.arrayContaining(both)))).toBeLessThan(100);
    });

    it.each([
      ['answers a search with nothing', 'Google Chrome', 2],
      ['knows no search', 'Google Chrome', 0],
      ['is WebKit, whose search can lack frames', 'Safari', 1],
    ])('are looked for one by one where the browser %s', (_, name, how) => {
      script.program(MAIN.pid, `/Applications/${name}.app/Contents/MacOS/${name}`);
      addPage(how);
      expect(cost(() => expect(areas()).toEqual(expect.arrayContaining(both)))).toBeGreaterThan(3000);
    });

    it('are looked for one by one where there are more than were asked for', () => {
      script.program(MAIN.pid, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
      const page = addPage(1);
      for (let field = 0; field < 1000; field++) addField(page, at(130, 340, 9, 9));
      addField(page, at(200, 340, 9, 9));
      expect(areas()).toContainEqual(at(200, 340, 9, 9));
    });
  });

  it('are found in a tree with a circle', () => {
    script.adopt(scene.send, scene.window);
    expect(areas()).toEqual([at(120, 160, 300, 28)]);
  });

  it('are an error without permission, never none', () => {
    script.trust(0);
    expect(codeFrom(areas)).toBe('permission');
    script.trust(1);
  });
});

describe('the stack', () => {
  it('has all that shows, topmost first, also what accessibility does not know', () => {
    script.addWindow(99, SECOND.pid, 0, 20, 0, 850, 1440, 50);
    script.addWindow(98, SECOND.pid, 0, 0, 0, 0, 10, 10);
    script.windowAlpha(98, 0);
    const shown = (title: string, pid: number, frame: Rect, managed = true, areas = [frame]) => ({
      pid, title, frame, areas, managed, focused: managed && pid === MAIN.pid,
      app: { id: pid === MAIN.pid ? 'com.example.fixture' : 'com.example.second', otherIds: [] },
    }); // prettier-ignore
    const stack = listStack(opened);
    expect(stack.filter(({ pid }) => pid === MAIN.pid || pid === SECOND.pid)).toEqual([
      shown('Second fixture', SECOND.pid, at(0, 850, 1440, 50), false),
      shown('Contract fixture', MAIN.pid, at(100, 100, 480, 460)),
      shown('Second fixture', SECOND.pid, at(300, 200, 600, 500)),
    ]);
  });

  it('has of what the system lays over a display only what the system shows there; of other programs all', () => {
    const areas = (): unknown => listStack(opened)[0]?.areas;
    expect(areas()).toEqual([]);
    script.showWindow(SCREENSHOT.window, 0);
    expect(areas()).toEqual([at(400, 830, 640, 70)]);
    script.hang(DOCK.pid, 1);
    expect(areas()).toEqual([at(0, 0, 1440, 900)]);
    script.hang(DOCK.pid, 0);
    script.program(DOCK.pid, '/Applications/System/Library/CoreServices/Dock.app/Contents/MacOS/Dock');
    expect(areas()).toEqual([at(0, 0, 1440, 900)]);
  });
});

describe('the state of a window', () => {
  const state = (id: number) => readWindowState(opened.core, opened.rows, opened.windows, String(id));

  it('of a menu has nothing to close, minimise or resize', () => {
    addSurface(script, scene.story, { role: 'AXMenu', frame: at(550, 400, 100, 100), number: 88, level: 101 });
    expect(state(88)).toMatchObject({ resizable: false, minimizable: false, closable: false, floating: true, hidden: false }); // prettier-ignore
  });

  it('tells what its title bar offers and where it is', () => {
    const button = { role: 'AXButton', frame: at(0, 0, 9, 9) };
    script.reference(scene.window, 'AXCloseButton', addControl(script, scene.window, button));
    script.reference(scene.window, 'AXMinimizeButton', addControl(script, scene.window, { ...button, enabled: false }));
    script.boolean(scene.window, 'AXModal', 0, 0);
    script.boolean(scene.window, 'AXFullScreen', 0, MODE.does);
    script.frameMode(scene.window, MODE.refuses);
    expect(state(MAIN.window)).toEqual({
      resizable: false,
      minimizable: false,
      closable: true,
      modal: false,
      floating: false,
      hidden: false,
      minimized: false,
      maximized: false,
      fullscreen: false,
      focused: true,
    });
  });

  it('is maximised where it fills what menu bar and Dock leave of a display, and hidden is not minimised', () => {
    const app = addApp(script, { pid: 5_000_620, name: 'Big', bundle: 'com.example.big' });
    addWindow(script, { app, pid: 5_000_620, number: 85, title: 'Big', frame: at(1441, 24, 1920, 1055), level: 3 });
    expect(state(85)).toMatchObject({ maximized: true, floating: true, hidden: false, fullscreen: null, modal: null });
    script.showWindow(85, 0);
    expect(state(85)).toMatchObject({ hidden: true, minimized: false });
    addWindow(script, { app, pid: 5_000_620, number: 86, title: 'Away', frame: at(0, 0, 50, 50), minimized: true });
    script.showWindow(86, 0);
    expect(state(86)).toMatchObject({ hidden: false, minimized: true, maximized: false });
    expect(codeFrom(() => state(999))).toBe('not_found');
  });
});
