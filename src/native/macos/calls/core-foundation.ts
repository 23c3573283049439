/** CoreFoundation and what Chaperone uses of it. Signatures and numbers: CoreFoundation headers (CFBase, CFString, CFNumber, CFArray, CFDictionary, CFRunLoop …). */
import type { PrototypeTable } from './types.js';

/** A CFRange argument is two int64: the same registers on both architectures, and four times faster. */
export const CORE_FOUNDATION = {
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
