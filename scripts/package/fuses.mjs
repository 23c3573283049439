import { fromBuilder } from './builder.mjs';

const { getCurrentFuseWire } = fromBuilder('@electron/fuses');

/** Places on the wire, by electron-builder's names. */
export const FUSES = {
  runAsNode: 0,
  enableCookieEncryption: 1,
  enableNodeOptionsEnvironmentVariable: 2,
  enableNodeCliInspectArguments: 3,
  enableEmbeddedAsarIntegrityValidation: 4,
  onlyLoadAppFromAsar: 5,
  loadBrowserProcessSpecificV8Snapshot: 6,
  grantFileProtocolExtraPrivileges: 7,
};

const ON = '1'.charCodeAt(0);

/** name → on or off, read from the program itself: what was configured and what is there are two things. */
export async function fusesOf(program) {
  const wire = await getCurrentFuseWire(program);
  return Object.fromEntries(Object.entries(FUSES).map(([name, place]) => [name, wire[place] === ON]));
}

/** Names of those that are not as they were to be. */
export async function wrongFuses(program, wanted) {
  const found = await fusesOf(program);
  return Object.keys(FUSES).filter((name) => found[name] !== wanted[name]);
}
