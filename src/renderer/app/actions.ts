/** What a person can do on the page. Everything is sent to the host at once or not at all; nothing is queued for a connection. */
import type { ChatEvent, FromPage, PressPlace, Card, Activity, SeenCard } from '../../main/protocol/index.js';
import type { WatchDesktop } from '../net/live-frames.js';
import type { PageSession } from '../net/session.js';
import { createActivityLog, type ActivityLogStore } from '../state/activity-log.js';
import { SECTION_NUMBERS } from '../state/chat-window.js';
import type { PageStore } from '../state/store.js';
import { currentLanguage, t } from '../strings.js';
import { NoAnswer, type Ask } from '../net/host-questions.js';
import { createPictureDrafts, type PictureDrafts, type ReplyImage } from '../features/chat/drafts.js';
import { createContext, useContext } from 'react';
import type { IconName } from '../ui/Icon.js';
import type { PageState } from '../state/state.js';

/** Whole sections, and no more than the host gives at a time. */
const LATER_NUMBERS = 5 * SECTION_NUMBERS;

export type GrantChoiceKind = Card['grants'][number]['kind'];
export type ChoosablePreset = Extract<FromPage, { type: 'setPolicy' }>['preset'];

/** All that a button decides: one request, or several that are shown as one. */
export type Cards = readonly [Card, ...Card[]];

export interface Actions {
  /** False when it was not sent; the page says so. */
  send(message: FromPage): boolean;
  /** Rejects with `NoAnswer` when the host refuses or the connection is lost. */
  ask: Ask;
  /** Requests frames of the desktop. */
  watchDesktop: WatchDesktop;
  /** The part of the record that was loaded. */
  readonly activityLog: ActivityLogStore;
  /** Loads the part of the conversation before the known one. Rejects with `NoAnswer`. */
  loadEarlier(): Promise<void>;
  /** Loads the next part of what is missing between there and the newest messages. Rejects with `NoAnswer`. */
  loadLater(): Promise<void>;
  /** Keeps only the newest part of the conversation. */
  toNewest(): void;
  /** Reports that a press on Allow has begun; the host accepts no Allow without it. */
  pressBegan(cards: Cards, place: PressPlace | null): void;
  allow(cards: Cards, grant: GrantChoiceKind): void;
  /** Allows a request for a desktop. */
  giveDesktop(card: Card, desktop: 'own' | 'shared'): void;
  deny(cards: Cards, message: string): void;
  /** False when it was not sent; the draft stays. */
  reply(id: string, text: string, images: readonly ReplyImage[]): boolean;
  /** Images added to replies and not sent yet. */
  readonly pictures: PictureDrafts;
  /** Starts the demo agent; a failure becomes a notice. */
  runDemo(): void;
  retryNow(): void;
  clearAnswered(): void;
  dismissNotice(): void;
}

export function createActions(store: PageStore, session: PageSession): Actions {
  const send = (message: FromPage): boolean => {
    const sent = session.send(message);
    if (!sent) store.dispatch({ type: 'noticeShown', code: 'not_sent', message: t('page.notice.not_sent') });
    return sent;
  };
  /** Sends the digests of what was on the screen when the button was pressed. */
  const decide = (
    cards: Cards,
    decision: 'allow' | 'deny',
    extra: { grant?: GrantChoiceKind; desktop?: 'own' | 'shared'; message?: string },
  ): void => {
    const sent = send({ type: 'approval', ...seenOf(cards), decision, ...extra });
    if (sent) for (const { id } of cards) store.dispatch({ type: 'decisionSent', id, decision });
  };
  return {
    send,
    ask: session.ask,
    watchDesktop: session.watchDesktop,
    activityLog: createActivityLog(store, session.ask),
    ...chatActions(store, session.ask),
    pressBegan: (cards, place) => void send({ type: 'press', ...seenOf(cards), ...(place === null ? {} : { place }) }),
    giveDesktop: (card, desktop) => decide([card], 'allow', { desktop }),
    allow: (cards, grant) => decide(cards, 'allow', grant === 'once' ? {} : { grant }),
    deny: (cards, message) => decide(cards, 'deny', message === '' ? {} : { message }),
    reply: (id, text, images) => {
      const sent = send({ type: 'ack', id, message: text, ...(images.length > 0 ? { images: [...images] } : {}) });
      if (sent) store.dispatch({ type: 'replySent', id });
      return sent;
    },
    pictures: createPictureDrafts(),
    runDemo: () => runDemo(store, session.ask),
    retryNow: () => session.retryNow(),
    clearAnswered: () => store.dispatch({ type: 'answeredCleared' }),
    dismissNotice: () => store.dispatch({ type: 'noticeDismissed' }),
  };
}

