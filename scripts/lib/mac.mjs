/** What `npm start` does on a Mac besides. */
import { join } from 'node:path';
import { root, run } from './run.mjs';

/** Electron's program comes from github.com, with the package's own installer. True when it is there. */
export async function fetchElectron(exec = run) {
  console.error('fetching Electron for the menu bar app …');
  return (await exec(process.execPath, [join(root, 'node_modules/electron/install.js')])).code === 0;
}
