/** Types of the prototype tables: what JavaScript gives and gets for each C type. */
import type { Point, Rect } from '../../desktop.js';

/** A Core Foundation or Objective-C object; somebody else keeps it alive. */
export type Ref = bigint;

/** An object that the caller must release: the result of a function with Create or Copy in its name. */
export type Owned = bigint & { readonly mustBeReleased: true };

/** Bytes that a function reads or fills. */
export type Memory = BigUint64Array | Float64Array | Uint8Array | Uint16Array | Uint32Array | Int32Array;

export interface Values {
  void: undefined;
  /** `bool` of C. */
  bool: boolean;
  /** `Boolean` and `BOOL`: one byte, anything but 0 is true. */
  boolean: number;
  uint8: number;
  uint16: number;
  int16: number;
  int32: number;
  uint32: number;
  int64: number | bigint;
  uint64: number | bigint;
  float: number;
  double: number;
  CGPoint: Point;
  CGSize: { width: number; height: number };
  CGRect: { origin: Point; size: { width: number; height: number } };
  text: string;
  /** Get rule as a result; as an argument any object. */
  ref: Ref | null;
  /** Create rule. */
  owned: Owned | null;
  /** Filled with the pointer to an object that the caller must release. */
  ownedSlot: BigUint64Array;
  memory: Memory | null;
  /** A callback that koffi registered, or the address of a table of them. */
  address: bigint | null;
}

export type CType = keyof Values;

/** Result, then arguments. */
export type Prototype = readonly [result: CType, given: readonly CType[]];
export type PrototypeTable = Readonly<Record<string, Prototype>>;

type Arguments<Given extends readonly CType[]> = { -readonly [Index in keyof Given]: Values[Given[Index]] };
export type Call<P extends Prototype> = (...given: Arguments<P[1]>) => Values[P[0]];
export type Calls<T extends PrototypeTable> = { readonly [Name in keyof T]: Call<T[Name]> };

export const rectOf = ({ origin, size }: Values['CGRect']): Rect => ({ ...origin, ...size });
