/** `chaperone demo-agent`: the demo that a page has its host start. To the host it is an agent like any other, behind a shim of its own. */
import type { Language } from '../../messages/index.js';
import { DEMO_STOPPED } from '../protocol/index.js';
import { openClient } from './demo/client.js';
import { tellStory } from './demo/story.js';
import { DEMO_WORDS } from './demo/words.js';
import { ownLauncher } from './launcher.js';

export async function demoAgent({ language, real = false }: { language: Language; real?: boolean }): Promise<void> {
  const client = await openClient(ownLauncher());
  const told = await Promise.race([
    tellStory(client, DEMO_WORDS[language], real).then(() => true),
    client.lost,
    hostGone(),
  ]).finally(client.close);
  process.exit(told ? 0 : DEMO_STOPPED);
}

/** The host holds the other end of stdin for as long as it lives. */
function hostGone(): Promise<false> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve(false));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(false));
    process.stdin.resume();
  });
}
