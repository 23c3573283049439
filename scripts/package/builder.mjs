import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/** Loads packages that electron-builder and electron depend on, in their versions. */
const library = createRequire(createRequire(require.resolve('electron-builder')).resolve('app-builder-lib'));
const electron = createRequire(require.resolve('electron/package.json'));

export const fromBuilder = (name) => library(name);
export const fromElectron = (name) => import(pathToFileURL(electron.resolve(name)).href);
