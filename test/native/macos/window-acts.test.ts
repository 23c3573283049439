import { describe, expect, it } from 'vitest';
import type { Rect } from '../../../src/native/desktop.js';
import { closeWindow, killWindow, quitApp } from '../../../src/native/macos/window-acts/closing.js';
import { focusWindow } from '../../../src/native/macos/window-acts/focus.js';
import { maximize, setWindowFrame, setWindowMinimized } from '../../../src/native/macos/window-acts/frames.js';
import { rejectionOf } from '../../support/macos/errors.js';
import type { Opened } from '../../support/macos/reader.js';
import { addApp, addControl, addSurface, addWindow, at, MAIN, SECOND, type Scene } from '../../support/macos/scene.js';
import { MODE, type Mode } from '../../support/macos/standin.js';
import { withScene } from '../../support/macos/with-scene.js';
import { withoutWaits } from '../../support/without-waits.js';

const { signal } = new AbortController();
const [FIRST_ID, SECOND_ID] = [String(MAIN.window), String(SECOND.window)];

let scene: Scene;
let opened: Opened;
const { script } = withScene((started) => ({ scene, opened } = started));
withoutWaits();

const frameOf = (id: string): Rect | undefined => opened.windows.list().find((each) => each.id === id)?.frame;
const journal = (name: string): string[] => script.journal().filter((line) => line.includes(name));

describe('focusing a window', () => {
  it('raises it, fronts its application, and looks at all of it', async () => {
    await focusWindow(opened, SECOND_ID, signal);
    expect(opened.windows.list()[0]).toMatchObject({ id: SECOND_ID, focused: true });
    expect(opened.apps.frontPid()).toBe(SECOND.pid);
    await focusWindow(opened, FIRST_ID, signal);
    expect(opened.windows.frontmost().window?.id).toBe(FIRST_ID);
  });

  it('restores it first', async () => {
    script.boolean(scene.second, 'AXMinimized', 1, MODE.does);
    script.showWindow(SECOND.window, 0);
    await focusWindow(opened, SECOND_ID, signal);
    expect(opened.windows.list()[0]).toMatchObject({ id: SECOND_ID, minimized: false, visible: true });
  });

  it('is an error where the application says success and stays behind', async () => {
    const app = addApp(script, { pid: 5_000_620, name: 'Shy', bundle: 'com.example.shy' });
    addWindow(script, { app, pid: 5_000_620, number: 95, title: 'Shy', frame: at(0, 0, 300, 200) });
    script.boolean(app, 'AXFrontmost', 0, MODE.pretends);
    expect(await rejectionOf(focusWindow(opened, '95', signal))).toMatchObject({ code: 'failed' });
    expect(journal('AXRaise')).toHaveLength(3);
  });

  it('is done although a sheet of it, or what another program draws at the level of windows, lies above', async () => {
    const app = addApp(script, { pid: 5_000_621, name: 'Frames', bundle: 'com.example.frames', policy: 1 });
    addWindow(script, { app, pid: 5_000_621, number: 92, title: 'Palette', frame: at(0, 0, 90, 90), level: 3 });
    script.addWindow(94, 5_000_621, 0, 0, 90, 90, 800, 600);
    addSurface(script, scene.second, { role: 'AXSheet', frame: at(250, 220, 700, 200), number: 93 });
    const raise = (): void => [93, 94].forEach((number) => script.raise(number));
    const stop = script.listen((what, _element, text) => void (what === 'act' && text === 'AXRaise' && raise()));
    await focusWindow(opened, SECOND_ID, signal).finally(stop);
    expect(opened.windows.frontmost().window?.id).toBe(SECOND_ID);
  });

  it('is an error while an element of another window keeps the keyboard', async () => {
    const { app } = scene;
    addWindow(script, { app, pid: MAIN.pid, number: 96, title: 'Beside', frame: at(0, 0, 300, 200) });
    expect(await rejectionOf(focusWindow(opened, '96', signal))).toMatchObject({ code: 'failed' });
  });

  it('that does not show here or is gone is an error of its own', async () => {
    expect(await rejectionOf(focusWindow(opened, '4711', signal))).toMatchObject({ code: 'not_found' });
    script.addWindow(97, SECOND.pid, 0, 0, 0, 0, 30, 30);
    script.showWindow(97, 0);
    const away = { code: 'not_found', text: { code: 'native.window_in_other_space' } };
    expect(await rejectionOf(focusWindow(opened, '97', signal))).toMatchObject(away);
  });
});

