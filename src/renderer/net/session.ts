/** Connects socket and store: validates what arrives, introduces the page to the host, and sends all messages. Called by start.tsx. */
import { toPageSchema, type FromPage, type ToPage } from '../../main/protocol/index.js';
import { say, t } from '../strings.js';
import type { PageStore } from '../state/store.js';
import { createFrameReceiver, type WatchDesktop } from './live-frames.js';
import type { PagePairing } from './pairing.js';
import { createHostQuestions, type Ask } from './host-questions.js';
import type { Socket, SocketEvents } from './socket.js';

type Connected = Extract<ToPage, { type: 'connected' }>;

/** How long the host may take to check this page's key before the page counts as unpaired. */
const KEY_CHECK_TIMEOUT_MS = 5000;

export interface PageSession {
  /** False when there is no connection; the message is dropped then, never sent later. */
  send(message: FromPage): boolean;
  /** Rejects with `NoAnswer` when the host refuses, or at once when there is no connection or it goes. */
  ask: Ask;
  watchDesktop: WatchDesktop;
  retryNow(): void;
  /** A pairing link was opened in this tab. */
  pairWith(code: string): void;
}

type OpenSocket = (events: SocketEvents) => Socket;

/** The state of the present connection and of introducing the page. */
interface ConnectionProgress {
  /** A greeting not applied yet, because the host still checks the key: applying it would hide the cards for a moment. */
  heldGreeting: Connected | null;
  greeting: Connected | null;
  /** The page introduces itself once per connection, because a nonce can be used once. */
  introduced: boolean;
  connection: number;
  caughtUp: boolean;
  keyCheckTimer: ReturnType<typeof setTimeout> | undefined;
  /** Messages that arrived while the new key is stored: a page must not look paired before a reload would find the key. */
  queue: ToPage[] | null;
}

function atStart(): ConnectionProgress {
  return {
    heldGreeting: null,
    greeting: null,
    introduced: false,
    connection: 0,
    caughtUp: false,
    keyCheckTimer: undefined,
    queue: null,
  };
}

export function openPageSession(open: OpenSocket, store: PageStore, pairing: PagePairing): PageSession {
  const progress = atStart();

  const socket = open({
    onMessage: (data) => {
      const message = parse(data);
      if (message === null)
        store.dispatch({ type: 'noticeShown', code: 'mismatch', message: t('page.notice.mismatch') });
      else receive(message);
    },
    onLost: (retryAt) => {
      clearTimeout(progress.keyCheckTimer);
      Object.assign(progress, atStart(), { connection: progress.connection + 1 });
      questions.rejectAll();
      store.dispatch({ type: 'connectionLost', retryAt });
    },
    onTrying: () => store.dispatch({ type: 'reconnecting' }),
  });
  const post = (message: object): boolean => socket.send(JSON.stringify(message));
  const send = (message: FromPage): boolean => post(message);
  const questions = createHostQuestions(post);
  /** The host keeps agents out of a window that may show this page. */
  const sendVisibility = (): boolean => send({ type: 'visibility', visible: document.visibilityState !== 'hidden' });
  document.addEventListener('visibilitychange', sendVisibility);
  const live = createFrameReceiver(send);

  async function keepKey(keyId: string): Promise<void> {
    const mine = progress.connection;
    progress.queue = [];
    await pairing.accept(keyId).catch((failure: unknown) => report(store, failure));
    if (mine !== progress.connection) return;
    const kept = progress.queue;
    progress.queue = null;
    for (const message of kept) receive(message);
  }

  function receive(message: ToPage): void {
    if (progress.queue !== null) progress.queue.push(message);
    else if (message.type === 'error') refused(message);
    else if (message.type === 'connected') greet(message);
    else if (message.type === 'frame') live.take(message);
    else if (message.type === 'paired') void keepKey(message.keyId);
    else if (message.type === 'pairingWaits') waitForPerson(message);
    else if (!questions.take(message)) store.dispatch({ type: 'host', message });
  }

  function refused(message: Extract<ToPage, { type: 'error' }>): void {
    if (questions.take(message)) return;
    if (progress.heldGreeting !== null) release('refused', say(message.message));
    else store.dispatch({ type: 'host', message });
  }

  function greet(message: Connected): void {
    progress.greeting = message;
    sendVisibility();
    if (message.role === 'paired' || progress.introduced) {
      clearTimeout(progress.keyCheckTimer);
      progress.heldGreeting = null;
      const seen = store.get().cursor;
      if (!progress.caughtUp && isBehind(seen, message)) {
        progress.caughtUp = true;
        send({ type: 'resume', cursor: seen });
      }
      store.dispatch({ type: 'host', message });
      return;
    }
    introduce(message);
  }

  function introduce(message: Connected): void {
    const mine = progress.connection;
    progress.introduced = true;
    progress.heldGreeting = message.role === 'unpaired' ? message : null;
    pairing.introduce(message.nonce).then(
      (introduction) => {
        if (mine !== progress.connection) return;
        if (introduction === null || !send(introduction)) release('none');
        else progress.keyCheckTimer = setTimeout(() => release('refused'), KEY_CHECK_TIMEOUT_MS);
      },
      (failure: unknown) => {
        release('none');
        report(store, failure);
      },
    );
  }

  /** The page counts as unpaired while a person is asked to confirm it elsewhere. */
  function waitForPerson(message: Extract<ToPage, { type: 'pairingWaits' }>): void {
    release('none');
    store.dispatch({ type: 'host', message });
  }

  /** Applies the held greeting as an unpaired page, and asks for the messages since. */
  function release(identity: 'none' | 'refused', refusal: string | null = null): void {
    clearTimeout(progress.keyCheckTimer);
    if (progress.heldGreeting === null) return;
    const message = progress.heldGreeting;
    progress.heldGreeting = null;
    store.dispatch({ type: 'host', message });
    store.dispatch({ type: 'identityChecked', identity, refusal });
    send({ type: 'resume', cursor: message.cursor });
  }

  return {
    send,
    ask: questions.ask,
    watchDesktop: live.watch,
    retryNow: () => socket.retryNow(),
    pairWith: (code) => {
      pairing.offer(code);
      if (progress.greeting !== null) introduce(progress.greeting);
    },
  };
}

/** True when messages are missing between the last one seen and the start of this history. */
function isBehind(seen: number, { since = 0, cursor }: Connected): boolean {
  return seen !== 0 && since > seen && cursor >= seen;
}

function report(store: PageStore, failure: unknown): void {
  const detail = failure instanceof Error ? failure.message : String(failure);
  store.dispatch({ type: 'noticeShown', code: 'key', message: t('page.notice.key', { detail }) });
}

function parse(data: unknown): ToPage | null {
  if (typeof data !== 'string') return null;
  try {
    const parsed = toPageSchema.safeParse(JSON.parse(data));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
