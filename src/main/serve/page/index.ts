/**
 * The server for pages, in a browser and in the menubar popover. Comes in: WebSockets that passed the Host and Origin checks, and
 * messages on them. Goes out: answers and news, and calls of the real objects (approvals, chat, record, agents, …).
 *
 * - `table.ts` lists every message a page may send: role and handler, in groups (`approvals.ts`, `agents.ts`, `settings.ts`, …);
 *   `definition.ts` says what a row is; the schemas are in `protocol/`. `createDispatch` is the one way to them.
 * - `page.ts` is one connection: role, key, budgets, and what is on its way. `greeting.ts` and `news.ts` send what its role may know.
 * - `server.ts`, `assets.ts`, `headers.ts`: HTTP. `live-frames.ts`: frames of the desktop. `page-guard.ts`: which windows show a page.
 *   `press-check.ts` and `page-cover.ts`: whether a person pressed Allow and saw what it was for.
 *
 * Called by `host/`. Never here: a decision that a page's own word settles (who it is, where it runs, when it pressed); an effect or
 * an answer for a page that has lost the role its message needs; a page that holds up another one.
 */
import type { Logger } from 'pino';
import { shownCommands, shownApps } from './programs.js';
import { createGreetings, type GreetingSources } from './greeting.js';
import { MAX_PAGES, createPage, type Page, type PageSocket, type Upgrade } from './page.js';
import { sendPairings, broadcastNews, type NewsSources } from './news.js';
import { type MessageDependencies, PAGE_MESSAGES } from './table.js';
import { message } from '../../../messages/index.js';
import { fromPageSchema } from '../../protocol/index.js';
import { Refused } from '../../protocol/json.js';
import type { Definition, MessageOf, PageRefusal, RequiredRole, MessageType } from './definition.js';

/** The popover has no address on any port. */
const POPOVER: Upgrade = { origin: 'popover', host: 'popover', client: null, isPersons: () => true };

export { createAssets } from './assets.js';

export type PagesOptions = GreetingSources &
  Omit<NewsSources, 'pages'> &
  Omit<MessageDependencies, 'greet'> &
  Omit<DispatchOptions, 'dependencies'> & {
    /** The user this host runs as; null where users have no number. */
    uid: number | null;
    /** Milliseconds since 1970. */
    now: () => number;
    log: Logger;
  };

export type Pages = ReturnType<typeof createPages>;

export function createPages(options: PagesOptions) {
  const { pairing, keptCommands, gabpApps, now, uid } = options;
  /** In the order they came. */
  const pages = new Set<Page>();
  const greetings = createGreetings(options);
  const dispatch = createDispatch({ ...options, dependencies: { ...options, greet } });
  const endNews = broadcastNews({ ...options, pages: () => pages });

  function greet(page: Page, cursor: number | null) {
    // What stood goes on before it is shown, so that it is shown with its end.
    options.viewers.set(page.source.connection, page.isSeen());
    const popover = page.isPopover ? 'here' : options.menubarApp === undefined ? 'none' : 'there';
    page.sendText(greetings.text(page.audience(), page.nonce(), cursor, popover));
    if (page.role() !== 'paired') return;
    sendPairings(page, pairing);
    page.send({ type: 'commands', commands: shownCommands(keptCommands) });
    page.send(shownApps(gabpApps));
  }

  function makeRoom() {
    if (pages.size < MAX_PAGES) return;
    const oldest = [...pages].find((page) => page.role() === 'unpaired');
    oldest?.close('too many pages are open');
  }

  function onEnd(page: Page) {
    options.viewers.set(page.source.connection, false);
    pages.delete(page);
    options.live.leave(page);
    options.ownDesktops.leave(page);
  }

  function open(socket: PageSocket, upgrade: Upgrade, popover: boolean) {
    makeRoom();
    const page = createPage(socket, upgrade, { now, uid, popover, onEnd });
    if (page.ended()) return;
    pages.add(page);
    socket.onMessage((message) => void (pages.has(page) && dispatch(page, message)));
    greet(page, null);
  }

  return {
    /** Greets the page at once, as unpaired. */
    accept: (socket: PageSocket, upgrade: Upgrade): void => open(socket, upgrade, false),
    /** The page in the menubar popover, as a person who decides everything. */
    acceptPopover: (socket: PageSocket): void => open(socket, POPOVER, true),
    count(): { paired: number; unpaired: number } {
      const paired = [...pages].filter((page) => page.role() === 'paired').length;
      return { paired, unpaired: pages.size - paired };
    },
    close(): void {
      endNews();
      for (const page of [...pages]) page.close('the host is closing');
    },
  };
}

