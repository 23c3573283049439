/** The members that the helper serves, as the host calls them. */
import { DesktopError, matches, type Rect, type TreeLimits, type WindowActions } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { withoutHidden } from '../accessibility/documents.js';
import { isNear } from '../window-acts/frames.js';
import type { HelperClient } from './client.js';
import { createClipboard, type Clipboard, createPaste } from '../clipboard/clipboard.js';
import { createInput, type MacInput } from '../input/input.js';
import { createCapture, createScreenshotProgram } from '../pictures/capture.js';
import type { Given, Served, ServedName } from './messages.js';
import { METHODS, READ_MS, WINDOW_MS, type HelperServed } from '../../methods.js';

/** 5 s for what can be captured, 3 s for the picture. */
const PICTURE_LIMIT_MS = 8000;
/** Nothing of it waits for an application. */
const INPUT_LIMIT_MS = 3000;

export function createServed(client: HelperClient): Omit<Served, 'permissions' | 'readClipboard'> {
  const tree: Served['tree'] = async (scope, { hides, ...limits }, signal) => {
    const read = await client.call('tree', [scope, limits], limitOf(limits), signal);
    return withoutHidden(read, hides);
  };
  const ask = <Name extends HelperServed & ServedName>(name: Name, given: Given<Name>, signal: AbortSignal) =>
    client.call(name, given, METHODS[name].helperMs, signal);
  return {
    tree,
    displays: (signal) => ask('displays', [], signal),
    apps: (signal) => ask('apps', [], signal),
    windows: (signal) => ask('windows', [], signal),
    stack: (signal) => ask('stack', [], signal),
    windowState: (id, signal) => ask('windowState', [id], signal),
    secureAreas: (signal, target) =>
      client.call('secureAreasOf', [target ?? null], METHODS.secureAreas.helperMs, signal),
    frontmost: (signal) => ask('frontmost', [], signal),
    async find(scope, selector, limit, limits, signal) {
      const { hides } = limits;
      if (hides === undefined) return client.call('find', [scope, selector, limit, limits], limitOf(limits), signal);
      // What a document hides is known only with all that is above each element.
      const { nodes, truncated } = await tree(scope, limits, signal);
      const found = nodes.map(({ element }) => element).filter((element) => matches(selector, element));
      return { elements: found.slice(0, limit), matched: found.length, truncated };
    },
    element: (id, signal) => ask('element', [id], signal),
    ancestors: (id, signal) => ask('ancestors', [id], signal),
    elementAt: (point, signal) => ask('elementAt', [point], signal),
    windowAt: (point, signal) => ask('windowAt', [point], signal),
    focusedElement: (signal) => ask('focusedElement', [], signal),
    scrollerOf: (id, signal) => ask('scrollerOf', [id], signal),
    pointer: (signal) => ask('pointer', [], signal),
    performAction: (id, action, signal) => ask('performAction', [id, action], signal),
    setValue: (id, value, signal) => ask('setValue', [id, value], signal),
    insertText: (id, text, signal) => ask('insertText', [id, text], signal),
    setSelected: (id, selected, signal) => ask('setSelected', [id, selected], signal),
    setExpanded: (id, expanded, signal) => ask('setExpanded', [id, expanded], signal),
    focusElement: (id, signal) => ask('focusElement', [id], signal),
    scrollIntoView: (id, signal) => ask('scrollIntoView', [id], signal),
    focusWindow: (id, signal) => ask('focusWindow', [id], signal),
    setWindowFrame: (id, frame, signal) => ask('setWindowFrame', [id, frame], signal),
    setWindowMinimized: (id, minimized, signal) => ask('setWindowMinimized', [id, minimized], signal),
    closeWindow: (id, signal) => ask('closeWindow', [id], signal),
    killWindow: (id, signal) => ask('killWindow', [id], signal),
    findApplication: (application, signal) => ask('findApplication', [application], signal),
    launch: (application, options, signal) => ask('launch', [application, options], signal),
    quitApp: (pid, signal) => ask('quitApp', [pid], signal),
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
    readClipboard: (signal) => readable(client.call('readClipboard', [], READ_MS, signal)),
    putOnClipboard: (content, signal) => client.call('putOnClipboard', [content], READ_MS, signal),
    clipboardCount: (signal) => client.call('clipboardCount', [], READ_MS, signal),
    lendText: (text, signal) => readable(client.call('lendText', [text], READ_MS, signal)),
    giveBackClipboard: (signal) => client.call('giveBackClipboard', [], READ_MS, signal),
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
    frontPid: (signal) => elements.call('frontPid', [], READ_MS, signal),
    focusedText: (pid, signal) => elements.call('focusedText', [pid], READ_MS, signal),
  });

/** Through a helper of its own: a picture that never comes ends it. */
export const createServedCapture = (
  client: HelperClient,
  takeByProgram = createScreenshotProgram(),
): ReturnType<typeof createCapture> =>
  createCapture(
    {
      pictureSource: (target, signal) => client.call('pictureSource', [target], READ_MS, signal),
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
        const frame = await client.call('maximize', [id], WINDOW_MS, signal);
        if (frame !== null) before.set(id, frame);
        return;
      }
      const { maximized: is } = await client.call('windowState', [id], READ_MS, signal);
      if (is !== true) return;
      const frame = before.get(id);
      if (frame === undefined) throw new DesktopError('failed', message('native.frame_not_known'));
      const now = await client.call('setWindowFrame', [id, frame], WINDOW_MS, signal);
      if (!isNear(now, frame)) throw new DesktopError('failed', message('native.not_maximised', { to: 'other' }));
      before.delete(id);
    },
  };
}

/** The reading keeps to its own limit between calls. */
const limitOf = ({ timeoutMs }: Pick<TreeLimits, 'timeoutMs'>): number => timeoutMs + READ_MS;
