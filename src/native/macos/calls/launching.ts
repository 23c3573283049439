/** Where applications are, and what their bundles say. Signatures and keys: LSInfo.h, CFURL.h, CFBundle.h, Info.plist keys. */
import type { PrototypeTable } from './types.js';

export const LAUNCH_SERVICES = {
  LSCopyApplicationURLsForBundleIdentifier: ['owned', ['ref', 'memory']],
} as const satisfies PrototypeTable;

export const BUNDLES = {
  CFURLCreateWithString: ['owned', ['ref', 'ref', 'ref']],
  CFBundleCopyInfoDictionaryInDirectory: ['owned', ['ref']],
} as const satisfies PrototypeTable;

/** AEDataModel.h, AppleEvents.h. */
export const APPLE_EVENTS = {
  AECreateDesc: ['int16', ['uint32', 'memory', 'int64', 'ownedSlot']],
  AEDeterminePermissionToAutomateTarget: ['int32', ['memory', 'uint32', 'uint32', 'boolean']],
  AEDisposeDesc: ['int16', ['memory']],
} as const satisfies PrototypeTable;

/** Keys of a bundle's information. */
export const BUNDLE_KEY = {
  id: 'CFBundleIdentifier',
  name: 'CFBundleName',
  displayName: 'CFBundleDisplayName',
  executable: 'CFBundleExecutable',
} as const;
