import { afterAll, beforeAll } from 'vitest';
import type { HostOptions } from '../../src/main/host/index.js';
import { startAgent, type TestAgent } from './agent.js';
import { startHost, type TestHost } from './host.js';
import { openPage, type Person } from './person.js';

export interface WithPerson {
  chaperone: TestHost;
  person: Person;
  agent: TestAgent;
  close(): Promise<void>;
}

type Desktop = Pick<HostOptions, 'display'> & Partial<Pick<HostOptions, 'env'>>;

/**
 * For all tests of a file: a host on a private virtual desktop or the one given, a person at a paired page who allows looking, and
 * an agent over the real shim.
 */
export function withPerson(
  use: (started: WithPerson) => void,
  desktop: () => Desktop = () => ({ display: 'virtual' }),
) {
  let started: WithPerson | null = null;
  beforeAll(async () => use((started = await startWithPerson(desktop()))), 120_000);
  afterAll(() => started?.close());
}

export async function startWithPerson(desktop: Desktop = { display: 'virtual' }): Promise<WithPerson> {
  const chaperone = await startHost({ backend: 'linux', ...desktop });
  const person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  person.allowLooking();
  const agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  return {
    chaperone,
    person,
    agent,
    async close() {
      await agent.close();
      person.close();
      await chaperone.close();
    },
  };
}
