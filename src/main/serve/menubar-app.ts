/** The interfaces between host and menubar app, in both directions; the host itself does not import Electron. */
import type { AgentNames } from '../agents/names.js';
import type { CardEvent } from '../approvals/index.js';
import type { AgentMessage, Card, ChatEvent, Health, Pane, Status } from '../protocol/index.js';
import { createEmitter } from '../../base/emitter.js';
import type { Pairing } from './pairing/index.js';
import type { PageSocket } from './page/page.js';
import type { Message } from '../../messages/index.js';

/** Given by the app. Where there is one, dangerous acts and grants are decided in its popover only. */
export interface MenubarApp {
  showPopover(): void;
  /** Opens an address of this host, with a fresh pairing link in it, in the person's browser. */
  openInBrowser(address: string): void;
  /** False where this system has no such pane. */
  openPermission(pane: Pane): boolean;
  /** Ends the app in order and starts it again. False, with nothing done, while a call runs or a request waits. */
  relaunch(): boolean;
  hotkey: Hotkey;
  screenLock: ScreenLock;
}

/** One key combination, anywhere on the desktop. */
export interface Hotkey {
  /** As the person reads it. */
  label: string;
  /** False when it cannot be registered, for example because another program holds it. */
  register(pressed: () => void): boolean;
  unregister(): void;
}

export interface ScreenLock {
  locked(): boolean;
  on(listener: (locked: boolean) => void): () => void;
}

/** Given to the app: what its tray, menu and notifications show, and what a person does there. */
export interface MenubarHost {
  status(): Status;
  /** What the person calls the agent; null: nothing. */
  nameOf(agentId: string): string | null;
  health(): Health | null;
  /** Oldest first. */
  cards(): Card[];
  questions(): Pick<AgentMessage, 'ack_id' | 'agent' | 'text'>[];
  /** Anything of the above may have changed. */
  onChange(listener: () => void): () => void;
  onCard(listener: (event: CardEvent) => void): () => void;
  /** A page was paired. `browser`: the program that opened the link, or null where that is unknown. */
  onPaired(listener: (browser: string | null) => void): () => void;
  /** Denies one request as it is now; false where it is settled already, or has only just appeared. */
  deny(id: string): boolean;
  stop(): void;
  pause(): void;
  resume(): void;
  /** Takes a running task back. */
  endTask(id: string): void;
  /** Opens a freshly paired page in the person's browser. */
  openBrowser(): void;
  /** The page in the popover. Only for a sender that was checked. */
  accept(socket: PageSocket): void;
  /** Denies what waits and gives what acts a moment to end; call it before `close`. */
  finish(reason: Message): Promise<void>;
}

export interface MenubarHostOptions {
  status: { now(): Status; on(listener: () => void): () => void };
  names: Pick<AgentNames, 'of' | 'onChange'>;
  health: { now(): Health | null; on(listener: () => void): () => void };
  approvals: { cards(): Card[]; onCard(listener: (event: CardEvent) => void): () => void };
  chat: { pending(): string[]; events(since: number): ChatEvent[]; on(listener: () => void): () => void };
  pairing: Pick<Pairing, 'on' | 'list'>;
  /** Resolves when all running calls have been answered, or after `timeoutMs`. */
  allAnswered(timeoutMs: number): Promise<void>;
  acts: Pick<MenubarHost, 'deny' | 'stop' | 'pause' | 'resume' | 'endTask' | 'openBrowser' | 'accept'> & {
    denyAll(reason: Message): void;
  };
  log(thrown: unknown): void;
}

/** How long running actions may take to end when the person quits. */
const QUIT_TIMEOUT_MS = 5_000;

export function createMenubarHost({
  status,
  names,
  health,
  approvals,
  chat,
  pairing,
  allAnswered,
  acts,
  log,
}: MenubarHostOptions): MenubarHost {
  const changes = createEmitter<void>(log);
  const changed = () => changes.emit();
  status.on(changed);
  names.onChange(changed);
  health.on(changed);
  chat.on(changed);
  const { denyAll, ...rest } = acts;

  function questions() {
    const pending = new Set(chat.pending());
    if (pending.size === 0) return [];
    return chat
      .events(0)
      .filter((event): event is AgentMessage => event.type === 'agentMessage' && pending.has(event.ack_id));
  }

  return {
    ...rest,
    status: status.now,
    nameOf: names.of,
    health: health.now,
    cards: approvals.cards,
    questions,
    onChange: changes.on,
    onCard: approvals.onCard,
    onPaired: (listener) =>
      pairing.on(({ keyId, change }) => {
        if (change === 'paired') listener(pairing.list().find((one) => one.keyId === keyId)?.browser ?? null);
      }),
    async finish(reason) {
      denyAll(reason);
      await allAnswered(QUIT_TIMEOUT_MS);
      // Requests that came while the calls ended.
      denyAll(reason);
    },
  };
}
