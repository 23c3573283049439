import type { ToPage } from '../../protocol/index.js';
import type { Pairing } from '../pairing/index.js';
import type { CommandsPort } from './commands.js';
import { publicStatus, type Shown } from './greeting.js';
import { withoutImages } from './history.js';
import type { Audience, Page } from './page.js';

export interface NewsSources extends Shown {
  pairing: Pairing;
  commands: Pick<CommandsPort, 'kept' | 'on'>;
  pages(): Iterable<Page>;
}

/** Tells every page what its role may know, as it happens. Returns what ends that. */
export function spreadNews(sources: NewsSources): () => void {
  const { chat, approvals, activity, status, health, pairing, commands } = sources;
  let shownStatus = JSON.stringify(publicStatus(status.now()));

  function tell(audience: Audience, message: ToPage) {
    const text = JSON.stringify(message);
    for (const page of [...sources.pages()]) if (page.audience() === audience) page.sendText(text);
  }

  const ends = [
    chat.on((event) => {
      tell('paired', event);
      tell('chat', withoutImages(event));
    }),
    approvals.on((news) => tell('paired', news)),
    commands.on(() => tell('paired', { type: 'commands', commands: commands.kept() })),
    activity.on((one) => tell('paired', { type: 'activity', activity: one })),
    health.on((now) => {
      if (now) tell('paired', { type: 'health', health: now });
    }),
    status.on((now) => {
      tell('paired', { type: 'status', status: now });
      const reduced = publicStatus(now);
      const text = JSON.stringify(reduced);
      if (text === shownStatus) return;
      shownStatus = text;
      for (const audience of ['chat', 'nobody'] as const) tell(audience, { type: 'status', status: reduced });
    }),
    pairing.on(({ keyId, change }) => {
      if (change === 'revoked') dropRevoked(sources.pages(), keyId);
      for (const page of [...sources.pages()]) if (page.role() === 'paired') sendPairings(page, pairing);
    }),
  ];
  return () => ends.forEach((end) => end());
}

export function sendPairings(page: Page, pairing: Pairing): void {
  const pairings = pairing.list().map((each) => ({ ...each, here: each.keyId === page.keyId() }));
  page.send({ type: 'pairings', pairings, news: pairing.news(page.isPopover ? null : page.keyId()) });
}

function dropRevoked(pages: Iterable<Page>, keyId: string): void {
  for (const page of [...pages]) {
    if (page.keyId() !== keyId) continue;
    page.refuse('unpaired', 'This page was unpaired.');
    page.close('this page was unpaired');
  }
}
