/** Displays and the list of windows. Signatures and numbers: CGDirectDisplay.h, CGDisplayConfiguration.h, CGWindow.h; the UUID is of ColorSync. */
import type { PrototypeTable } from './types.js';

export const CORE_GRAPHICS = {
  CGGetActiveDisplayList: ['int32', ['uint32', 'memory', 'memory']],
  CGMainDisplayID: ['uint32', []],
  CGDisplayBounds: ['CGRect', ['uint32']],
  CGDisplayMirrorsDisplay: ['uint32', ['uint32']],
  CGDisplayCopyDisplayMode: ['owned', ['uint32']],
  CGDisplayModeGetWidth: ['uint64', ['ref']],
  CGDisplayModeGetPixelWidth: ['uint64', ['ref']],
  CGWindowListCopyWindowInfo: ['owned', ['uint32', 'uint32']],
  CGWindowLevelForKey: ['int32', ['int32']],
  CGPreflightScreenCaptureAccess: ['bool', []],
  CGRectMakeWithDictionaryRepresentation: ['bool', ['ref', 'memory']],
} as const satisfies PrototypeTable;

export const COLOR_SYNC = { CGDisplayCreateUUIDFromDisplayID: ['owned', ['uint32']] } as const satisfies PrototypeTable;

/** Data symbols: keys of the window list. */
export const WINDOW_KEYS = [
  'kCGWindowNumber',
  'kCGWindowOwnerPID',
  'kCGWindowLayer',
  'kCGWindowBounds',
  'kCGWindowAlpha',
  'kCGWindowName',
] as const;

/** CGWindowListOption, CGWindow.h. */
export const WINDOW_LIST = { all: 0, onScreenOnly: 1, excludeDesktopElements: 16 } as const;

/** CGWindowLevelKey, CGWindowLevel.h; CGWindowLevelForKey gives the level. */
export const LEVEL_KEY = { normal: 4, floating: 5, status: 9, popUpMenu: 11 } as const;
