/** The members that the helper serves, as the host calls them. */
import { DesktopError, matches, type Rect, type TreeLimits, type WindowActions } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { withoutHidden } from '../accessibility/documents.js';
import { isNear } from '../window-acts/frames.js';
import type { HelperClient } from './client.js';
import { createClipboard, type Clipboard, createPaste } from '../clipboard/clipboard.js';
import { createInput, type MacInput } from '../input/input.js';
import { createCapture, createScreenshotProgram } from '../pictures/capture.js';
import type { Served } from './messages.js';

/** An application that hangs costs a second a call; a list of all windows asks several. */
const READ_LIMIT_MS = 8000;
/** All windows in a picture are searched for password fields, each application as long as it may take. */
const SEARCH_LIMIT_MS = 20_000;
/** Acts are also waited for until they are confirmed. */
const ACT_LIMIT_MS = 10_000;
/** Closing is waited for 5 s, with looks that each may cost a second. */
const WINDOW_LIMIT_MS = 15_000;
/** 5 s for what can be captured, 3 s for the picture. */
const PICTURE_LIMIT_MS = 8000;
/** 30 s until the system has started it, 30 s until it is usable, and looks that each may cost a second. */
const LAUNCH_LIMIT_MS = 75_000;
/** Nothing of it waits for an application. */
const INPUT_LIMIT_MS = 3000;

export function createServed(client: HelperClient): Omit<Served, 'permissions' | 'readClipboard'> {
  const tree: Served['tree'] = async (scope, { hides, ...limits }, signal) => {
    const read = await client.call('tree', [scope, limits], limitOf(limits), signal);
    return withoutHidden(read, hides);
  };
  return {
    tree,
    displays: (signal) => client.call('displays', [], READ_LIMIT_MS, signal),
    apps: (signal) => client.call('apps', [], READ_LIMIT_MS, signal),
    windows: (signal) => client.call('windows', [], READ_LIMIT_MS, signal),
    stack: (signal) => client.call('stack', [], READ_LIMIT_MS, signal),
    windowState: (id, signal) => client.call('windowState', [id], READ_LIMIT_MS, signal),
    secureAreas: (signal, target) => client.call('secureAreasOf', [target ?? null], SEARCH_LIMIT_MS, signal),
    frontmost: (signal) => client.call('frontmost', [], READ_LIMIT_MS, signal),
    async find(scope, selector, limit, limits, signal) {
      const { hides } = limits;
      if (hides === undefined) return client.call('find', [scope, selector, limit, limits], limitOf(limits), signal);
      // What a document hides is known only with all that is above each element.
      const { nodes, truncated } = await tree(scope, limits, signal);
      const found = nodes.map(({ element }) => element).filter((element) => matches(selector, element));
      return { elements: found.slice(0, limit), matched: found.length, truncated };
    },
    element: (id, signal) => client.call('element', [id], READ_LIMIT_MS, signal),
    ancestors: (id, signal) => client.call('ancestors', [id], READ_LIMIT_MS, signal),
    elementAt: (point, signal) => client.call('elementAt', [point], READ_LIMIT_MS, signal),
    windowAt: (point, signal) => client.call('windowAt', [point], READ_LIMIT_MS, signal),
    focusedElement: (signal) => client.call('focusedElement', [], READ_LIMIT_MS, signal),
    scrollerOf: (id, signal) => client.call('scrollerOf', [id], READ_LIMIT_MS, signal),
    pointer: (signal) => client.call('pointer', [], READ_LIMIT_MS, signal),
    performAction: (id, action, signal) => client.call('performAction', [id, action], ACT_LIMIT_MS, signal),
    setValue: (id, value, signal) => client.call('setValue', [id, value], ACT_LIMIT_MS, signal),
    insertText: (id, text, signal) => client.call('insertText', [id, text], ACT_LIMIT_MS, signal),
    setSelected: (id, selected, signal) => client.call('setSelected', [id, selected], ACT_LIMIT_MS, signal),
    setExpanded: (id, expanded, signal) => client.call('setExpanded', [id, expanded], ACT_LIMIT_MS, signal),
    focusElement: (id, signal) => client.call('focusElement', [id], ACT_LIMIT_MS, signal),
    scrollIntoView: (id, signal) => client.call('scrollIntoView', [id], ACT_LIMIT_MS, signal),
    focusWindow: (id, signal) => client.call('focusWindow', [id], WINDOW_LIMIT_MS, signal),
    setWindowFrame: (id, frame, signal) => client.call('setWindowFrame', [id, frame], WINDOW_LIMIT_MS, signal),
    setWindowMinimized: (id, minimized, signal) =>
      client.call('setWindowMinimized', [id, minimized], WINDOW_LIMIT_MS, signal),
    closeWindow: (id, signal) => client.call('closeWindow', [id], WINDOW_LIMIT_MS, signal),
    killWindow: (id, signal) => client.call('killWindow', [id], WINDOW_LIMIT_MS, signal),
    findApplication: (application, signal) => client.call('findApplication', [application], READ_LIMIT_MS, signal),
    launch: (application, options, signal) => client.call('launch', [application, options], LAUNCH_LIMIT_MS, signal),
    quitApp: (pid, signal) => client.call('quitApp', [pid], WINDOW_LIMIT_MS, signal),
  };
}

