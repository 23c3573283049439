/** How long programs take until they are of use. */
import { join } from 'node:path';
import { inTurns } from './measure.mjs';
import { BARE_SERVER, ENTRY, environment, startHost, toEnd, toInitialize } from './processes.mjs';

export async function start({ folder, own }) {
  const running = environment(join(folder, 'shim'));
  await startHost(running, ['--backend', 'simulated'], own);
  const ms = await inTurns(9, {
    shim: () => toInitialize([ENTRY, 'mcp'], running),
    bare: () => toInitialize([BARE_SERVER], running),
    node: () => toEnd(process.execPath, ['-e', '0'], { env: running }),
    simulated: () => toUrl(folder, ['--backend', 'simulated']),
  });
  const virtual = await inTurns(3, { ours: () => toUrl(folder, ['--backend', 'linux', '--display', 'virtual']) });
  const row = (what, ours, peer, beside) => ({ what, unit: 'ms', ours, peer, beside });
  return [
    row(
      'shim: start to initialize answered, host running',
      ms.shim,
      ms.bare,
      'bare SDK server: start to initialize answered',
    ),
    row('shim: start to initialize answered, host running', ms.shim, ms.node, 'bare node: start to end'),
    row('host: start to address printed, simulated desktop', ms.simulated, ms.node, 'bare node: start to end'),
    row('host: start to address printed, private virtual desktop', virtual.ours, ms.node, 'bare node: start to end'),
  ];
}

/** Milliseconds until the host has printed its address. */
async function toUrl(folder, args) {
  const begin = performance.now();
  const host = await startHost(environment(join(folder, 'host')), args);
  const ms = performance.now() - begin;
  await host.stop();
  return ms;
}
