/**
 * The pages: who each one is, what it may do, and what it is told. Comes in: WebSockets that passed the Host and Origin checks.
 * Goes out: calls of the narrow ports in ports.ts, and messages of protocol/page.ts. Called by the composition root.
 */
import type { Logger } from 'pino';
import { fromPageSchema, type FromPage } from '../../protocol/index.js';
import type { Pairing } from '../pairing/index.js';
import { createGreetings, type Shown } from './greeting.js';
import { createHandlers, type HandlerPorts } from './handlers.js';
import type { Handlers } from './handler.js';
import { MAX_PAGES } from './limits.js';
import { sendPairings, spreadNews } from './news.js';
import { createPage, type Page } from './page.js';
import type { PageSocket, Upgrade } from './ports.js';

/** The popover has no address on any port. */
const POPOVER: Upgrade = { origin: 'popover', host: 'popover', client: null, descendsFromAgent: false };

export { createAssets } from './assets.js';

export interface PagesOptions extends Shown, Omit<HandlerPorts, 'greet'> {
  pairing: Pairing;
  /** The user this host runs as; null where users have no number. */
  uid: number | null;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
}

export interface Pages {
  /** Greets the page at once, as unpaired. */
  accept(socket: PageSocket, upgrade: Upgrade): void;
  /** The page in the menubar popover, as a person who decides everything. */
  acceptPopover(socket: PageSocket): void;
  count(): { paired: number; unpaired: number };
  close(): void;
}

export function createPages(options: PagesOptions): Pages {
  const { pairing, now, uid, log } = options;
  /** In the order they came. */
  const pages = new Set<Page>();
  const greetings = createGreetings(options);
  const handlers = createHandlers({ ...options, greet });
  const endNews = spreadNews({ ...options, pages: () => pages });

  function greet(page: Page, cursor: number | null) {
    const popover = page.isPopover ? 'here' : options.shell === undefined ? 'none' : 'there';
    page.sendText(greetings.text(page.audience(), page.nonce(), cursor, popover));
    if (page.role() !== 'paired') return;
    sendPairings(page, pairing);
    page.send({ type: 'commands', commands: options.commands.kept() });
  }

  function makeRoom() {
    if (pages.size < MAX_PAGES) return;
    const oldest = [...pages].find((page) => page.role() === 'unpaired');
    oldest?.close('too many pages are open');
  }

  async function receive(page: Page, received: unknown) {
    if (!pages.has(page)) return;
    if (!page.budgets.messages.take()) return page.strike('too_many', 'Too many messages; some were not read.');
    const message = fromPageSchema.safeParse(received);
    if (!message.success)
      return page.strike('malformed', 'The host could not read a message from this page. Reload it.');
    try {
      await handle(handlers, page, message.data);
    } catch (error) {
      log.error({ err: error, type: message.data.type }, 'page: a message could not be handled');
      const about = 'request' in message.data ? message.data.request : undefined;
      page.refuse('failed', 'Something went wrong in the host; nothing was done. Look at its log.', about);
    }
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
    socket.onMessage((message) => void receive(page, message));
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

/** One case a message: the compiler sees that each handler gets its own message and that none is missing. */
function handle(handlers: Handlers, page: Page, message: FromPage): void | Promise<void> {
  switch (message.type) {
    case 'ack':
      return handlers.ack(page, message);
    case 'press':
      return handlers.press(page, message);
    case 'approval':
      return handlers.approval(page, message);
    case 'abort':
      return handlers.abort(page, message);
    case 'pause':
      return handlers.pause(page, message);
    case 'resume':
      return handlers.resume(page, message);
    case 'authenticate':
      return handlers.authenticate(page, message);
    case 'pair':
      return handlers.pair(page, message);
    case 'visibility':
      return handlers.visibility(page, message);
    case 'revokeGrant':
      return handlers.revokeGrant(page, message);
    case 'dismissPairings':
      return handlers.dismissPairings(page, message);
    case 'revokePairing':
      return handlers.revokePairing(page, message);
    case 'setPolicy':
      return handlers.setPolicy(page, message);
    case 'openPopover':
      return handlers.openPopover(page, message);
    case 'openBrowser':
      return handlers.openBrowser(page, message);
    case 'openPermission':
      return handlers.openPermission(page, message);
    case 'earlier':
      return handlers.earlier(page, message);
    case 'cardPicture':
      return handlers.cardPicture(page, message);
    case 'activityPage':
      return handlers.activityPage(page, message);
    case 'thumbnails':
      return handlers.thumbnails(page, message);
    case 'evidence':
      return handlers.evidence(page, message);
    case 'evidenceFile':
      return handlers.evidenceFile(page, message);
    case 'verifyEvidence':
      return handlers.verifyEvidence(page, message);
    case 'live':
      return handlers.live(page, message);
    case 'frameTaken':
      return handlers.frameTaken(page, message);
    case 'pauseAgent':
      return handlers.pauseAgent(page, message);
    case 'forgetAgent':
      return handlers.forgetAgent(page, message);
    case 'takeOver':
      return handlers.takeOver(page, message);
    case 'check':
      return handlers.check(page, message);
    case 'endCommand':
      return handlers.endCommand(page, message);
    case 'outliveCommand':
      return handlers.outliveCommand(page, message);
    case 'clients':
      return handlers.clients(page, message);
    case 'setUp':
      return handlers.setUp(page, message);
    case 'runDemo':
      return handlers.runDemo(page, message);
    case 'applications':
      return handlers.applications(page, message);
    case 'habits':
      return handlers.habits(page, message);
    case 'exclude':
      return handlers.exclude(page, message);
    case 'setRetention':
      return handlers.setRetention(page, message);
  }
}
