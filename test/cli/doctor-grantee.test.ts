/** The program that the system's settings list, in what doctor prints: a real host that takes itself for one on a Mac. */
import { afterEach, expect, test } from 'vitest';
import { readGrantee } from '../../src/native/peer/macos-calls.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { doctorSays } from '../support/doctor-says.js';
import { on, startHost, type TestHost } from '../support/host.js';

let host: TestHost;
afterEach(() => host.close());

/** `program`: of the process that answers for this one; null where the system does not tell. */
async function says(program: string | null, platform: 'macos' | 'linux' = 'macos'): Promise<string> {
  const desktop = openSimulated();
  const opened = on({ ...desktop, platform }, () => desktop.close());
  host = await startHost({
    openDesktop: async (options) => ({ ...(await opened.openDesktop(options)), name: platform }),
    grantee: () => readGrantee({ responsible: () => 7, processPath: () => program }, process.pid),
  });
  return doctorSays(host.home);
}

test.each([
  [
    '/System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal',
    'Terminal',
    '/System/Applications/Utilities/Terminal.app',
  ],
  [
    '/Applications/Chaperone.app/Contents/Frameworks/Chaperone Helper.app/Contents/MacOS/Chaperone Helper',
    'Chaperone',
    '/Applications/Chaperone.app',
  ],
  ['/usr/local/bin/\u202etmux\u001b[2J', '\ufffdtmux\ufffd[2J', '/usr/local/bin/\ufffdtmux\ufffd[2J'],
])('[req:MP-6] doctor names the program that answers for Chaperone: %j', async (path, name, shown) => {
  expect(await says(path)).toContain(`ok  permission: macOS lists ${name} for Chaperone’s permissions: ${shown}\n`);
});

test('[req:MP-6] doctor names none where the system does not tell, or is no Mac', async () => {
  expect(await says(null)).not.toContain('macOS lists');
  await host.close();
  expect(await says('/usr/bin/node', 'linux')).not.toContain('macOS lists');
});
