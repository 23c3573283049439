import { message } from '../../../messages/index.js';
import type { CommandRunner } from '../../../native/process/index.js';
import { shownPolicy, type Approvals, type CardEvent } from '../../approvals/index.js';
import type { Chat } from '../../chat/index.js';
import type { EvidenceRecorder } from '../../evidence/index.js';
import type { ToPage } from '../../protocol/index.js';
import type { Pairing } from '../pairing/index.js';
import { createThrottle } from '../../../base/throttle.js';
import { shownCommands, shownApps, type PageApps } from './programs.js';
import { publicStatus, type GreetingSources } from './greeting.js';
import { withoutImages } from './record.js';
import type { Audience, Page } from './page.js';

/** However often applications change, pages are told no more often. */
const APPS_MS = 200;

export interface NewsSources extends Pick<GreetingSources, 'status' | 'names' | 'health'> {
  chat: Pick<Chat, 'on'>;
  approvals: Pick<Approvals, 'onCard' | 'onGrants' | 'onPolicy'>;
  recorder: Pick<EvidenceRecorder, 'onRecorded'>;
  pairing: Pick<Pairing, 'on' | 'list' | 'news'>;
  keptCommands: Pick<CommandRunner['background'], 'list' | 'onChange'>;
  gabpApps: Pick<PageApps, 'list' | 'onChange'>;
  pages(): Iterable<Page>;
}

/** Sends changes to every page as far as its role allows. Returns a dispose function. */
export function broadcastNews(sources: NewsSources): () => void {
  const { chat, approvals, recorder, status, names, health, pairing, keptCommands, gabpApps } = sources;
  let shownStatus = JSON.stringify(publicStatus(status.now()));

  function broadcast(audience: Audience, message: ToPage) {
    const listening = [...sources.pages()].filter((page) => page.audience() === audience);
    if (listening.length === 0) return;
    const text = JSON.stringify(message);
    for (const page of listening) page.sendText(text);
  }

  const apps = createThrottle(() => broadcast('paired', shownApps(gabpApps)), APPS_MS);
  const ends = [
    apps.close,
    gabpApps.onChange(apps.later),
    chat.on((event) => {
      broadcast('paired', event);
      broadcast('chat', withoutImages(event));
    }),
    approvals.onCard((event) => broadcast('paired', cardNews(event))),
    names.onChange(() => broadcast('paired', { type: 'names', names: names.list() })),
    approvals.onGrants((grants) => broadcast('paired', { type: 'grants', grants })),
    approvals.onPolicy((policy) => broadcast('paired', { type: 'policy', policy: shownPolicy(policy) })),
    keptCommands.onChange(() => broadcast('paired', { type: 'commands', commands: shownCommands(keptCommands) })),
    recorder.onRecorded(
      (activity) => broadcast('paired', { type: 'activity', activity }),
      () => [...sources.pages()].some((page) => page.audience() === 'paired'),
    ),
    health.on((now) => {
      if (now) broadcast('paired', { type: 'health', health: now });
    }),
    status.on((now) => {
      broadcast('paired', { type: 'status', status: now });
      const reduced = publicStatus(now);
      const text = JSON.stringify(reduced);
      if (text === shownStatus) return;
      shownStatus = text;
      for (const audience of ['chat', 'nobody'] as const) broadcast(audience, { type: 'status', status: reduced });
    }),
    pairing.on(({ keyId, change }) => {
      if (change === 'revoked') dropRevoked(sources.pages(), keyId);
      for (const page of [...sources.pages()]) if (page.role() === 'paired') sendPairings(page, pairing);
    }),
  ];
  return () => ends.forEach((end) => end());
}

function cardNews(event: CardEvent): ToPage {
  if (event.kind !== 'resolved')
    return { type: event.kind === 'requested' ? 'approvalRequested' : 'approvalChanged', approval: event.card };
  const { id, decision, by, reason, message } = event;
  return {
    type: 'approvalResolved',
    id,
    decision,
    by,
    ...(reason === null ? {} : { reason }),
    ...(message === null ? {} : { message }),
  };
}

export function sendPairings(page: Page, pairing: Pick<Pairing, 'list' | 'news'>): void {
  const pairings = pairing.list().map((each) => ({ ...each, here: each.keyId === page.keyId() }));
  page.send({ type: 'pairings', pairings, news: pairing.news(page.isPopover ? null : page.keyId()) });
}

function dropRevoked(pages: Iterable<Page>, keyId: string): void {
  for (const page of [...pages]) {
    if (page.keyId() !== keyId) continue;
    page.refuse('unpaired', message('refused.unpaired'));
    page.close('this page was unpaired');
  }
}