/** Pointer and keys through a helper of their own; what lies where is asked of the one for elements. */
export function createServedInput(client: HelperClient, elements: HelperClient): MacInput {
  const { windowAt, displays } = createServed(elements);
  return createInput({
    pointer: (signal) => client.call('pointer', [], INPUT_LIMIT_MS, signal),
    windowAt,
    displays,
    inputArrived: (signal) => client.call('inputArrived', [], INPUT_LIMIT_MS, signal),
    post: (events, terms, signal) => client.call('post', [events, terms], INPUT_LIMIT_MS, signal),
    typing: (characters, signal) => client.call('typing', [characters], INPUT_LIMIT_MS, signal),
    shortcut: (character, signal) => client.call('shortcut', [character], INPUT_LIMIT_MS, signal),
  });
}

/** Through a helper of its own: whoever owns the clipboard may take long to give what it has promised. */
export const createServedClipboard = (client: HelperClient): ReturnType<typeof createClipboard> =>
  createClipboard({
    readClipboard: (signal) => readable(client.call('readClipboard', [], READ_LIMIT_MS, signal)),
    putOnClipboard: (content, signal) => client.call('putOnClipboard', [content], READ_LIMIT_MS, signal),
    clipboardCount: (signal) => client.call('clipboardCount', [], READ_LIMIT_MS, signal),
    lendText: (text, signal) => readable(client.call('lendText', [text], READ_LIMIT_MS, signal)),
    giveBackClipboard: (signal) => client.call('giveBackClipboard', [], READ_LIMIT_MS, signal),
  });

/** A helper without windows may wait for an answer to a question of the system that nobody sees. Until it has read all it changes nothing. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (thrown) {
    if (!(thrown instanceof DesktopError) || thrown.code !== 'not_responding') throw thrown;
    throw new DesktopError('permission', message('native.clipboard_silent'));
  }
}

/** Text is lent by the clipboard's helper, keys are posted by that for events, and what became of it the elements tell. */
export const createServedPaste = (
  elements: HelperClient,
  clipboard: Clipboard,
  shortcut: MacInput['shortcut'],
): ReturnType<typeof createPaste> =>
  createPaste({
    clipboard,
    shortcut,
    frontPid: (signal) => elements.call('frontPid', [], READ_LIMIT_MS, signal),
    focusedText: (pid, signal) => elements.call('focusedText', [pid], READ_LIMIT_MS, signal),
  });

/** Through a helper of its own: a picture that never comes ends it. */
export const createServedCapture = (
  client: HelperClient,
  takeByProgram = createScreenshotProgram(),
): ReturnType<typeof createCapture> =>
  createCapture(
    {
      pictureSource: (target, signal) => client.call('pictureSource', [target], READ_LIMIT_MS, signal),
      takePicture: (source, signal) => client.call('takePicture', [source], PICTURE_LIMIT_MS, signal),
    },
    takeByProgram,
  );

/** The frames from before are known to the host, so that they outlive a helper; accessibility knows none. */
export function createMaximizing(client: HelperClient): Pick<WindowActions, 'setWindowMaximized'> {
  const before = new Map<string, Rect>();
  return {
    async setWindowMaximized(id, maximized, signal) {
      if (maximized) {
        const frame = await client.call('maximize', [id], WINDOW_LIMIT_MS, signal);
        if (frame !== null) before.set(id, frame);
        return;
      }
      const { maximized: is } = await client.call('windowState', [id], READ_LIMIT_MS, signal);
      if (is !== true) return;
      const frame = before.get(id);
      if (frame === undefined) throw new DesktopError('failed', message('native.frame_not_known'));
      const now = await client.call('setWindowFrame', [id, frame], WINDOW_LIMIT_MS, signal);
      if (!isNear(now, frame)) throw new DesktopError('failed', message('native.not_maximised', { to: 'other' }));
      before.delete(id);
    },
  };
}

/** The reading keeps to its own limit between calls. */
const limitOf = ({ timeoutMs }: Pick<TreeLimits, 'timeoutMs'>): number => timeoutMs + READ_LIMIT_MS;
