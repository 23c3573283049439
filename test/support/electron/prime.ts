/**
 * menubar asks for `electron` by itself, which would download it. Here it gets this object, which each stand-in fills. Set up before
 * every test file, because a file may reach menubar by any import; files of one worker share it.
 */
import Module, { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const path = require.resolve('electron');

function createModule(): NodeModule {
  const module = new Module(path);
  module.exports = {};
  module.loaded = true;
  return module;
}
const module = (require.cache[path] ??= createModule());

export function answerRequire(electron: object): void {
  Object.assign(module.exports, electron);
}
