/** Core Foundation values to JavaScript and back. */
import type { Point, Rect } from '../../desktop.js';
import type { Bound } from '../calls/bind.js';
import { AX_VALUE } from '../calls/accessibility.js';
import { ARRAY_CALLBACKS, DICTIONARY_CALLBACKS, NUMBER_TYPE } from '../calls/libraries.js';
import type { Ref } from '../calls/types.js';
import type { Scope } from './scope.js';

/** What an object holds. Elements and everything else that is no plain value stay as they are, and are borrowed. */
export type Value =
  | { kind: 'text'; text: string }
  | { kind: 'number'; number: number; whole: boolean }
  | { kind: 'boolean'; boolean: boolean }
  | { kind: 'list'; refs: Ref[] }
  | { kind: 'element'; ref: Ref }
  | { kind: 'point'; point: Point }
  | { kind: 'size'; size: { width: number; height: number } }
  | { kind: 'rect'; rect: Rect }
  /** What stands in a list of attributes for one that could not be read. */
  | { kind: 'error'; code: number }
  | { kind: 'other'; ref: Ref };

export interface ValueReading {
  read(ref: Ref): Value;
  /** null where the object is no text. */
  text(ref: Ref | null): string | null;
  /** null where the object is no number. */
  number(ref: Ref | null): number | null;
  /** The objects of an array, borrowed from it; empty where it is no array. */
  list(ref: Ref | null): Ref[];
}

export function createValueReading(calls: Pick<Bound, 'coreFoundation' | 'accessibility'>): ValueReading {
  const { coreFoundation: cf, accessibility: ax } = calls;
  const readers = new Map<number, (ref: Ref) => Value>([
    [Number(cf.CFStringGetTypeID()), (ref) => ({ kind: 'text', text: textOf(cf, ref) })],
    [Number(cf.CFNumberGetTypeID()), (ref) => numberOf(cf, ref)],
    [Number(cf.CFBooleanGetTypeID()), (ref) => ({ kind: 'boolean', boolean: cf.CFBooleanGetValue(ref) !== 0 })],
    [Number(cf.CFArrayGetTypeID()), (ref) => ({ kind: 'list', refs: refsOf(cf, ref) })],
    [Number(cf.CFURLGetTypeID()), (ref) => borrowedText(cf, ref, cf.CFURLGetString(ref))],
    [Number(cf.CFAttributedStringGetTypeID()), (ref) => borrowedText(cf, ref, cf.CFAttributedStringGetString(ref))],
    [Number(ax.AXUIElementGetTypeID()), (ref) => ({ kind: 'element', ref })],
    [Number(ax.AXValueGetTypeID()), (ref) => structureOf(ax, ref)],
  ]);
  const read: ValueReading['read'] = (ref) => readers.get(Number(cf.CFGetTypeID(ref)))?.(ref) ?? { kind: 'other', ref };
  return {
    read,
    text(ref) {
      const value = ref === null ? null : read(ref);
      return value?.kind === 'text' ? value.text : null;
    },
    number(ref) {
      const value = ref === null ? null : read(ref);
      return value?.kind === 'number' ? value.number : null;
    },
    list(ref) {
      const value = ref === null ? null : read(ref);
      return value?.kind === 'list' ? value.refs : [];
    },
  };
}

export type ValueMaking = ReturnType<typeof createValueMaking>;

export function createValueMaking(bound: Bound) {
  const { coreFoundation: cf, accessibility: ax } = bound;
  const yes = bound.object('coreFoundation', 'kCFBooleanTrue');
  const no = bound.object('coreFoundation', 'kCFBooleanFalse');
  const callbacks = bound.address('coreFoundation', ARRAY_CALLBACKS);
  const ofKeys = bound.address('coreFoundation', DICTIONARY_CALLBACKS.keys);
  const ofValues = bound.address('coreFoundation', DICTIONARY_CALLBACKS.values);
  return {
    text: (scope: Scope, text: string): Ref | null =>
      scope.own(cf.CFStringCreateWithCharacters(null, unitsOf(text), BigInt(text.length))),
    number: (scope: Scope, number: number): Ref | null =>
      scope.own(
        Number.isSafeInteger(number)
          ? cf.CFNumberCreate(null, NUMBER_TYPE.int64, new BigUint64Array([BigInt.asUintN(64, BigInt(number))]))
          : cf.CFNumberCreate(null, NUMBER_TYPE.double, new Float64Array([number])),
      ),
    boolean: (value: boolean): Ref => (value ? yes : no),
    /** Keeps its objects alive. */
    list: (scope: Scope, refs: readonly Ref[]): Ref | null =>
      scope.own(cf.CFArrayCreate(null, new BigUint64Array(refs), refs.length, callbacks)),
    /** Keeps its objects alive. */
    dictionary: (scope: Scope, keys: readonly Ref[], values: readonly Ref[]): Ref | null =>
      scope.own(
        cf.CFDictionaryCreate(
          null,
          new BigUint64Array(keys),
          new BigUint64Array(values),
          Math.min(keys.length, values.length),
          ofKeys,
          ofValues,
        ),
      ),
    point: (scope: Scope, { x, y }: Point): Ref | null =>
      scope.own(ax.AXValueCreate(AX_VALUE.point, new Float64Array([x, y]))),
    size: (scope: Scope, { width, height }: { width: number; height: number }): Ref | null =>
      scope.own(ax.AXValueCreate(AX_VALUE.size, new Float64Array([width, height]))),
  };
}

