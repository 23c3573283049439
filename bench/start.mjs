/** How long programs take until they are of use. */
import { join } from 'node:path';
import { BARE_SERVER, ENTRY, environment, startHost, toEnd, toInitialize } from './processes.mjs';
import { inRounds, line } from './rounds.mjs';

const BARE_NODE = 'bare node: start to end';

export async function shimStart({ folder, own }) {
  const running = environment(join(folder, 'shim'));
  await startHost(running, ['--backend', 'simulated'], own);
  const taken = await inRounds(
    { shim: () => toInitialize([ENTRY, 'mcp'], running) },
    { bare: () => toInitialize([BARE_SERVER], running), node: () => bareNode(running) },
  );
  const what = 'shim: start to initialize answered, host running';
  const row = (beside, peer) => line({ what, beside, taken, ours: (ms) => ms.shim, peer });
  return [row('bare SDK server: start to initialize answered', (ms) => ms.bare), row(BARE_NODE, (ms) => ms.node)];
}

export async function hostStart({ folder }) {
  const taken = await inRounds(
    {
      simulated: () => toUrl(folder, ['--backend', 'simulated']),
      virtual: () => toUrl(folder, ['--backend', 'linux', '--display', 'virtual']),
    },
    { node: () => bareNode(environment(join(folder, 'host'))) },
  );
  const row = (what, ours) => line({ what, beside: BARE_NODE, taken, ours, peer: (ms) => ms.node });
  return [
    row('host: start to address printed, simulated desktop', (ms) => ms.simulated),
    row('host: start to address printed, private virtual desktop', (ms) => ms.virtual),
  ];
}

const bareNode = (env) => toEnd(process.execPath, ['-e', '0'], { env });

/** Milliseconds until the host has printed its address. */
async function toUrl(folder, args) {
  const begin = performance.now();
  const host = await startHost(environment(join(folder, 'host')), args);
  const ms = performance.now() - begin;
  await host.stop();
  return ms;
}
