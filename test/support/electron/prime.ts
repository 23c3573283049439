/** menubar asks for `electron` by itself. Here it gets this object, which each stand-in fills; import this before anything that imports menubar. */
import Module, { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const path = require.resolve('electron');
const module = new Module(path);
module.exports = {};
module.loaded = true;
require.cache[path] = module;

export function answerRequire(electron: object): void {
  Object.assign(module.exports, electron);
}
