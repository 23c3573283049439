import { randomBytes, randomUUID } from 'node:crypto';
import type { ProcessIdentity } from '../../../native/peer/types.js';
import { WaitEnded } from '../../approvals/request.js';
import type { Message } from '../../../messages/index.js';
import type { Role, ToPage } from '../../protocol/index.js';

/** The other end of one page. transport/websocket.ts has this shape. */
export interface PageSocket {
  /** Resolves when there is room for more; rejects once closed. */
  sendText(text: string): Promise<void>;
  /** Parsed JSON, or anything else for a message that was none. */
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
  close(reason: string): void;
  /** Largest message read from now on, bytes. */
  setLimit(bytes: number): void;
}

/** What the host saw at upgrade; nothing of it is the page's own word. */
export interface Upgrade {
  /** Checked to be exactly ours. */
  origin: string;
  host: string;
  /** The process at the other end by the kernel's word; null where that is unclear. */
  client: ProcessIdentity | null;
  /** Whether the kernel ties it to a browser of the person's now: an agent that connects later may turn out to have opened it. */
  isPersons(): boolean;
  /** Reports to the page guard. Absent for the popover, which is no browser window. */
  guard?: { markPaired(): void; setVisible(visible: boolean): void };
}

export interface Person {
  /** `unproven`: a page that nothing ties to the person, which only pauses. */
  where: 'page' | 'popover' | 'unproven';
  /** Key id of the paired page; `popover`; `unpaired`. */
  by: string;
}

/** Where an answer comes from. */
interface Source {
  connection: string;
  /** Process of the page by the kernel's word; null where that is unclear. */
  pid: number | null;
}

/** What a page may know: `paired` everything, `chat` (in the person's own browser) the conversation, `nobody` only that there is a host. */
export type Audience = 'paired' | 'chat' | 'nobody';

/** One connected page: role, nonce, budgets and outgoing messages. */
export interface Page {
  readonly upgrade: Upgrade;
  role(): Role;
  audience(): Audience;
  keyId(): string | null;
  person(): Person;
  readonly source: Source;
  nonce(): string;
  /** Returns the nonce and replaces it, so that each is used once. */
  useNonce(): string;
  /** Does nothing once the page has ended. */
  becomePaired(keyId: string): void;
  /** As the page reports; visible until it does. */
  setVisible(visible: boolean): void;
  /** It shows requests to the person. What an unpaired page says of itself is nobody's word. */
  isSeen(): boolean;
  /** False while an earlier link of this page is being redeemed. */
  beginPairing(): boolean;
  endPairing(): void;
  /** Aborted when the page has gone or is closed. */
  readonly gone: AbortSignal;
  /** Aborted when the page has gone, is closed, or is paired with another key than now. */
  identity(): AbortSignal;
  /** The page in the menubar popover: it needs no pairing, and is asked for none. */
  readonly isPopover: boolean;
  send(message: ToPage): void;
  sendText(text: string): void;
  /** Tells the page what went wrong. */
  refuse(code: string, message: Message, about?: string): void;
  /** Like `refuse`, for what a correct page never does; too many close the page. */
  strike(code: string, message: Message): void;
  close(reason: string): void;
  ended(): boolean;
  /** All messages but those of a hand on a desktop; greetings, which cost much; tries to prove who it is; questions. */
  readonly budgets: { messages: Budget; hand: Budget; greetings: Budget; proofs: Budget; questions: Budget };
}

interface PageOptions {
  now: () => number;
  /** The user this host runs as; null where users have no number. */
  uid: number | null;
  /** Who it is was checked by the app, message by message. */
  popover?: boolean;
  /** Called once, when the page has gone or is closed; nothing it still sends counts. */
  onEnd(page: Page): void;
}

