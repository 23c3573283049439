/** The layout of a block that captures nothing, as the ABI of blocks has it: the runtime neither copies nor frees such a one. */

/** Data symbol of libSystem: the class of such blocks. */
export const GLOBAL_BLOCK_CLASS = '_NSConcreteGlobalBlock';

/** Without the parts of blocks that capture something: it is global, and has a signature. */
export const BLOCK_FLAGS = (1 << 28) | (1 << 30);
export const BLOCK = { bytes: 32, flags: 8, invoke: 16, descriptor: 24 } as const;
export const DESCRIPTOR = { bytes: 24, size: 8, signature: 16 } as const;
/** No result; the block itself and two objects are given. */
export const TWO_OBJECTS = 'v24@?0@8@16';
