/** `npm run app [-- options]`: makes ready, then runs the menu bar app; says what to do where Electron's own program is not here. */
import { join } from 'node:path';
import { main, root, run } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async (args) => {
  await setup({ optional: true });
  return (await run(process.execPath, [join(root, 'dist/main/cli/index.js'), 'app', ...args])).code;
});
