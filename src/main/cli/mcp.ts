/** `chaperone mcp`: runs the shim on this process's stdin and stdout, and ends soon after the agent is gone. */
import { createShim } from '../shim/index.js';
import { stderrLog } from './logging.js';
import { wholeNumber } from './numbers.js';
import { hostConnection } from './running.js';

/** The agent's client kills what lingers: whatever the host does, the process ends within this. */
const LAST_MS = 1_500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export async function mcp(options: { profile: 'full' | 'core'; callLimit?: string }): Promise<void> {
  const limit =
    options.callLimit === undefined ? null : wholeNumber(options.callLimit, '--call-limit', 1, 86_400) * 1_000;
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
  await gone();
  setTimeout(() => process.exit(0), LAST_MS).unref();
  await shim.close();
  process.exit(0);
}

/** Stdin that ends does not end a process which holds a socket, so both ends of the agent are watched. */
function gone(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve());
    process.stdout.once('error', () => resolve());
    process.stderr.on('error', () => undefined);
  });
}