function seenOf([{ id, digest }, ...others]: Cards): SeenCard & { with?: SeenCard[] } {
  if (others.length === 0) return { id, digest };
  return { id, digest, with: others.map((one) => ({ id: one.id, digest: one.digest })) };
}

function chatActions(store: PageStore, ask: Ask): Pick<Actions, 'loadEarlier' | 'loadLater' | 'toNewest'> {
  return {
    loadEarlier: async () => {
      const before = store.get().since + 1;
      const { events, since } = await ask('earlier', { before });
      store.dispatch({ type: 'earlierLoaded', before, events, since });
    },
    loadLater: () => loadLater(store, ask),
    toNewest: () => store.dispatch({ type: 'gapClosed' }),
  };
}

/** An answer may hold less than was asked for: the rest is asked for until both parts meet. */
async function loadLater(store: PageStore, ask: Ask): Promise<void> {
  const { gap } = store.get();
  if (gap === null) return;
  const upTo = Math.min(gap.after + LATER_NUMBERS, gap.upTo);
  const found: ChatEvent[] = [];
  for (let before = upTo + 1; before > gap.after + 1;) {
    const { events, since } = await ask('earlier', { before });
    found.unshift(...events.filter(({ seq }) => seq > gap.after && seq < before));
    before = Math.min(since, before - 1) + 1;
  }
  store.dispatch({ type: 'laterLoaded', after: gap.after, events: found, upTo });
}

/** A success needs no notice: the demo's own messages end with one. */
function runDemo(store: PageStore, ask: Ask): void {
  const notify = (message: string) => store.dispatch({ type: 'noticeShown', code: 'demo', message });
  ask('runDemo', { language: currentLanguage }).then(
    ({ outcome, why }) => {
      if (outcome === 'stopped') notify(t('page.setup.demo.stopped'));
      if (outcome === 'failed') notify(t('page.setup.demo.failed', { why: why ?? '' }));
    },
    (error: unknown) => {
      const code = error instanceof NoAnswer ? error.code : '';
      // Pressed twice; or the connection went, which the page says anyway, and the demo goes on.
      if (code === 'demo_running' || code === 'lost') return;
      notify(error instanceof Error ? error.message : String(error));
    },
  );
}

type Outcome = Activity['outcome'];

/** The icon and tone of each outcome of an action. */
export const OUTCOMES: Record<Outcome, { icon: IconName; tone: '' | 'ok' | 'wait' | 'bad' }> = {
  confirmed: { icon: 'check', tone: 'ok' },
  unverified: { icon: 'question', tone: 'wait' },
  no_change: { icon: 'minus', tone: '' },
  denied: { icon: 'x', tone: '' },
  no_answer: { icon: 'clock', tone: '' },
  failed: { icon: 'alert', tone: 'bad' },
  running: { icon: 'play', tone: '' },
  waiting: { icon: 'hand', tone: 'wait' },
};
const UNDONE: ReadonlySet<Outcome> = new Set(['denied', 'no_answer', 'failed', 'running', 'waiting']);

export const StillAskedContext = createContext<(row: Activity) => boolean>(() => true);

/** An action recorded as waiting counts as unanswered once its request is no longer open. */
export function useOutcome(row: Activity): Outcome {
  const stillAsked = useContext(StillAskedContext);
  return row.outcome === 'waiting' && !stillAsked(row) ? 'no_answer' : row.outcome;
}

/** Whether its title is in the past tense. */
export const isDone = ({ outcome }: Pick<Activity, 'outcome'>): boolean => !UNDONE.has(outcome);

export interface ViewProps {
  state: PageState;
  actions: Actions;
}
