import { startAgent, type TestAgent } from './agent.js';
import { startHost, type TestHost } from './host.js';
import { openPage, type Person } from './person.js';

export interface WithPerson {
  chaperone: TestHost;
  person: Person;
  agent: TestAgent;
  close(): Promise<void>;
}

/** A host on a private virtual desktop, a person at a paired page who allows looking, and an agent over the real shim. */
export async function startWithPerson(): Promise<WithPerson> {
  const chaperone = await startHost({ backend: 'linux', display: 'virtual' });
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
