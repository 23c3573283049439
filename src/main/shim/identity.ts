/** What the host is told of this agent, and where the host's page is. Called by the shim. */
import type { Writable } from 'node:stream';
import * as z from 'zod';
import type { McpClientInfo } from '../mcp/backend.js';
import type { ConnectOptions } from './connect.js';
import type { Link } from './link.js';
import type { HostSession } from './session.js';

interface IdentityOptions {
  host: ConnectOptions;
  cwd: string;
  /** Where the address for the person is printed. */
  notices: Writable;
}

const describedSchema = z.looseObject({ url: z.url().optional() });

export function createIdentity({ host, cwd, notices }: IdentityOptions, current: Link['current']) {
  let url: string | null = null;
  let client: McpClientInfo | null = null;
  let clientDescribed: Promise<void> | null = null;
  const known = () => ({ client, cwd });

  async function describe(session: HostSession): Promise<void> {
    const answer = await session.request('agent/describe', { ...known(), ...host.elsewhere });
    const described = describedSchema.parse(answer ?? {});
    if (described.url === undefined || described.url === url) return;
    url = described.url;
    notices.write(`${url}\n`);
  }

  return {
    known,
    describe,
    url: () => url,
    /** The client gives its name only after the connection was made, so it is sent to the host again. Calls wait for that to keep their order. */
    update(claimed: McpClientInfo | null): Promise<void> | null {
      if (claimed !== null && claimed.name !== client?.name) {
        client = claimed;
        const session = current();
        if (session !== null) {
          const described = describe(session).catch(() => undefined);
          clientDescribed = described;
          // Not at once: those that wait have not gone on yet, and whoever calls meanwhile must not overtake them.
          const forget = () => {
            if (clientDescribed === described) clientDescribed = null;
          };
          void described.then(() => setImmediate(forget));
        }
      }
      return clientDescribed;
    },
  };
}
