/**
 * The server for pages, in a browser and in the menubar popover. Comes in: WebSockets that passed the Host and Origin checks, and
 * messages on them. Goes out: answers and news, and calls of the real objects (approvals, chat, record, agents, …).
 *
 * - `table.ts` lists every message a page may send: role and handler, in groups (`approvals.ts`, `agents.ts`, `settings.ts`, …);
 *   `definition.ts` says what a row is; the schemas are in `protocol/`. `dispatch.ts` is the one way to them.
 * - `page.ts` is one connection: role, key, budgets, and what is on its way. `greeting.ts` and `news.ts` send what its role may know.
 * - `server.ts`, `assets.ts`, `headers.ts`: HTTP. `live-frames.ts`: frames of the desktop. `page-guard.ts`: which windows show a page.
 *   `press-check.ts` and `page-cover.ts`: whether a person pressed Allow and saw what it was for.
 *
 * Called by `host/`. Never here: a decision that a page's own word settles (who it is, where it runs, when it pressed); an effect or
 * an answer for a page that has lost the role its message needs; a page that holds up another one.
 */
import type { Logger } from 'pino';
import { shownCommands } from './commands.js';
import { createDispatch, type DispatchOptions } from './dispatch.js';
import { shownApps } from './gabp-apps.js';
import { createGreetings, type GreetingSources } from './greeting.js';
import { MAX_PAGES } from './limits.js';
import { sendPairings, broadcastNews, type NewsSources } from './news.js';
import { createPage, type Page, type PageSocket, type Upgrade } from './page.js';
import type { MessageDependencies } from './table.js';

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

export interface Pages {
  /** Greets the page at once, as unpaired. */
  accept(socket: PageSocket, upgrade: Upgrade): void;
  /** The page in the menubar popover, as a person who decides everything. */
  acceptPopover(socket: PageSocket): void;
  count(): { paired: number; unpaired: number };
  close(): void;
}

export function createPages(options: PagesOptions): Pages {
  const { pairing, keptCommands, gabpApps, now, uid } = options;
  /** In the order they came. */
  const pages = new Set<Page>();
  const greetings = createGreetings(options);
  const dispatch = createDispatch({ ...options, dependencies: { ...options, greet } });
  const endNews = broadcastNews({ ...options, pages: () => pages });

  function greet(page: Page, cursor: number | null) {
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
    pages.delete(page);
    options.live.leave(page);
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
    accept: (socket, upgrade) => open(socket, upgrade, false),
    acceptPopover: (socket) => open(socket, POPOVER, true),
    count() {
      const paired = [...pages].filter((page) => page.role() === 'paired').length;
      return { paired, unpaired: pages.size - paired };
    },
    close() {
      endNews();
      for (const page of [...pages]) page.close('the host is closing');
    },
  };
}
