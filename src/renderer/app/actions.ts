/** What a person can do here. Every act goes to the host at once or not at all; nothing waits for a connection. */
import type { FromPage, Pane, PressPlace, Retention } from '../../main/protocol/index.js';
import type { WatchDesktop } from '../net/live-frames.js';
import type { Ask } from '../net/host-questions.js';
import type { PageSession } from '../net/session.js';
import type { Card } from '../state/state.js';
import { createActivityLog, type ActivityLogStore } from '../state/activity-log.js';
import type { PageStore } from '../state/store.js';
import { spoken, t } from '../strings.js';
import { NoAnswer } from '../net/host-questions.js';
import { createPictureDrafts, type PictureDrafts } from '../features/conversation/picture-drafts.js';
import type { ReplyImage } from '../features/conversation/images.js';

export type GrantChoiceKind = Card['grants'][number]['kind'];
export type ChoosablePreset = Extract<FromPage, { type: 'setPolicy' }>['preset'];

export interface Actions {
  /** Asks the host something; rejects with `NoAnswer` when it refuses or the connection goes. */
  ask: Ask;
  /** Looks at the desktop. */
  watchDesktop: WatchDesktop;
  /** The record, as far as it was leafed through. */
  readonly activityLog: ActivityLogStore;
  /** Fetches the part of the conversation before what is known. Rejects with `NoAnswer`. */
  loadEarlier(): Promise<void>;
  /** A press on Allow begins; without it the host takes no Allow. */
  pressBegan(card: Card, place: PressPlace | null): void;
  allow(card: Card, grant: GrantChoiceKind): void;
  deny(card: Card, message: string): void;
  /** False when it was not sent; the draft stays. */
  reply(id: string, text: string, images: readonly ReplyImage[]): boolean;
  /** What was added to replies and not sent yet. */
  readonly pictures: PictureDrafts;
  /** Has the demo agent started; how it ends badly is a notice. */
  runDemo(): void;
  /** Shows the menubar popover, where this page may not decide. */
  openPopover(): void;
  /** From the popover: this page in the person's browser. */
  openBrowser(): void;
  stop(): void;
  resume(): void;
  /** Ends what touches the desktop and pauses everybody. */
  takeOver(): void;
  abort(executionId: string): void;
  pauseAgent(id: string, on: boolean): void;
  /** It is asked again for what it need not be asked for in this session. */
  forgetAgent(id: string): void;
  openPermission(pane: Pane): void;
  revokeGrant(id: string): void;
  unpair(keyId: string): void;
  /** Ends a command that was kept running. */
  endCommand(id: string): void;
  /** Whether it goes on when Chaperone ends. */
  outliveCommand(id: string, on: boolean): void;
  /** The person has seen that these pages were paired. */
  dismissPairings(keyIds: readonly string[]): void;
  setPolicy(preset: ChoosablePreset): void;
  /** Keeps agents away from an application, or lets them in again. */
  exclude(appId: string, on: boolean): void;
  setRetention(retention: Retention): void;
  retryNow(): void;
  clearAnswered(): void;
  dismissNotice(): void;
}

export function createActions(store: PageStore, session: PageSession): Actions {
  const send = (message: FromPage): boolean => {
    const sent = session.send(message);
    if (!sent) store.dispatch({ type: 'noticed', code: 'not_sent', message: t('page.notice.not_sent') });
    return sent;
  };
  /** The digest sent is that of the card that was on the screen when the button was pressed. */
  const decide = (
    card: Card,
    decision: 'allow' | 'deny',
    extra: { grant?: GrantChoiceKind; message?: string },
  ): void => {
    const sent = send({ type: 'approval', id: card.id, digest: card.digest, decision, ...extra });
    if (sent) store.dispatch({ type: 'decided', id: card.id, decision });
  };
  return {
    ask: session.ask,
    watchDesktop: session.watchDesktop,
    activityLog: createActivityLog(store, session.ask),
    loadEarlier: async () => {
      const { events, since } = await session.ask('earlier', { before: store.get().since + 1 });
      store.dispatch({ type: 'recalled', events, since });
    },
    pressBegan: ({ id, digest }, place) =>
      void send({ type: 'press', id, digest, ...(place === null ? {} : { place }) }),
    allow: (card, grant) => decide(card, 'allow', grant === 'once' ? {} : { grant }),
    deny: (card, message) => decide(card, 'deny', message === '' ? {} : { message }),
    reply: (id, text, images) => {
      const sent = send({ type: 'ack', id, message: text, ...(images.length > 0 ? { images: [...images] } : {}) });
      if (sent) store.dispatch({ type: 'replying', id });
      return sent;
    },
    pictures: createPictureDrafts(),
    runDemo: () => runDemo(store, session.ask),
    openPopover: () => void send({ type: 'openPopover' }),
    openBrowser: () => void send({ type: 'openBrowser' }),
    stop: () => void send({ type: 'pause', on: true }),
    resume: () => void send({ type: 'pause', on: false }),
    takeOver: () => void send({ type: 'takeOver' }),
    abort: (executionId) => void send({ type: 'abort', executionId }),
    pauseAgent: (id, on) => void send({ type: 'pauseAgent', id, on }),
    forgetAgent: (id) => void send({ type: 'forgetAgent', id }),
    openPermission: (pane) => void send({ type: 'openPermission', pane }),
    revokeGrant: (id) => void send({ type: 'revokeGrant', id }),
    dismissPairings: (keyIds) => void send({ type: 'dismissPairings', keyIds: [...keyIds].slice(0, 200) }),
    unpair: (keyId) => void send({ type: 'revokePairing', keyId }),
    endCommand: (id) => void send({ type: 'endCommand', id }),
    outliveCommand: (id, on) => void send({ type: 'outliveCommand', id, on }),
    setPolicy: (preset) => void send({ type: 'setPolicy', preset }),
    exclude: (appId, on) => void send({ type: 'exclude', appId, on }),
    setRetention: (retention) => void send({ type: 'setRetention', retention }),
    retryNow: () => session.retryNow(),
    clearAnswered: () => store.dispatch({ type: 'swept' }),
    dismissNotice: () => store.dispatch({ type: 'dismissed' }),
  };
}

/** Nothing is said of a good end: the demo itself says the last word. */
function runDemo(store: PageStore, ask: Ask): void {
  const tell = (message: string) => store.dispatch({ type: 'noticed', code: 'demo', message });
  ask('runDemo', { language: spoken }).then(
    ({ outcome, why }) => {
      if (outcome === 'stopped') tell(t('page.setup.demo.stopped'));
      if (outcome === 'failed') tell(t('page.setup.demo.failed', { why: why ?? '' }));
    },
    (error: unknown) => {
      const code = error instanceof NoAnswer ? error.code : '';
      // Pressed twice; or the connection went, which the page says anyway, and the demo goes on.
      if (code === 'demo_running' || code === 'lost') return;
      tell(error instanceof Error ? error.message : String(error));
    },
  );
}
