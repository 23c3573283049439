/** Between socket and store: validates what comes in, introduces the page, and is the one door out. Called by main.tsx. */
import { toPageSchema, type FromPage, type ToPage } from '../../main/protocol/index.js';
import { sayHost, t } from '../strings.js';
import type { Store } from '../state/store.js';
import { createLive, type Look } from './live.js';
import type { Pairing } from './pairing.js';
import { createQuestions, type Ask } from './questions.js';
import type { Socket, SocketEvents } from './socket.js';

type Connected = Extract<ToPage, { type: 'connected' }>;

/** How long the host may take over this page's key before the page shows itself unpaired. */
const PATIENCE = 5000;

export interface Session {
  /** False when there is no connection; the message is dropped then, never sent later. */
  send(message: FromPage): boolean;
  /** Rejects with `NoAnswer` when the host refuses, or at once when there is no connection or it goes. */
  ask: Ask;
  look: Look;
  retryNow(): void;
  /** A pairing link was opened in this tab. */
  pairWith(code: string): void;
}

/** How far a session has come with its connection and with introducing the page. */
interface Progress {
  /** The greeting held back while the host checks the key: showing it would hide cards for a moment. */
  held: Connected | null;
  greeting: Connected | null;
  /** The page introduces itself once a connection; every nonce is spent by one use. */
  introduced: boolean;
  connection: number;
  caughtUp: boolean;
  patience: ReturnType<typeof setTimeout> | undefined;
  /** What came while the new key is being stored: a page must not look paired before a reload would find it so. */
  inbox: ToPage[] | null;
}

function atStart(): Progress {
  return {
    held: null,
    greeting: null,
    introduced: false,
    connection: 0,
    caughtUp: false,
    patience: undefined,
    inbox: null,
  };
}

export function openSession(open: (events: SocketEvents) => Socket, store: Store, pairing: Pairing): Session {
  const now = atStart();

  const socket = open({
    onMessage: (data) => {
      const message = parse(data);
      if (message === null) store.tell({ type: 'noticed', code: 'mismatch', message: t('page.notice.mismatch') });
      else receive(message);
    },
    onLost: (retryAt) => {
      clearTimeout(now.patience);
      now.held = null;
      now.greeting = null;
      now.introduced = false;
      now.caughtUp = false;
      now.inbox = null;
      now.connection += 1;
      questions.lost();
      store.tell({ type: 'lost', retryAt });
    },
    onTrying: () => store.tell({ type: 'trying' }),
  });
  const post = (message: object): boolean => socket.send(JSON.stringify(message));
  const send = (message: FromPage): boolean => post(message);
  const questions = createQuestions(post, { mismatch: t('page.notice.mismatch'), notSent: t('page.notice.not_sent') });
  /** The host keeps agents out of a window that may show this page. */
  const sayVisibility = (): boolean => send({ type: 'visibility', visible: document.visibilityState !== 'hidden' });
  document.addEventListener('visibilitychange', sayVisibility);
  const live = createLive(send);

  async function keepKey(keyId: string): Promise<void> {
    const mine = now.connection;
    now.inbox = [];
    await pairing.accept(keyId).catch((failure: unknown) => report(store, failure));
    if (mine !== now.connection) return;
    const kept = now.inbox;
    now.inbox = null;
    for (const message of kept) receive(message);
  }

  function receive(message: ToPage): void {
    if (now.inbox !== null) now.inbox.push(message);
    else if (message.type === 'error') refused(message);
    else if (message.type === 'connected') greet(message);
    else if (message.type === 'frame') live.take(message);
    else if (message.type === 'paired') void keepKey(message.keyId);
    else if (message.type === 'pairingWaits') waitForPerson(message);
    else if (!questions.take(message)) store.tell({ type: 'host', message });
  }

  function refused(message: Extract<ToPage, { type: 'error' }>): void {
    if (questions.take(message)) return;
    if (now.held !== null) release('refused', sayHost(message.message));
    else store.tell({ type: 'host', message });
  }

  function greet(message: Connected): void {
    now.greeting = message;
    sayVisibility();
    if (message.role === 'paired' || now.introduced) {
      clearTimeout(now.patience);
      now.held = null;
      const seen = store.get().cursor;
      if (!now.caughtUp && isBehind(seen, message)) {
        now.caughtUp = true;
        send({ type: 'resume', cursor: seen });
      }
      store.tell({ type: 'host', message });
      return;
    }
    introduce(message);
  }

  function introduce(message: Connected): void {
    const mine = now.connection;
    now.introduced = true;
    now.held = message.role === 'unpaired' ? message : null;
    pairing.introduce(message.nonce).then(
      (introduction) => {
        if (mine !== now.connection) return;
        if (introduction === null || !send(introduction)) release('none');
        else now.patience = setTimeout(() => release('refused'), PATIENCE);
      },
      (failure: unknown) => {
        release('none');
        report(store, failure);
      },
    );
  }

  /** The page shows itself unpaired while a person is asked elsewhere, however long that takes. */
  function waitForPerson(message: Extract<ToPage, { type: 'pairingWaits' }>): void {
    release('none');
    store.tell({ type: 'host', message });
  }

  /** Shows the page as unpaired after all, and catches up with what was said meanwhile. */
  function release(identity: 'none' | 'refused', refusal: string | null = null): void {
    clearTimeout(now.patience);
    if (now.held === null) return;
    const message = now.held;
    now.held = null;
    store.tell({ type: 'host', message });
    store.tell({ type: 'identity', identity, refusal });
    send({ type: 'resume', cursor: message.cursor });
  }

  return {
    send,
    ask: questions.ask,
    look: live.look,
    retryNow: () => socket.retryNow(),
    pairWith: (code) => {
      pairing.offer(code);
      if (now.greeting !== null) introduce(now.greeting);
    },
  };
}

/** Something lies between the last thing seen and the start of this history. */
function isBehind(seen: number, { since = 0, cursor }: Connected): boolean {
  return seen !== 0 && since > seen && cursor >= seen;
}

function report(store: Store, failure: unknown): void {
  const detail = failure instanceof Error ? failure.message : String(failure);
  store.tell({ type: 'noticed', code: 'key', message: t('page.notice.key', { detail }) });
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
