/** For each test of a file: a host that serves MCP at all its doors, a paired person, and clients that close with the test. */
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach } from 'vitest';
import { openClient, type Door } from './mcp-doors.js';
import { openPage, type Person } from './person.js';
import { startWorld, type WorldHost } from './world.js';

export interface McpScene {
  chaperone: WorldHost;
  person: Person;
}

interface McpTools {
  connect(door: Door): Promise<Client>;
  /** Restarts the host under the policy in that file. Resolves with a page paired anew. */
  restart(policy: string): Promise<Person>;
  /** Called when the test has ended, in the order given. */
  closers: (() => unknown)[];
}

export function eachMcpScene(use: (made: McpScene) => void): McpTools {
  const closers: (() => unknown)[] = [];
  let chaperone: WorldHost;
  let person: Person;
  const pair = async (): Promise<Person> => (person = await openPage(chaperone.host.url, chaperone.host.pairingLink()));
  beforeEach(async () => {
    chaperone = await startWorld({ http: 0, tcp: 0 });
    use({ chaperone, person: await pair() });
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
    person.close();
    await chaperone.close();
  });
  return {
    closers,
    async connect(door) {
      const client = await openClient(chaperone, door);
      closers.push(() => client.close());
      return client;
    },
    async restart(policy) {
      person.close();
      await chaperone.restart({ policy });
      return pair();
    },
  };
}
