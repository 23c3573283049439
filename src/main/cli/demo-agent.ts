/** `chaperone demo-agent`: the demo agent, which the host starts for a page. It connects through a shim of its own, like any other agent. */
import { formatterFor } from '../../messages/catalogues.js';
import type { Language } from '../../messages/index.js';
import { DEMO_STOPPED } from '../protocol/index.js';
import { openClient } from './demo/client.js';
import { runDemo } from './demo/story.js';
import { ownLauncher } from './launcher.js';
import { stdinOrSignalEnd } from './process-end.js';

export async function demoAgent({ language, real = false }: { language: Language; real?: boolean }): Promise<void> {
  const client = await openClient(ownLauncher());
  // The host keeps the other end of stdin open while it runs.
  process.stdin.resume();
  const finished = await Promise.race([
    runDemo(client, formatterFor([language]), real).then(() => true),
    client.lost,
    stdinOrSignalEnd().then(() => false),
  ]).finally(client.close);
  process.exit(finished ? 0 : DEMO_STOPPED);
}
