/** The Objective-C runtime, and the messages that are sent. Signatures: objc/message.h, objc/runtime.h, and the headers of each class. */
import type { CType, PrototypeTable } from './types.js';

export const OBJECTIVE_C = {
  objc_getClass: ['ref', ['text']],
  sel_registerName: ['ref', ['text']],
  objc_autoreleasePoolPush: ['address', []],
  objc_autoreleasePoolPop: ['void', ['address']],
} as const satisfies PrototypeTable;

/** Result and arguments, without receiver and selector. `boolean` is BOOL: a signed char on x86_64, bool on arm64. */
export const METHODS = {
  // NSWorkspace
  sharedWorkspace: ['ref', []],
  runningApplications: ['ref', []],
  frontmostApplication: ['ref', []],
  'openApplicationAtURL:configuration:completionHandler:': ['void', ['ref', 'ref', 'address']],
  'openURLs:withApplicationAtURL:configuration:completionHandler:': ['void', ['ref', 'ref', 'ref', 'address']],
  // NSWorkspaceOpenConfiguration
  configuration: ['ref', []],
  'setActivates:': ['void', ['boolean']],
  'setAddsToRecentItems:': ['void', ['boolean']],
  'setPromptsUserIfNeeded:': ['void', ['boolean']],
  'setCreatesNewApplicationInstance:': ['void', ['boolean']],
  // NSRunningApplication
  activationPolicy: ['int64', []],
  bundleIdentifier: ['ref', []],
  localizedName: ['ref', []],
  processIdentifier: ['int32', []],
  'runningApplicationWithProcessIdentifier:': ['ref', ['int32']],
  isFinishedLaunching: ['boolean', []],
  /** True: the request was sent. */
  terminate: ['boolean', []],
  // NSObject; what `alloc` gives is taken over by the `init…` that follows
  alloc: ['ref', []],
  init: ['owned', []],
  'respondsToSelector:': ['boolean', ['ref']],
  // NSPasteboard and its items; strings and data are those of Core Foundation
  generalPasteboard: ['ref', []],
  changeCount: ['int64', []],
  clearContents: ['int64', []],
  accessBehavior: ['int64', []],
  types: ['ref', []],
  pasteboardItems: ['ref', []],
  'stringForType:': ['ref', ['ref']],
  'dataForType:': ['ref', ['ref']],
  'writeObjects:': ['boolean', ['ref']],
  'setString:forType:': ['boolean', ['ref', 'ref']],
  'setData:forType:': ['boolean', ['ref', 'ref']],
  // NSError
  code: ['int64', []],
  // SCShareableContent, SCDisplay and SCWindow
  'getShareableContentExcludingDesktopWindows:onScreenWindowsOnly:completionHandler:': [
    'void',
    ['boolean', 'boolean', 'address'],
  ],
  displays: ['ref', []],
  windows: ['ref', []],
  displayID: ['uint32', []],
  windowID: ['uint32', []],
  // SCContentFilter
  'initWithDisplay:excludingWindows:': ['owned', ['ref', 'ref']],
  'initWithDesktopIndependentWindow:': ['owned', ['ref']],
  contentRect: ['CGRect', []],
  pointPixelScale: ['float', []],
  // SCStreamConfiguration
  'setWidth:': ['void', ['uint64']],
  'setHeight:': ['void', ['uint64']],
  'setShowsCursor:': ['void', ['boolean']],
  'setIgnoreShadowsSingleWindow:': ['void', ['boolean']],
  'setCaptureResolution:': ['void', ['int64']],
  'setPixelFormat:': ['void', ['uint32']],
  'setColorSpaceName:': ['void', ['ref']],
  // SCScreenshotManager, from macOS 14
  'captureImageWithFilter:configuration:completionHandler:': ['void', ['ref', 'ref', 'address']],
  // NSEvent. On x86_64 the last three are on the stack, each in a place of eight bytes; on arm64 the last one.
  'otherEventWithType:location:modifierFlags:timestamp:windowNumber:context:subtype:data1:data2:': [
    'ref',
    ['uint64', 'CGPoint', 'uint64', 'double', 'int64', 'ref', 'int16', 'int64', 'int64'],
  ],
  CGEvent: ['ref', []],
  // NSScreen; its frames have their origin at the bottom left
  screens: ['ref', []],
  CGDirectDisplayID: ['uint32', []],
  visibleFrame: ['CGRect', []],
} as const satisfies PrototypeTable;

/** NSApplicationActivationPolicy, NSRunningApplication.h. */
export const ACTIVATION_POLICY = { regular: 0 } as const;

export type SendEntry = 'objc_msgSend' | 'objc_msgSend_stret';

/**
 * The entry to send through. On x86_64 a structure of more than 16 bytes is returned through a pointer, which the plain entry
 * would take for the receiver; arm64 has no other entry.
 */
export function sendEntry(result: CType, arch: string): SendEntry {
  return arch === 'x64' && result === 'CGRect' ? 'objc_msgSend_stret' : 'objc_msgSend';
}
