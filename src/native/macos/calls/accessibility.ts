/** The accessibility client functions of HIServices. Signatures and numbers: AXUIElement.h, AXValue.h, AXError.h, AXValueConstants.h. */
import type { ChangeHint } from '../../desktop.js';
import type { PrototypeTable } from './types.js';

/** Positions and time limits are 32-bit floats here, unlike everywhere else. */
export const ACCESSIBILITY = {
  AXIsProcessTrusted: ['boolean', []],
  AXUIElementGetTypeID: ['uint64', []],
  AXUIElementCreateSystemWide: ['owned', []],
  AXUIElementCreateApplication: ['owned', ['int32']],
  AXUIElementSetMessagingTimeout: ['int32', ['ref', 'float']],
  AXUIElementGetPid: ['int32', ['ref', 'memory']],
  AXUIElementCopyAttributeValue: ['int32', ['ref', 'ref', 'ownedSlot']],
  AXUIElementCopyMultipleAttributeValues: ['int32', ['ref', 'ref', 'uint32', 'ownedSlot']],
  AXUIElementCopyParameterizedAttributeValue: ['int32', ['ref', 'ref', 'ref', 'ownedSlot']],
  AXUIElementIsAttributeSettable: ['int32', ['ref', 'ref', 'memory']],
  AXUIElementSetAttributeValue: ['int32', ['ref', 'ref', 'ref']],
  AXUIElementCopyActionNames: ['int32', ['ref', 'ownedSlot']],
  AXUIElementPerformAction: ['int32', ['ref', 'ref']],
  AXUIElementCopyElementAtPosition: ['int32', ['ref', 'float', 'float', 'ownedSlot']],
  AXObserverCreate: ['int32', ['int32', 'address', 'ownedSlot']],
  AXObserverAddNotification: ['int32', ['ref', 'ref', 'ref', 'address']],
  AXObserverGetRunLoopSource: ['ref', ['ref']],
  AXValueGetTypeID: ['uint64', []],
  AXValueCreate: ['owned', ['uint32', 'memory']],
  AXValueGetType: ['uint32', ['ref']],
  AXValueGetValue: ['boolean', ['ref', 'uint32', 'memory']],
  /** Not in the headers; exported by SDK 27, and what AltTab, yabai and Hammerspoon use. */
  _AXUIElementGetWindow: ['int32', ['ref', 'memory']],
} as const satisfies PrototypeTable;

/** AXError, AXError.h. */
export const AX_ERROR = {
  success: 0,
  failure: -25200,
  illegalArgument: -25201,
  invalidElement: -25202,
  cannotComplete: -25204,
  attributeUnsupported: -25205,
  actionUnsupported: -25206,
  notImplemented: -25208,
  apiDisabled: -25211,
  noValue: -25212,
  parameterUnsupported: -25213,
} as const;

/** AXValueType, AXValueConstants.h. */
export const AX_VALUE = { point: 1, size: 2, rect: 3, range: 4, error: 5 } as const;

/** Of applications, by what they are about. AXNotificationConstants.h. */
export const NOTIFICATIONS: ReadonlyMap<string, ChangeHint['kind']> = new Map([
  ['AXWindowCreated', 'windows'], ['AXWindowMoved', 'windows'], ['AXWindowResized', 'windows'], ['AXWindowMiniaturized', 'windows'],
  ['AXWindowDeminiaturized', 'windows'], ['AXSheetCreated', 'windows'], ['AXMainWindowChanged', 'windows'], ['AXFocusedWindowChanged', 'windows'],
  ['AXApplicationActivated', 'applications'], ['AXApplicationDeactivated', 'applications'], ['AXApplicationHidden', 'applications'],
  ['AXApplicationShown', 'applications'], ['AXFocusedUIElementChanged', 'elements'], ['AXValueChanged', 'elements'], ['AXTitleChanged', 'elements'],
  ['AXLayoutChanged', 'elements'], ['AXRowCountChanged', 'elements'], ['AXCreated', 'elements'], ['AXMenuOpened', 'elements'], ['AXMenuClosed', 'elements'],
  ['AXSelectedRowsChanged', 'elements'], ['AXSelectedChildrenChanged', 'elements'],
]); // prettier-ignore
