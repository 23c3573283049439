/** For a test file: the Mac of the stand-ins, with a host, a person who allows looking, and an agent over the real shim. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Apps } from '../../contract/fixture.js';
import { startAgent, type TestAgent } from '../agent.js';
import { on, startHost, type TestHost } from '../host.js';
import { openPage, type Person } from '../person.js';
import { openMac, type Mac } from './mac.js';

interface MacTools {
  mac: Mac;
  chaperone: TestHost;
  person: Person;
  agent: TestAgent;
  /** Started anew before each test. */
  apps: Apps;
}

/** `use` is called before each test. */
export function macTools(use: (made: MacTools) => void): void {
  let made: Omit<MacTools, 'apps'>;
  beforeAll(async () => {
    const mac = await openMac();
    await mac.start();
    // Nobody presses here.
    const chaperone = await startHost({ ...on(mac.desktop), acceptSyntheticInput: true });
    const person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
    person.allowLooking();
    made = { mac, chaperone, person, agent: await startAgent(chaperone.home, { cwd: chaperone.workspace }) };
  });
  beforeEach(async () => {
    use({ ...made, apps: await made.mac.start() });
  });
  afterAll(async () => {
    await made.agent.close();
    made.person.close();
    await made.chaperone.close();
    await made.mac.close();
  });
}
