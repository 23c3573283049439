/** The members that the helper serves, on the libraries of its own process. */
import { readAutomation, readPermissions, systemVersion } from '../permissions.js';
import { focusElement, performAction, setExpanded, setSelected } from '../accessibility/actions.js';
import {
  openElementReader,
  type ElementReader,
  scrollerOf,
  scrollIntoView,
  focusedText,
} from '../accessibility/element-reader.js';
import { openPageWaking } from '../accessibility/page-waking.js';
import { secureAreas } from '../accessibility/secure-areas.js';
import { insertText, setValue } from '../accessibility/set-values.js';
import { openLending, openPasteboard } from '../clipboard/pasteboard.js';
import type { Core } from '../core.js';
import { EVENT_MARKER, openInputPosts, type InputPosts } from '../input/post.js';
import { openChangeWatch } from '../watching/changes.js';
import { openInputTap } from '../watching/input-tap.js';
import { DesktopError, type ElementActions } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { pictureSource } from '../pictures/picture-source.js';
import { takePicture } from '../pictures/screen-capture-kit.js';
import { installedApp, openBundles } from '../launching/bundles.js';
import { launch } from '../launching/launch.js';
import { openApps } from '../screen/apps.js';
import { listDisplays } from '../screen/displays.js';
import { listStack, readWindowState, openWindows } from '../screen/windows.js';
import { openWindowRows } from '../screen/window-rows.js';
import { closeWindow, killWindow, quitApp } from '../window-acts/closing.js';
import { focusWindow, type ActParts } from '../window-acts/focus.js';
import { maximize, setWindowFrame, setWindowMinimized } from '../window-acts/frames.js';
import type { HelperMembers, Told } from './messages.js';

export type Members = ReturnType<typeof createMembers>;

export function createMembers(core: Core, tell: (told: Told) => void) {
  const input = openInputPosts(core);
  core.woken.onWoken((app) => tell({ kind: 'woken', app }));
  const watches = openWatches(core, input, tell);
  return {
    served: { ...readingMembers(core), ...inputMembers(input), ...clipboardMembers(core), ...watches.served },
    /** Of what was pressed here. */
    letGo: input.letGo,
    close(): void {
      watches.close();
      input.close();
    },
  };
}

function openWatches(core: Core, input: InputPosts, tell: (told: Told) => void) {
  const tap = openInputTap(core, {
    marker: EVENT_MARKER,
    posted: input.seen,
    tell: (seen) => tell({ kind: 'input', ...seen }),
  });
  const rows = openWindowRows(core);
  const changes = openChangeWatch(core, rows, openApps(core, rows), (hint) => tell({ kind: 'change', hint }));
  const served: Pick<HelperMembers, WatchNames> = {
    watchChanges: async () => changes.start(),
    watchInput: async () => tap.start(),
    inputArrived: (signal) => tap.arrived(signal),
    async flushInput(signal) {
      if (!tap.running) throw new DesktopError('permission', message('native.no_accessibility'));
      await tap.arrived(signal);
      while (core.runLoop.turn()) continue;
    },
  };
  return {
    served,
    close() {
      tap.close();
      changes.close();
    },
  };
}

type WatchNames = 'watchChanges' | 'watchInput' | 'flushInput' | 'inputArrived';

type InputNames = 'pointer' | 'post' | 'typing' | 'shortcut';
type ClipboardNames = 'readClipboard' | 'putOnClipboard' | 'clipboardCount' | 'lendText' | 'giveBackClipboard';

