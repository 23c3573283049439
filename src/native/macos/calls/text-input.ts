/** Keyboard layouts and secure input. Signatures and numbers: TextInputSources.h, CarbonEventsCore.h, UnicodeUtilities.h. */
import type { PrototypeTable } from './types.js';

export const TEXT_INPUT = {
  TISCopyCurrentKeyboardInputSource: ['owned', []],
  TISCopyCurrentKeyboardLayoutInputSource: ['owned', []],
  TISCopyCurrentASCIICapableKeyboardLayoutInputSource: ['owned', []],
  TISGetInputSourceProperty: ['ref', ['ref', 'ref']],
  LMGetKbdType: ['uint8', []],
  IsSecureEventInputEnabled: ['boolean', []],
} as const satisfies PrototypeTable;

export const KEY_TRANSLATION = {
  UCKeyTranslate: ['int32', ['ref', 'uint16', 'uint16', 'uint32', 'uint32', 'uint32', 'memory', 'uint64', 'memory', 'memory']],
} as const satisfies PrototypeTable; // prettier-ignore

/** Data symbol: the key of a source's layout. */
export const LAYOUT_DATA = 'kTISPropertyUnicodeKeyLayoutData';

export const KEY_ACTION_DOWN = 0;
export const NO_DEAD_KEYS = 1;
/** Modifiers as UCKeyTranslate takes them. */
export const TRANSLATION_MODIFIER = { shift: 2, option: 8 } as const;