export function createPage(socket: PageSocket, upgrade: Upgrade, options: PageOptions): Page {
  const { now, uid, popover = false, onEnd } = options;
  const source = { connection: randomUUID(), pid: upgrade.client?.pid ?? null };
  let keyId: string | null = null;
  let visible = true;
  let closed = false;
  const gone = new AbortController();
  let identity = new AbortController();

  function end() {
    closed = true;
    keyId = null;
    for (const ending of [identity, gone]) ending.abort(new WaitEnded('withdraw'));
    onEnd(page);
  }

  function close(reason: string) {
    if (closed) return;
    end();
    socket.close(reason);
  }

  const outbox = createOutbox(socket, () => closed, close);
  const isPaired = () => !closed && (popover || keyId !== null);

  socket.setLimit(MESSAGE_BYTES[popover ? 'paired' : 'unpaired']);
  const page: Page = {
    upgrade,
    isPopover: popover,
    role: () => (isPaired() ? 'paired' : 'unpaired'),
    audience: () => (isPaired() ? 'paired' : isPersons(upgrade, uid) ? 'chat' : 'nobody'),
    keyId: () => keyId,
    person() {
      if (popover && !closed) return { where: 'popover', by: 'popover' };
      return { where: page.audience() === 'nobody' ? 'unproven' : 'page', by: keyId ?? 'unpaired' };
    },
    source,
    ...createNonce(),
    gone: gone.signal,
    identity: () => identity.signal,
    ...createPairingLock(),
    becomePaired(id) {
      if (closed) return;
      if (keyId !== null && keyId !== id) {
        identity.abort(new WaitEnded('withdraw'));
        identity = new AbortController();
      }
      keyId = id;
      upgrade.guard?.markPaired();
      socket.setLimit(MESSAGE_BYTES.paired);
    },
    setVisible(on) {
      visible = on;
      upgrade.guard?.setVisible(on);
    },
    isSeen: () => isPaired() && visible,
    ...outbox,
    close,
    ended: () => closed,
    budgets: createBudgets(now),
  };
  socket.onClose(() => void (closed || end()));
  return page;
}

/** What is on its way to the page. */
function createOutbox(
  socket: PageSocket,
  isClosed: () => boolean,
  close: (reason: string) => void,
): Pick<Page, 'send' | 'sendText' | 'refuse' | 'strike'> {
  let queued = 0;
  let refusedMessages = 0;

  /** Never waits: a page that does not read is closed, so that it does not delay the others. */
  function sendText(text: string) {
    if (isClosed()) return;
    if (queued > 0 && queued + text.length > OUTBOX_CHARS) return close('the page reads too slowly');
    queued += text.length;
    socket.sendText(text).then(
      () => (queued -= text.length),
      () => close('the page cannot be reached'),
    );
  }

  const send = (message: ToPage) => sendText(JSON.stringify(message));
  const refuse: Page['refuse'] = (code, message, about) =>
    send({ type: 'error', code, message, ...(about === undefined ? {} : { about }) });

  return {
    send,
    sendText,
    refuse,
    strike(code, message) {
      refusedMessages += 1;
      if (refusedMessages > MAX_REFUSED_MESSAGES) return;
      refuse(code, message);
      if (refusedMessages === MAX_REFUSED_MESSAGES) close('too many messages were refused');
    },
  };
}

function createNonce(): Pick<Page, 'nonce' | 'useNonce'> {
  let nonce = freshNonce();
  return {
    nonce: () => nonce,
    useNonce() {
      const used = nonce;
      nonce = freshNonce();
      return used;
    },
  };
}

function createPairingLock(): Pick<Page, 'beginPairing' | 'endPairing'> {
  let pairing = false;
  return {
    beginPairing() {
      if (pairing) return false;
      pairing = true;
      return true;
    },
    endPairing() {
      pairing = false;
    },
  };
}

function createBudgets(now: () => number): Page['budgets'] {
  return {
    messages: createBudget(60, 20, now),
    hand: createBudget(200, 60, now),
    greetings: createBudget(5, 1, now),
    proofs: createBudget(5, 0.2, now),
    questions: createBudget(60, 10, now),
  };
}

/** Processes of other users cannot be looked up, so an unknown one may be another user's. What cannot be told is no. */
function isPersons({ client, ...upgrade }: Upgrade, uid: number | null): boolean {
  try {
    return client !== null && (uid === null || client.uid === uid) && upgrade.isPersons();
  } catch {
    return false;
  }
}

function freshNonce(): string {
  return randomBytes(32).toString('base64url');
}

/** Bytes a page may send in one message: a reply's text with every character escaped; with a paired page's images as well. */
export const MESSAGE_BYTES = { unpaired: 768 * 1024, paired: 12 * 1024 * 1024 } as const;

/** Characters held for a page that does not read. */
export const OUTBOX_CHARS = 16_000_000;

/** One page more and the oldest unpaired one is closed, so that a flood of them cannot keep the person out. */
export const MAX_PAGES = 240;

/** Malformed, unexpected or too many messages before the page is closed. */
export const MAX_REFUSED_MESSAGES = 10;

interface Budget {
  take(): boolean;
}

/** A bucket of `burst` that refills by `perSecond`. */
function createBudget(burst: number, perSecond: number, now: () => number): Budget {
  let left = burst;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(burst, left + (Math.max(0, time - at) / 1_000) * perSecond);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
