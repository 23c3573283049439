/** Where each library is on a Mac (in the shared cache, so there may be no such file), and its prototypes, from the library's headers. */
import { ACCESSIBILITY } from './accessibility.js';
import { EVENTS } from './events.js';
import { OBJECTIVE_C } from './objective-c.js';
import type { PrototypeTable } from './types.js';

/** Keyboard layouts and secure input. Signatures and numbers: TextInputSources.h, CarbonEventsCore.h, UnicodeUtilities.h. */
const TEXT_INPUT = {
  TISCopyCurrentKeyboardInputSource: ['owned', []],
  TISCopyCurrentKeyboardLayoutInputSource: ['owned', []],
  TISCopyCurrentASCIICapableKeyboardLayoutInputSource: ['owned', []],
  TISGetInputSourceProperty: ['ref', ['ref', 'ref']],
  LMGetKbdType: ['uint8', []],
  IsSecureEventInputEnabled: ['boolean', []],
} as const satisfies PrototypeTable;

const KEY_TRANSLATION = {
  UCKeyTranslate: ['int32', ['ref', 'uint16', 'uint16', 'uint32', 'uint32', 'uint32', 'memory', 'uint64', 'memory', 'memory']],
} as const satisfies PrototypeTable; // prettier-ignore

/** Data symbol: the key of a source's layout. */
export const LAYOUT_DATA = 'kTISPropertyUnicodeKeyLayoutData';

export const KEY_ACTION_DOWN = 0;
export const NO_DEAD_KEYS = 1;
/** Modifiers as UCKeyTranslate takes them. */
export const TRANSLATION_MODIFIER = { shift: 2, option: 8 } as const;

/** Processes as the kernel reports them. Signatures and layout: libproc.h, sys/proc_info.h, sys/sysctl.h, signal.h. */
const PROCESSES = {
  proc_pidinfo: ['int32', ['int32', 'int32', 'uint64', 'memory', 'int32']],
  proc_pidpath: ['int32', ['int32', 'memory', 'uint32']],
  sysctlbyname: ['int32', ['text', 'memory', 'memory', 'memory', 'uint64']],
  kill: ['int32', ['int32', 'int32']],
  pthread_main_np: ['int32', []],
} as const satisfies PrototypeTable;

/** sys/signal.h. */
export const SIGKILL = 9;

export const PROC_PIDTBSDINFO = 3;
/** struct proc_bsdinfo. */
export const BSD_INFO = { bytes: 136, startSeconds: 120, startMicroseconds: 128 } as const;
export const PATH_BYTES = 4096;

/** Pictures and their pixels. Signatures and numbers: CGImage.h, CGDataProvider.h, CGBitmapContext.h, CGContext.h, CGColorSpace.h. */
const IMAGES = {
  CGImageGetWidth: ['uint64', ['ref']],
  CGImageGetHeight: ['uint64', ['ref']],
  CGImageGetBitsPerPixel: ['uint64', ['ref']],
  CGImageGetBytesPerRow: ['uint64', ['ref']],
  CGImageGetBitmapInfo: ['uint32', ['ref']],
  CGImageGetDataProvider: ['ref', ['ref']],
  CGDataProviderCopyData: ['owned', ['ref']],
  CGColorSpaceCreateWithName: ['owned', ['ref']],
  CGBitmapContextCreate: ['owned', ['memory', 'uint64', 'uint64', 'uint64', 'uint64', 'ref', 'uint32']],
  CGContextDrawImage: ['void', ['ref', 'CGRect', 'ref']],
} as const satisfies PrototypeTable;

/** Data symbol: the name of a colour space. */
export const SRGB = 'kCGColorSpaceSRGB';

/** CGImageAlphaInfo and CGImageByteOrderInfo, as they are together in a CGBitmapInfo. */
export const ALPHA = { premultipliedLast: 1, premultipliedFirst: 2, noneSkipLast: 5, noneSkipFirst: 6 } as const;
export const BYTE_ORDER = { default: 0, little32: 0x20_00, big32: 0x40_00 } as const;

/** 'BGRA' as a number, for SCStreamConfiguration. */
export const BGRA = 0x42_47_52_41;
/** SCCaptureResolutionType. */
export const BEST_RESOLUTION = 1;
/** SCStreamErrorCode: screen recording is not allowed. */
export const USER_DECLINED = -3801;

/** Where applications are, and what their bundles say. Signatures and keys: LSInfo.h, CFURL.h, CFBundle.h, Info.plist keys. */
const LAUNCH_SERVICES = {
  LSCopyApplicationURLsForBundleIdentifier: ['owned', ['ref', 'memory']],
} as const satisfies PrototypeTable;

const BUNDLES = {
  CFURLCreateWithString: ['owned', ['ref', 'ref', 'ref']],
  CFBundleCopyInfoDictionaryInDirectory: ['owned', ['ref']],
} as const satisfies PrototypeTable;

/** AEDataModel.h, AppleEvents.h. */
const APPLE_EVENTS = {
  AECreateDesc: ['int16', ['uint32', 'memory', 'int64', 'ownedSlot']],
  AEDeterminePermissionToAutomateTarget: ['int32', ['memory', 'uint32', 'uint32', 'boolean']],
  AEDisposeDesc: ['int16', ['memory']],
} as const satisfies PrototypeTable;

/** Keys of a bundle's information. */
export const BUNDLE_KEY = {
  id: 'CFBundleIdentifier',
  name: 'CFBundleName',
  displayName: 'CFBundleDisplayName',
  executable: 'CFBundleExecutable',
} as const;

