import { DesktopError, type DesktopBackend } from './desktop.js';
import type { Platform } from './values.js';
import type { Message } from '../messages/index.js';

/** Stands in for a backend that could not be opened, so that everything else is still served: each call rejects with `reason`. */
export function unavailableDesktop(platform: Platform, reason: Message): DesktopBackend {
  const refuse = (): Promise<never> => Promise.reject(new DesktopError('lost', reason));
  const silent = () => () => undefined;
  return {
    ...{ platform, version: 'unavailable' },
    ...{
      permissions: refuse,
      displays: refuse,
      apps: refuse,
      windows: refuse,
      stack: refuse,
      frontmost: refuse,
      windowState: refuse,
      untilApplication: refuse,
    },
    ...{ tree: refuse, find: refuse, element: refuse, ancestors: refuse, elementAt: refuse, windowAt: refuse },
    ...{ focusedElement: refuse, scrollerOf: refuse, secureAreas: refuse, capture: refuse, windowPaint: refuse },
    ...{ findApplication: refuse, pointer: refuse, readClipboard: refuse, writeClipboard: refuse },
    ...{ performAction: refuse, setValue: refuse, insertText: refuse, setSelected: refuse, setExpanded: refuse },
    ...{ focusElement: refuse, scrollIntoView: refuse, focusWindow: refuse, closeWindow: refuse, killWindow: refuse },
    ...{ setWindowFrame: refuse, setWindowMinimized: refuse, setWindowMaximized: refuse, quitApp: refuse },
    ...{ launch: refuse, movePointer: refuse, button: refuse, scroll: refuse, key: refuse, typeText: refuse },
    ...{ paste: refuse, dropFiles: refuse },
    ...{ onChange: silent, onClipboardChange: silent, onPersonInput: silent, onSyntheticInput: silent, onLost: silent },
    releaseAll: async () => undefined,
    flushInputEvents: async () => undefined,
    close: async () => undefined,
  };
}