export function present(ref: Ref | null): Ref {
  if (ref === null) throw new Error('out of memory');
  return ref;
}

type CoreFoundation = Bound['coreFoundation'];

/** Filled by a call and read right after it. A new one for each value would take a good part of the time of a reading. */
const NUMBERS = new Float64Array(4);
const INTEGER = new BigUint64Array(1);
const CODE = new Int32Array(1);

function textOf(cf: CoreFoundation, ref: Ref): string {
  const length = Number(cf.CFStringGetLength(ref));
  if (length <= 0) return '';
  const units = Buffer.alloc(length * 2);
  cf.CFStringGetCharacters(ref, 0, length, units);
  return units.toString('utf16le');
}

/** UTF-16 as it is, also with halves of pairs. */
function unitsOf(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

function borrowedText(cf: CoreFoundation, ref: Ref, text: Ref | null): Value {
  return text === null ? { kind: 'other', ref } : { kind: 'text', text: textOf(cf, text) };
}

function numberOf(cf: CoreFoundation, ref: Ref): Value {
  const whole = cf.CFNumberIsFloatType(ref) === 0;
  if (!whole) {
    NUMBERS.fill(0);
    cf.CFNumberGetValue(ref, NUMBER_TYPE.double, NUMBERS);
    return { kind: 'number', number: NUMBERS[0] ?? 0, whole };
  }
  INTEGER.fill(0n);
  cf.CFNumberGetValue(ref, NUMBER_TYPE.int64, INTEGER);
  return { kind: 'number', number: Number(BigInt.asIntN(64, INTEGER[0] ?? 0n)), whole };
}

function refsOf(cf: CoreFoundation, ref: Ref): Ref[] {
  const count = Number(cf.CFArrayGetCount(ref));
  const refs = new BigUint64Array(count);
  if (count > 0) cf.CFArrayGetValues(ref, 0, count, refs);
  return [...refs];
}

function structureOf(ax: Bound['accessibility'], ref: Ref): Value {
  const type = ax.AXValueGetType(ref);
  if (type === AX_VALUE.error) {
    CODE.fill(0);
    ax.AXValueGetValue(ref, type, CODE);
    return { kind: 'error', code: CODE[0] ?? 0 };
  }
  if (type !== AX_VALUE.point && type !== AX_VALUE.size && type !== AX_VALUE.rect) return { kind: 'other', ref };
  NUMBERS.fill(0);
  ax.AXValueGetValue(ref, type, NUMBERS);
  const [x = 0, y = 0, width = 0, height = 0] = NUMBERS;
  if (type === AX_VALUE.point) return { kind: 'point', point: { x, y } };
  if (type === AX_VALUE.size) return { kind: 'size', size: { width: x, height: y } };
  return { kind: 'rect', rect: { x, y, width, height } };
}

/** Core Foundation strings that are used again and again (names of attributes and actions), made once. */
export type ConstantTexts = ReturnType<typeof createConstantTexts>;

export function createConstantTexts({ coreFoundation: cf }: Pick<Bound, 'coreFoundation'>) {
  const made = new Map<string, Ref>();
  return {
    /** Lives until `close`. */
    of(text: string): Ref {
      const known = made.get(text);
      if (known !== undefined) return known;
      const ref = cf.CFStringCreateWithCharacters(null, Buffer.from(text, 'utf16le'), text.length);
      if (ref === null) throw new Error('out of memory');
      made.set(text, ref);
      return ref;
    },
    close(): void {
      for (const ref of made.values()) cf.CFRelease(ref);
      made.clear();
    },
  };
}