// Reads a message from a page, checks its role before and after every wait, and sends the answer or the refusal.

interface DispatchOptions {
  dependencies: MessageDependencies;
  log: Logger;
}

const NEEDS_PAIRING: PageRefusal = {
  ok: false,
  code: 'pairing_needed',
  message: message('refused.pairing_needed'),
};
const TOO_MANY: PageRefusal = {
  ok: false,
  code: 'too_many',
  message: message('refused.too_many_questions'),
};
const FAILED: PageRefusal = {
  ok: false,
  code: 'failed',
  message: message('refused.failed'),
};
const FLOOD: PageRefusal = { ok: false, code: 'too_many', message: message('refused.too_many_messages'), strike: true };
const MALFORMED: PageRefusal = {
  ok: false,
  code: 'malformed',
  message: message('refused.malformed'),
  strike: true,
};

/** Returns the function that takes every message of a page. It never rejects. */
function createDispatch(options: DispatchOptions): (page: Page, received: unknown) => Promise<void> {
  const { dependencies, log } = options;

  async function run<T extends MessageType>(page: Page, message: MessageOf[T] & { type: T }): Promise<void> {
    const { role, handler }: Definition<T, MessageDependencies> = PAGE_MESSAGES[message.type];
    const needed = typeof role === 'function' ? role(message) : role;
    const signal = needed === 'paired' ? page.identity() : page.gone;
    const about = subjectOf(message);
    const has = () => !signal.aborted && holds(page, needed);
    function assertRole() {
      if (!has()) throw new Error(`a page lost its role during ${message.type}`);
    }

    if (!has()) return refuse(page, NEEDS_PAIRING, about);
    if ('request' in message && !page.budgets.questions.take()) return refuse(page, TOO_MANY, about);
    try {
      const context = { ...dependencies, page, person: page.person(), assertRole };
      const result = await handler(context, message, signal);
      if (!has()) return refuse(page, NEEDS_PAIRING, about);
      if (isRefusal(result)) return refuse(page, result, about);
      if ('request' in message)
        page.sendText(JSON.stringify({ type: message.type, request: message.request, ...result }));
    } catch (error) {
      if (!has()) return refuse(page, NEEDS_PAIRING, about);
      log.error({ err: error, type: message.type }, 'page: a message could not be handled');
      refuse(page, FAILED, about);
    }
  }

  return async (page, received) => {
    if (!budgetOf(page, received).take()) return refuse(page, FLOOD);
    if (received instanceof Refused) return refuse(page, { ...MALFORMED, message: received.error.text });
    const message = fromPageSchema.safeParse(received);
    return message.success ? run(page, message.data) : refuse(page, MALFORMED);
  };
}

/** A pointer moves more often than anything else happens on a page. */
function budgetOf({ role, budgets }: Page, received: unknown) {
  const isHand = received instanceof Object && 'type' in received && received.type === 'desktopInput';
  return isHand && role() === 'paired' ? budgets.hand : budgets.messages;
}

const ROLES: Readonly<Record<RequiredRole, (page: Page) => boolean>> = {
  any: () => true,
  chat: (page) => page.audience() !== 'nobody',
  paired: (page) => page.role() === 'paired',
};

const holds = (page: Page, role: RequiredRole): boolean => !page.ended() && ROLES[role](page);

/** The card, question or request that a refusal is about. */
function subjectOf(message: MessageOf[MessageType]): string | undefined {
  if ('request' in message) return message.request;
  if ('id' in message) return message.id;
  return 'executionId' in message ? message.executionId : undefined;
}

function refuse(page: Page, { code, message, strike }: PageRefusal, about?: string): void {
  if (strike === true) page.strike(code, message);
  else page.refuse(code, message, about);
}

function isRefusal(result: object | undefined): result is PageRefusal {
  return result !== undefined && 'ok' in result && result.ok === false;
}
