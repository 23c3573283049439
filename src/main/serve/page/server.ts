import type { IncomingMessage } from 'node:http';
import type { ProcessIdentity, ProcessTable } from '../../../native/peer/types.js';
import { listenHttp, type HttpListener, type UpgradeInfo } from '../../transport/http.js';
import { attachWebSocket } from '../../transport/websocket.js';
import type { PersonProof } from '../../agents/person.js';
import { createAssets, type Pages } from './index.js';
import type { PageGuard } from './page-guard.js';

interface PageServerOptions {
  assets: string;
  port: number | undefined;
  lastPort: number | undefined;
  processes: Pick<ProcessTable, 'tcpClient'>;
  person: Pick<PersonProof, 'browserDoubt' | 'changes'>;
  guard: PageGuard;
  pages: Pages;
}

/** The page's files and its WebSocket. Who a page's process is, is asked of the kernel once, at upgrade. */
export async function servePages(options: PageServerOptions): Promise<HttpListener> {
  const { processes, person, guard, pages } = options;
  const clients = new WeakMap<UpgradeInfo, ProcessIdentity>();
  const proofs = new BrowserProofs(person);

  const sockets = attachWebSocket({
    async admit(info) {
      const found = await processes.tcpClient(info.remote, info.local);
      // Whose page it is that SSH forwards, the kernel of this machine does not know.
      if (found !== null && found.forwardedBy === undefined) clients.set(info, found);
      return true;
    },
    onPage(socket, info) {
      const client = clients.get(info) ?? null;
      const openPage = guard.pageOpened(client?.pid ?? null);
      socket.onClose(() => openPage.closed());
      const isPersons = () => proofs.isPersons(client);
      pages.accept(socket, { origin: info.origin, host: info.host, client, isPersons, guard: openPage });
    },
  });
  const assets = createAssets(options.assets);
  const http = await listenHttp({
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.lastPort === undefined ? {} : { preferPort: options.lastPort }),
    handler: (request: IncomingMessage, response) => assets(request, response),
    onUpgrade: sockets.onUpgrade,
  });
  guard.servedAt(http.url);
  return {
    ...http,
    async close() {
      pages.close();
      sockets.close();
      await http.close();
    },
  };
}

/** Of all pages of a program at once, and again only when more may be known of agents. */
class BrowserProofs {
  readonly #told = new Map<string, boolean>();
  #at = NaN;

  constructor(private readonly person: PageServerOptions['person']) {}

  isPersons(client: ProcessIdentity | null): boolean {
    if (client === null) return false;
    if (this.#at !== this.person.changes) this.#told.clear();
    this.#at = this.person.changes;
    const key = `${client.pid}:${client.startTime}`;
    const proven = this.#told.get(key) ?? this.person.browserDoubt(client) === null;
    this.#told.set(key, proven);
    return proven;
  }
}
