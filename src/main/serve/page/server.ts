import type { IncomingMessage } from 'node:http';
import type { ProcessTable } from '../../../native/peer/types.js';
import { listenHttp, type HttpListener, type UpgradeInfo } from '../../transport/http.js';
import { attachWebSocket } from '../../transport/websocket.js';
import type { Agents } from '../../agents/index.js';
import { createAssets, type Pages } from './index.js';
import type { PageGuard } from './page-guard.js';

interface PageServerOptions {
  assets: string;
  port: number | undefined;
  lastPort: number | undefined;
  processes: ProcessTable;
  agents: Agents;
  guard: PageGuard;
  pages: Pages;
}

/** The page's files and its WebSocket. Who a page's process is, is asked of the kernel once, at upgrade. */
export async function servePages(options: PageServerOptions): Promise<HttpListener> {
  const { processes, agents, guard, pages } = options;
  const clients = new WeakMap<UpgradeInfo, Awaited<ReturnType<typeof clientOf>>>();

  async function clientOf(info: UpgradeInfo) {
    const found = await processes.tcpClient(info.remote, info.local);
    // Whose page it is that SSH forwards, the kernel of this machine does not know.
    const client = found?.forwardedBy === undefined ? found : null;
    const descendsFromAgent = client === null || agents.includes(processes.lineage(client.pid));
    return { client, descendsFromAgent };
  }

  const sockets = attachWebSocket({
    async admit(info) {
      clients.set(info, await clientOf(info));
      return true;
    },
    onPage(socket, info) {
      const { client, descendsFromAgent } = clients.get(info) ?? { client: null, descendsFromAgent: true };
      const openPage = guard.pageOpened(client?.pid ?? null);
      socket.onClose(() => openPage.closed());
      pages.accept(socket, { origin: info.origin, host: info.host, client, descendsFromAgent, guard: openPage });
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