describe('a frame', () => {
  it('is set place first, and told as the window server has it', async () => {
    const wanted = at(40, 50, 500, 400);
    expect(await setWindowFrame(opened, SECOND_ID, wanted, signal)).toEqual(wanted);
    expect(journal('of window')).toEqual(['set AXPosition of window 72', 'set AXSize of window 72']);
    expect(frameOf(SECOND_ID)).toEqual(wanted);
  });

  it('changes only what is asked for', async () => {
    expect(await setWindowFrame(opened, SECOND_ID, { x: 310 }, signal)).toEqual(at(310, 200, 600, 500));
    expect(await setWindowFrame(opened, SECOND_ID, { height: 300 }, signal)).toEqual(at(310, 200, 600, 300));
    expect(journal('of window')).toHaveLength(2);
    expect(await setWindowFrame(opened, SECOND_ID, {}, signal)).toEqual(at(310, 200, 600, 300));
  });

  it('is what the window granted', async () => {
    expect(await setWindowFrame(opened, SECOND_ID, { width: 1, height: 1 }, signal)).toEqual(at(300, 200, 100, 80));
  });

  it('is set past an enhanced interface, which is put back', async () => {
    script.boolean(scene.app, 'AXEnhancedUserInterface', 1, MODE.does);
    expect(await setWindowFrame(opened, FIRST_ID, { x: 0, y: 30 }, signal)).toMatchObject({ x: 0, y: 30 });
    expect(journal('AXEnhanced').map((line) => line.at(-1))).toEqual(['0', '1']);
  });

  it('that cannot be set is refused; one that is ignored is told as it is', async () => {
    script.frameMode(scene.second, MODE.refuses);
    expect(await rejectionOf(setWindowFrame(opened, SECOND_ID, { x: 1 }, signal))).toMatchObject({
      code: 'unsupported',
    });
    script.frameMode(scene.second, MODE.pretends);
    expect(await setWindowFrame(opened, SECOND_ID, { x: 1 }, signal)).toEqual(at(300, 200, 600, 500));
  });
});

describe('minimising and maximising', () => {
  const addButton = (): void => {
    for (const window of [scene.window, scene.second]) {
      const button = addControl(script, window, { role: 'AXButton', actions: { AXPress: MODE.does } });
      script.reference(window, 'AXMinimizeButton', button);
    }
  };

  it('minimises and restores, each seen', async () => {
    addButton();
    await setWindowMinimized(opened, SECOND_ID, true, signal);
    expect(opened.windows.list().at(-1)).toMatchObject({ id: SECOND_ID, minimized: true, visible: false });
    await setWindowMinimized(opened, SECOND_ID, true, signal);
    await setWindowMinimized(opened, SECOND_ID, false, signal);
    expect(journal('AXMinimized')).toHaveLength(2);
  });

  it('of a window without that button, or that ignores it, is an error', async () => {
    expect(await rejectionOf(setWindowMinimized(opened, SECOND_ID, true, signal))).toMatchObject({
      code: 'unsupported',
    });
    addButton();
    script.boolean(scene.window, 'AXMinimized', 0, MODE.pretends);
    expect(await rejectionOf(setWindowMinimized(opened, FIRST_ID, true, signal))).toMatchObject({ code: 'failed' });
  });

  it('gives it the room of its display without the menu bar, and tells the frame before', async () => {
    expect(await maximize(opened, SECOND_ID, signal)).toEqual(at(300, 200, 600, 500));
    expect(frameOf(SECOND_ID)).toEqual(at(0, 25, 1440, 875));
    expect(await maximize(opened, SECOND_ID, signal)).toBeNull();
    expect(journal('AXZoom')).toEqual([]);
  });

  it('is refused where the size is fixed, and an error where the window does not follow', async () => {
    script.frameMode(scene.window, MODE.refuses);
    expect(await rejectionOf(maximize(opened, FIRST_ID, signal))).toMatchObject({ code: 'unsupported' });
    script.frameMode(scene.window, MODE.pretends);
    expect(await rejectionOf(maximize(opened, FIRST_ID, signal))).toMatchObject({ code: 'failed' });
  });
});

