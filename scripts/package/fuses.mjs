import { fromBuilder } from './builder.mjs';

const { getCurrentFuseWire } = fromBuilder('@electron/fuses');

/** Positions on the fuse wire, by electron-builder's names. */
const FUSES = {
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

/** Whether each fuse is on, read from the executable. */
export async function fusesOf(program) {
  const wire = await getCurrentFuseWire(program);
  return Object.fromEntries(Object.entries(FUSES).map(([name, place]) => [name, wire[place] === ON]));
}

/** Names of the fuses that differ from the configuration. */
export async function wrongFuses(program, wanted) {
  const found = await fusesOf(program);
  return Object.keys(FUSES).filter((name) => found[name] !== wanted[name]);
}
