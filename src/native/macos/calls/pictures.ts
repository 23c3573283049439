/** Pictures and their pixels. Signatures and numbers: CGImage.h, CGDataProvider.h, CGBitmapContext.h, CGContext.h, CGColorSpace.h. */
import type { PrototypeTable } from './types.js';

export const IMAGES = {
  CGImageGetWidth: ['uint64', ['ref']],
  CGImageGetHeight: ['uint64', ['ref']],
  CGImageGetBitsPerPixel: ['uint64', ['ref']],
  CGImageGetBytesPerRow: ['uint64', ['ref']],
  CGImageGetBitmapInfo: ['uint32', ['ref']],
  CGImageGetDataProvider: ['ref', ['ref']],
  CGDataProviderCopyData: ['owned', ['ref']],
  CGColorSpaceCreateWithName: ['owned', ['ref']],
  CGBitmapContextCreate: ['owned', ['memory', 'uint64', 'uint64', 'uint64', 'uint64', 'ref', 'uint32']],
  CGContextDrawImage: ['void', ['ref', 'CGRect', 'ref']],
} as const satisfies PrototypeTable;

/** Data symbol: the name of a colour space. */
export const SRGB = 'kCGColorSpaceSRGB';

/** CGImageAlphaInfo and CGImageByteOrderInfo, as they are together in a CGBitmapInfo. */
export const ALPHA = { premultipliedLast: 1, premultipliedFirst: 2, noneSkipLast: 5, noneSkipFirst: 6 } as const;
export const BYTE_ORDER = { default: 0, little32: 0x20_00, big32: 0x40_00 } as const;

/** 'BGRA' as a number, for SCStreamConfiguration. */
export const BGRA = 0x42_47_52_41;
/** SCCaptureResolutionType. */
export const BEST_RESOLUTION = 1;
/** SCStreamErrorCode: screen recording is not allowed. */
export const USER_DECLINED = -3801;
