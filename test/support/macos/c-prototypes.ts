/** Reads C declarations and definitions, and reduces their types to what decides how a call is made. */
import type { CType, Prototype } from '../../../src/native/macos/calls/types.js';

export interface Signature {
  result: string;
  given: string[];
}

const KINDS: Readonly<Record<string, string>> = {
  void: 'void', bool: 'bool', _Bool: 'bool', Boolean: 'byte', 'unsigned char': 'byte', uint16_t: 'uint16', CGKeyCode: 'uint16',
  int16_t: 'int16', OSErr: 'int16', DescType: 'uint32', AEEventClass: 'uint32', AEEventID: 'uint32', Size: 'int64',
  int: 'int32', int32_t: 'int32', pid_t: 'int32', AXError: 'int32', CGError: 'int32', CFRunLoopRunResult: 'int32',
  uint32_t: 'uint32', AXValueType: 'uint32', AXCopyMultipleAttributeOptions: 'uint32', CGDirectDisplayID: 'uint32',
  CGWindowID: 'uint32', CGWindowListOption: 'uint32',
  long: 'int64', CFIndex: 'int64', CFNumberType: 'int64', 'unsigned long': 'uint64', CFTypeID: 'uint64', CFHashCode: 'uint64', size_t: 'uint64', uint64_t: 'uint64',
  float: 'float', double: 'double', CFTimeInterval: 'double', CGRect: 'CGRect', Rect: 'CGRect',
  uint8_t: 'byte', int64_t: 'int64', UniCharCount: 'uint64', CGEventType: 'uint32', CGMouseButton: 'uint32', CGScrollEventUnit: 'uint32',
  CGEventField: 'uint32', CGEventTapLocation: 'uint32', CGEventFlags: 'uint64', CGEventSourceStateID: 'int32', CGPoint: 'CGPoint', Point: 'CGPoint',
  CGEventFilterMask: 'uint32', CGEventSuppressionState: 'uint32', OSStatus: 'int32',
  CGEventMask: 'uint64', CGEventTapPlacement: 'uint32', CGEventTapOptions: 'uint32',
  CGEventTapCallBack: 'pointer', AXObserverCallback: 'pointer',
  Class: 'pointer', SEL: 'pointer',
}; // prettier-ignore

const TABLE_KINDS: Partial<Record<CType, string>> = {
  boolean: 'byte', uint8: 'byte', ref: 'pointer', owned: 'pointer', ownedSlot: 'pointer', memory: 'pointer', address: 'pointer', text: 'pointer',
}; // prettier-ignore

/** Every function that `source` declares or defines on a line of its own. */
export function signaturesIn(source: string): Map<string, Signature> {
  const found = source.matchAll(/^(?!static|typedef|extern|return)(\w[\w ]*?[ *]+)(\w+)\(([^()]*)\)\s*[;{]/gm);
  return new Map(
    [...found].map(([, result = '', name = '', given = '']) => [
      name,
      { result: kindOf(result), given: given.trim() === 'void' ? [] : given.split(',').flatMap(kindsOfArgument) },
    ]),
  );
}

export const signatureOf = ([result, given]: Prototype): Signature => ({
  result: tableKind(result),
  given: given.map(tableKind),
});

const tableKind = (type: CType): string => TABLE_KINDS[type] ?? type;

/** A CFRange travels as its two numbers do. */
function kindsOfArgument(argument: string): string[] {
  if (/^\s*CFRange\b/.test(argument)) return ['int64', 'int64'];
  const named = argument.trim().match(/^(.*[\s*])\w+$/);
  const [whole, unnamed] = [argument.trim(), named?.[1]];
  return [whole in KINDS || unnamed === undefined ? kindOf(whole) : kindOf(unnamed)];
}

function kindOf(type: string): string {
  const plain = type.replace(/\bconst\b/g, '').trim();
  if (plain.endsWith('*') || plain.endsWith('Ref')) return 'pointer';
  return KINDS[plain] ?? `unknown: ${plain}`;
}
