/** `npm run app [-- options]`: sets up the clone, then runs the menu bar app. Says what to do where Electron is not installed. */
import { join } from 'node:path';
import { main, root, run } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async (args) => {
  await setup({ optional: true });
  return (await run(process.execPath, [join(root, 'dist/main/cli/index.js'), 'app', ...args])).code;
});
