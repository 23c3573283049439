/** `npm run demo [-- --auto]`: the main job from end to end on a private virtual desktop. Ends with 0 only if the application itself says that it happened. */
import { main } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async (args) => {
  await setup({ test: true });
  const { demo } = await import('./demo/main.mjs');
  return demo({ auto: args.includes('--auto') });
});