const readingMembers = (core: Core): Omit<HelperMembers, InputNames | ClipboardNames | WatchNames> => {
  const rows = openWindowRows(core);
  const apps = openApps(core, rows);
  const windows = openWindows(core, rows, apps);
  const bundles = openBundles(core, apps);
  const reader = openElementReader({ core, rows, apps, windows });
  const waking = openPageWaking(core);
  return {
    systemVersion: async () => systemVersion(core),
    permissions: async () => readPermissions({ core, rows, apps, windows }),
    automation: async () => readAutomation(core, apps),
    displays: async () => listDisplays(core),
    apps: async () => apps.list(),
    windows: async () => windows.list(),
    stack: async () => listStack({ core, rows, apps, windows }),
    windowState: async (id) => readWindowState(core, rows, windows, id),
    secureAreasOf: async (target) => secureAreas({ core, rows, windows }, target),
    frontmost: async () => windows.frontmost(),
    async tree(scope, limits, signal) {
      await waking.ready(scope.pid, signal);
      return reader.tree(scope, limits);
    },
    async find(scope, selector, limit, limits, signal) {
      await waking.ready(scope.pid, signal);
      return reader.find(scope, selector, limit, limits);
    },
    element: async (id) => reader.element(id),
    ancestors: async (id) => reader.ancestors(id),
    elementAt: async (point) => reader.at(point),
    windowAt: async (point) => windows.at(point),
    frontPid: async () => apps.frontPid(),
    focusedText: async (pid) => focusedText(core, pid),
    letSleep: async (woken) => core.woken.putBack(woken),
    focusedElement: async () => reader.focused(),
    scrollerOf: async (id) => scrollerOf(reader, id),
    ...elementActs(core, reader),
    pictureSource: async (target) => pictureSource({ core, rows, windows }, target),
    takePicture: (source) => takePicture(core, source),
    findApplication: async (application) => installedApp(await bundles.find(application)),
    launch: (application, options, signal) =>
      launch({ core, rows, apps, windows, bundles }, application, options, signal),
    ...windowActs({ core, rows, apps, windows }),
  };
};

const elementActs = (core: Core, reader: ElementReader): ElementActions => ({
  performAction: async (id, action) => performAction(core, id, action),
  setValue: (id, value, signal) => setValue(core, id, value, signal),
  insertText: (id, text, signal) => insertText(core, id, text, signal),
  setSelected: (id, selected, signal) => setSelected(core, id, selected, signal),
  setExpanded: (id, expanded, signal) => setExpanded(core, id, expanded, signal),
  focusElement: (id, signal) => focusElement(core, id, signal),
  scrollIntoView: (id, signal) => scrollIntoView(core, reader, id, signal),
});

const inputMembers = (input: InputPosts): Pick<HelperMembers, InputNames> => ({
  pointer: async () => input.pointer(),
  post: async (events, terms) => input.post(events, terms),
  typing: async (characters) => input.typing(characters),
  shortcut: async (character) => input.shortcut(character),
});

const clipboardMembers = (core: Core): Pick<HelperMembers, ClipboardNames> => {
  const pasteboard = openPasteboard(core);
  const lending = openLending(core);
  return {
    readClipboard: async () => pasteboard.read(),
    putOnClipboard: async (content) => pasteboard.write(content),
    clipboardCount: async () => pasteboard.count(),
    lendText: async (text) => lending.lend(text),
    giveBackClipboard: async () => lending.giveBack(),
  };
};

type WindowActNames =
  'focusWindow' | 'setWindowFrame' | 'setWindowMinimized' | 'maximize' | 'closeWindow' | 'killWindow' | 'quitApp';

const windowActs = (parts: ActParts): Pick<HelperMembers, WindowActNames> => ({
  focusWindow: (id, signal) => focusWindow(parts, id, signal),
  setWindowFrame: (id, frame, signal) => setWindowFrame(parts, id, frame, signal),
  setWindowMinimized: (id, minimized, signal) => setWindowMinimized(parts, id, minimized, signal),
  maximize: (id, signal) => maximize(parts, id, signal),
  closeWindow: (id, signal) => closeWindow(parts, id, signal),
  killWindow: (id, signal) => killWindow(parts, id, signal),
  quitApp: (pid, signal) => quitApp(parts, pid, signal),
});
