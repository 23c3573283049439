/** `chaperone mcp`: runs the shim on this process's stdin and stdout until the agent ends. */
import { createShim } from '../shim/index.js';
import { stderrLog } from './logging.js';
import { stdinOrSignalEnd } from './process-end.js';
import { parseWholeNumber } from './whole-number.js';
import { hostConnection } from './host-client.js';

/** Clients kill a server that does not exit soon. */
const EXIT_TIMEOUT_MS = 1_500;

export async function mcp(options: { profile: 'full' | 'core'; callLimit?: string }): Promise<void> {
  const limit =
    options.callLimit === undefined ? null : parseWholeNumber(options.callLimit, '--call-limit', 1, 86_400) * 1_000;
  const shim = createShim({
    input: process.stdin,
    output: process.stdout,
    notices: process.stderr,
    host: hostConnection('chaperone-mcp'),
    cwd: process.cwd(),
    profile: options.profile,
    callLimit: limit,
    log: stderrLog(),
  });
  await agentEnd();
  setTimeout(() => process.exit(0), EXIT_TIMEOUT_MS).unref();
  await shim.close();
  process.exit(0);
}

/** The end of stdin does not end a process with an open socket, so both streams of the agent are watched. */
function agentEnd(): Promise<void> {
  process.stderr.on('error', () => undefined);
  return Promise.race([
    stdinOrSignalEnd(),
    new Promise<void>((resolve) => process.stdout.once('error', () => resolve())),
  ]);
}
