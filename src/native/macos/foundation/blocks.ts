/** Completion handlers. The system calls them on a thread of its own, which then waits until JavaScript has run them here. */
import koffi from 'koffi';
import type { Bound } from '../calls/bind.js';
import type { Ref } from '../calls/types.js';

type Completion<T> = (result: Ref | null, error: Ref | null) => T;

export interface Blocks {
  /**
   * Gives `start` a block to call; resolves with what `read` makes of the first call. Later calls of it do nothing. What is given
   * to `read` is borrowed until it returns.
   */
  completed<T>(start: (block: bigint) => void, read: Completion<T | Promise<T>>): Promise<T>;
  /** No block may be called any more. */
  close(): void;
}

/** Blocks are used in turn, so that one which is called twice is not yet another one. */
const MOST_BLOCKS = 64;

export function createBlocks(bound: Bound): Blocks {
  const waiting = new Map<bigint, Completion<void>>();
  const invoke = koffi.register(
    (block: bigint, result: bigint | null, error: bigint | null) => {
      const completion = waiting.get(block);
      waiting.delete(block);
      completion?.(result, error);
    },
    koffi.pointer(koffi.proto('void', ['void *', 'void *', 'void *'])),
  );
  const memory = layOut(bound.address('processes', GLOBAL_BLOCK_CLASS), invoke);
  let next = 0;

  const free = (): bigint => {
    for (let tries = 0; tries < MOST_BLOCKS; tries++) {
      const block = memory.first + BigInt(BLOCK.bytes * (next++ % MOST_BLOCKS));
      if (!waiting.has(block)) return block;
    }
    throw new Error('too many calls wait for the system');
  };

  return {
    completed: (start, read) =>
      new Promise((resolve, reject) => {
        const block = free();
        waiting.set(block, (result, error) => {
          // Nothing may be thrown into the system's thread.
          try {
            resolve(read(result, error));
          } catch (thrown) {
            reject(thrown);
          }
        });
        try {
          start(block);
        } catch (thrown) {
          waiting.delete(block);
          throw thrown;
        }
      }),
    close() {
      waiting.clear();
      koffi.unregister(invoke);
      koffi.free(memory.whole);
    },
  };
}

/** All blocks, then what they share. Outside of JavaScript's memory, which may move. */
function layOut(blockClass: bigint, invoke: bigint): { whole: unknown; first: bigint } {
  const signature = Buffer.from(`${TWO_OBJECTS}\0`);
  const shared = BLOCK.bytes * MOST_BLOCKS;
  const bytes = Buffer.alloc(shared + DESCRIPTOR.bytes + signature.length);
  const whole: unknown = koffi.alloc('uint8_t', bytes.length);
  const first = koffi.address(whole);
  for (let at = 0; at < shared; at += BLOCK.bytes) {
    bytes.writeBigUInt64LE(blockClass, at);
    bytes.writeInt32LE(BLOCK_FLAGS, at + BLOCK.flags);
    bytes.writeBigUInt64LE(invoke, at + BLOCK.invoke);
    bytes.writeBigUInt64LE(first + BigInt(shared), at + BLOCK.descriptor);
  }
  bytes.writeBigUInt64LE(BigInt(BLOCK.bytes), shared + DESCRIPTOR.size);
  bytes.writeBigUInt64LE(first + BigInt(shared + DESCRIPTOR.bytes), shared + DESCRIPTOR.signature);
  signature.copy(bytes, shared + DESCRIPTOR.bytes);
  koffi.encode(whole, 0, 'uint8_t', [...bytes], bytes.length);
  return { whole, first };
}

/** The layout of a block that captures nothing, as the ABI of blocks has it: the runtime neither copies nor frees such a one. */

/** Data symbol of libSystem: the class of such blocks. */
const GLOBAL_BLOCK_CLASS = '_NSConcreteGlobalBlock';

/** Without the parts of blocks that capture something: it is global, and has a signature. */
const BLOCK_FLAGS = (1 << 28) | (1 << 30);
const BLOCK = { bytes: 32, flags: 8, invoke: 16, descriptor: 24 } as const;
const DESCRIPTOR = { bytes: 24, size: 8, signature: 16 } as const;
/** No result; the block itself and two objects are given. */
const TWO_OBJECTS = 'v24@?0@8@16';