/** Displays and the list of windows. Signatures and numbers: CGDirectDisplay.h, CGDisplayConfiguration.h, CGWindow.h; the UUID is of ColorSync. */
const CORE_GRAPHICS = {
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

const COLOR_SYNC = { CGDisplayCreateUUIDFromDisplayID: ['owned', ['uint32']] } as const satisfies PrototypeTable;

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

/** A CFRange argument is two int64: the same registers on both architectures, and four times faster. */
const CORE_FOUNDATION = {
  CFRetain: ['ref', ['ref']],
  CFRelease: ['void', ['ref']],
  CFGetTypeID: ['uint64', ['ref']],
  CFEqual: ['boolean', ['ref', 'ref']],
  CFHash: ['uint64', ['ref']],
  CFStringGetTypeID: ['uint64', []],
  CFArrayGetTypeID: ['uint64', []],
  CFDictionaryGetTypeID: ['uint64', []],
  CFBooleanGetTypeID: ['uint64', []],
  CFNumberGetTypeID: ['uint64', []],
  CFURLGetTypeID: ['uint64', []],
  CFAttributedStringGetTypeID: ['uint64', []],
  CFStringCreateWithCharacters: ['owned', ['ref', 'memory', 'int64']],
  CFStringGetLength: ['int64', ['ref']],
  CFStringGetCharacters: ['void', ['ref', 'int64', 'int64', 'memory']],
  CFAttributedStringGetString: ['ref', ['ref']],
  CFURLGetString: ['ref', ['ref']],
  CFArrayCreate: ['owned', ['ref', 'memory', 'int64', 'address']],
  CFArrayGetCount: ['int64', ['ref']],
  CFArrayGetValues: ['void', ['ref', 'int64', 'int64', 'memory']],
  CFDataCreate: ['owned', ['ref', 'memory', 'int64']],
  CFDataGetLength: ['int64', ['ref']],
  CFDataGetBytes: ['void', ['ref', 'int64', 'int64', 'memory']],
  CFDataGetBytePtr: ['ref', ['ref']],
  CFDictionaryCreate: ['owned', ['ref', 'memory', 'memory', 'int64', 'address', 'address']],
  CFDictionaryGetValue: ['ref', ['ref', 'ref']],
  CFBooleanGetValue: ['boolean', ['ref']],
  CFNumberCreate: ['owned', ['ref', 'int64', 'memory']],
  CFNumberIsFloatType: ['boolean', ['ref']],
  CFNumberGetValue: ['boolean', ['ref', 'int64', 'memory']],
  CFUUIDCreateString: ['owned', ['ref', 'ref']],
  CFRunLoopGetMain: ['ref', []],
  CFRunLoopAddSource: ['void', ['ref', 'ref', 'ref']],
  CFRunLoopRemoveSource: ['void', ['ref', 'ref', 'ref']],
  CFMachPortCreateRunLoopSource: ['owned', ['ref', 'ref', 'int64']],
  CFMachPortInvalidate: ['void', ['ref']],
  CFRunLoopRunInMode: ['int32', ['ref', 'double', 'boolean']],
} as const satisfies PrototypeTable;

/** Data symbols, passed by their own addresses. */
export const ARRAY_CALLBACKS = 'kCFTypeArrayCallBacks';
export const DICTIONARY_CALLBACKS = {
  keys: 'kCFTypeDictionaryKeyCallBacks',
  values: 'kCFTypeDictionaryValueCallBacks',
} as const;

/** CFNumberType, CFNumber.h. */
export const NUMBER_TYPE = { int64: 4, double: 6 } as const;

/** CFRunLoopRunResult, CFRunLoop.h. */
export const RUN_LOOP_HANDLED_SOURCE = 4;

const FRAMEWORKS = '/System/Library/Frameworks';

export const LIBRARY_PATHS = {
  coreFoundation: `${FRAMEWORKS}/CoreFoundation.framework/CoreFoundation`,
  coreGraphics: `${FRAMEWORKS}/CoreGraphics.framework/CoreGraphics`,
  colorSync: `${FRAMEWORKS}/ColorSync.framework/ColorSync`,
  accessibility: `${FRAMEWORKS}/ApplicationServices.framework/Versions/A/Frameworks/HIServices.framework/Versions/A/HIServices`,
  objectiveC: '/usr/lib/libobjc.A.dylib',
  /** Only loaded: its classes are found by name. */
  appKit: `${FRAMEWORKS}/AppKit.framework/AppKit`,
  /** Likewise. */
  screenCaptureKit: `${FRAMEWORKS}/ScreenCaptureKit.framework/ScreenCaptureKit`,
  processes: '/usr/lib/libSystem.B.dylib',
  textInput: `${FRAMEWORKS}/Carbon.framework/Versions/A/Frameworks/HIToolbox.framework/Versions/A/HIToolbox`,
  coreServices: `${FRAMEWORKS}/CoreServices.framework/CoreServices`,
} as const;

export type LibraryPaths = Readonly<Record<keyof typeof LIBRARY_PATHS, string>>;

export const PROTOTYPES = {
  coreFoundation: { ...CORE_FOUNDATION, ...BUNDLES },
  coreGraphics: { ...CORE_GRAPHICS, ...EVENTS, ...IMAGES },
  colorSync: COLOR_SYNC,
  accessibility: ACCESSIBILITY,
  objectiveC: OBJECTIVE_C,
  processes: PROCESSES,
  textInput: TEXT_INPUT,
  coreServices: { ...KEY_TRANSLATION, ...LAUNCH_SERVICES, ...APPLE_EVENTS },
} as const;
