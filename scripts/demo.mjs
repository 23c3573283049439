/** `npm run demo [-- --auto]`: an agent presses a button on a private virtual desktop, with a person's approval. Exits with 0 only if the application itself confirms it. */
import { main } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async (args) => {
  await setup({ test: true });
  const { demo } = await import('./demo/main.mjs');
  return demo({ auto: args.includes('--auto') });
});
