/** Events that are posted. Signatures and numbers: CGEvent.h, CGEventSource.h, CGEventTypes.h. */
import type { PrototypeTable } from './types.js';

export const EVENTS = {
  CGEventSourceCreate: ['owned', ['int32']],
  CGEventSourceSetUserData: ['void', ['ref', 'int64']],
  CGEventSourceSetLocalEventsSuppressionInterval: ['void', ['ref', 'double']],
  CGEventSourceSetLocalEventsFilterDuringSuppressionState: ['void', ['ref', 'uint32', 'uint32']],
  CGEventCreate: ['owned', ['ref']],
  CGEventGetLocation: ['CGPoint', ['ref']],
  CGEventCreateMouseEvent: ['owned', ['ref', 'uint32', 'CGPoint', 'uint32']],
  CGEventCreateKeyboardEvent: ['owned', ['ref', 'uint16', 'bool']],
  /** The variadic one of the same purpose passes its arguments elsewhere on arm64. */
  CGEventCreateScrollWheelEvent2: ['owned', ['ref', 'uint32', 'uint32', 'int32', 'int32', 'int32']],
  CGEventSetFlags: ['void', ['ref', 'uint64']],
  CGEventSetIntegerValueField: ['void', ['ref', 'uint32', 'int64']],
  CGEventKeyboardSetUnicodeString: ['void', ['ref', 'uint64', 'memory']],
  CGEventPost: ['void', ['uint32', 'ref']],
  CGPreflightPostEventAccess: ['bool', []],
  CGEventTapCreate: ['owned', ['uint32', 'uint32', 'uint32', 'uint64', 'address', 'address']],
  CGEventTapEnable: ['void', ['ref', 'bool']],
  CGEventGetIntegerValueField: ['int64', ['ref', 'uint32']],
} as const satisfies PrototypeTable;

/** CGEventType. `other` is of all buttons after the first two. */
export const EVENT_TYPE = {
  moved: 5,
  left: { down: 1, up: 2, dragged: 6 },
  right: { down: 3, up: 4, dragged: 7 },
  other: { down: 25, up: 26, dragged: 27 },
} as const;

/** CGEventField. */
export const EVENT_FIELD = {
  eventNumber: 0,
  clickState: 1,
  deltaX: 4,
  deltaY: 5,
  sourcePid: 41,
  userData: 42,
} as const;

/** CGEventFlags. */
export const EVENT_FLAG = {
  shift: 131_072,
  control: 262_144,
  option: 524_288,
  command: 1_048_576,
  numericPad: 2_097_152,
  fn: 8_388_608,
} as const;

/** NSEventTypeSystemDefined of NSEvent.h; its subtype of the keys for media, and their NX_KEYDOWN and NX_KEYUP of ev_keymap.h and IOLLEvent.h. */
export const SYSTEM_EVENT = { type: 14, mediaKeys: 8, down: 0xa, up: 0xb } as const;

/** CGEventTapLocation: where hardware comes in. */
export const HID_TAP = 0;
/** CGEventSourceStateID. */
export const HID_STATE = 1;
/** CGScrollEventUnit. */
export const PIXELS = 0;
/** CGEventSuppressionState, and CGEventFilterMask: mouse 1, keyboard 2, system 4. */
export const SUPPRESSION_STATES = [0, 1] as const;
export const PERMIT_ALL = 7;

/** CGEventTapLocation: where events come into the login session. */
export const SESSION_TAP = 1;
/** CGEventTapPlacement, CGEventTapOptions. */
export const TAP_TAIL = 1;
export const LISTEN_ONLY = 1;
/** CGEventType: keys down and up, and modifiers. */
export const KEY_EVENTS: ReadonlySet<number> = new Set([10, 11, 12]);
/** CGEventType: a key or a button going down. */
export const PRESS_EVENTS: ReadonlySet<number> = new Set([1, 3, 10, 25]);
/** CGEventType: a tap that took too long, or that the person's input ended. */
export const TAP_DISABLED: ReadonlySet<number> = new Set([0xffff_fffe, 0xffff_ffff]);
const SCROLLED = 22;
/** CGEventMask of all buttons, movements, keys and wheels. */
export const TAPPED_EVENTS = [1, 2, 3, 4, 5, 6, 7, ...KEY_EVENTS, SCROLLED, 25, 26, 27].reduce(
  (mask, type) => mask + 2 ** type,
  0,
);