describe('closing a window', () => {
  const addClose = (mode: Mode, press: Mode = MODE.does): void => {
    const button = addControl(script, scene.second, { role: 'AXButton', actions: { AXPress: press } });
    script.closeButton(button, scene.second, mode);
    script.reference(scene.second, 'AXCloseButton', button);
  };

  it('is done when the application shows it no longer, although its row stays', async () => {
    addClose(MODE.does);
    await closeWindow(opened, SECOND_ID, signal);
    expect(opened.rows.all().map(({ number }) => number)).toContain(SECOND.window);
    expect(opened.windows.list().map(({ id }) => id)).toEqual([FIRST_ID]);
    expect(await rejectionOf(closeWindow(opened, SECOND_ID, signal))).toMatchObject({ code: 'not_found' });
  });

  it('says at once that the application asks something, also while the press waits for the answer', async () => {
    addClose(MODE.asks, MODE.doesAndTimesOut);
    const asked = await rejectionOf(closeWindow(opened, SECOND_ID, signal));
    expect(asked).toMatchObject({ code: 'failed', text: { code: 'native.still_open_asks' }, details: { reason: 'still_open' } });
    expect(journal('AXPress')).toHaveLength(1);
  }); // prettier-ignore

  it('says after a while that nothing happened', async () => {
    addClose(MODE.pretends);
    const closing = rejectionOf(closeWindow(opened, SECOND_ID, signal));
    expect(await closing).toMatchObject({ code: 'failed', text: { code: 'native.still_open_busy' } });
  });

  it('without a button is not tried', async () => {
    expect(await rejectionOf(closeWindow(opened, SECOND_ID, signal))).toMatchObject({ code: 'unsupported' });
  });
});

describe('ending an application', () => {
  it('quits it, and waits until the process has ended', async () => {
    script.quitMode(SECOND.pid, MODE.does);
    await quitApp(opened, SECOND.pid, signal);
    expect(script.journal()).toEqual([`terminate ${SECOND.pid}`]);
    expect(opened.apps.of(SECOND.pid)).toBeNull();
    expect(await rejectionOf(quitApp(opened, SECOND.pid, signal))).toMatchObject({ code: 'not_found' });
  });

  it('says that it asks something', async () => {
    script.quitMode(SECOND.pid, MODE.asks);
    expect(await rejectionOf(quitApp(opened, SECOND.pid, signal))).toMatchObject({ text: { code: 'native.still_open_asks' } });
  }); // prettier-ignore

  it('that is none to the system closes its windows, and says that the process goes on', async () => {
    const app = addApp(script, { pid: 5_000_630, name: 'Tool', bundle: '', policy: 2 });
    const window = addWindow(script, { app, pid: 5_000_630, number: 98, title: 'Tool', frame: at(0, 0, 200, 200) });
    const button = addControl(script, window, { role: 'AXButton', actions: { AXPress: MODE.does } });
    script.closeButton(button, window, MODE.does);
    script.reference(window, 'AXCloseButton', button);
    const quitting = await rejectionOf(quitApp(opened, 5_000_630, signal));
    expect(quitting).toMatchObject({ code: 'failed', details: { reason: 'no_windows_left' } });
    expect(journal('AXPress')).toHaveLength(1);
  });

  it('by force ends the owner of the window, and never the system or ourselves', async () => {
    await killWindow(opened, SECOND_ID, signal);
    expect(script.journal()).toEqual([`kill ${SECOND.pid}`]);
    const dock = addApp(script, { pid: 5_000_640, name: 'Dock', bundle: 'com.apple.dock' });
    addWindow(script, { app: dock, pid: 5_000_640, number: 99, title: '', frame: at(0, 0, 9, 9) });
    const own = addApp(script, { pid: process.ppid, name: 'Host', bundle: 'com.example.host' });
    addWindow(script, { app: own, pid: process.ppid, number: 100, title: '', frame: at(0, 0, 9, 9) });
    for (const id of ['99', '100'])
      expect(await rejectionOf(killWindow(opened, id, signal))).toMatchObject({ code: 'unsupported' });
    script.quitMode(MAIN.pid, MODE.limits);
    expect(await rejectionOf(killWindow(opened, FIRST_ID, signal))).toMatchObject({ code: 'failed' });
    expect(script.journal()).toEqual([`kill ${SECOND.pid}`]);
  });
});
