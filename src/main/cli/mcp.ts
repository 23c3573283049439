/** `chaperone mcp`: runs the shim on this process's stdin and stdout until the agent ends. */
import { message } from '../../messages/index.js';
import { createShim } from '../shim/index.js';
import { EXIT, Failure, stdinOrSignalEnd } from './failure.js';
import { stderrLog } from './logging.js';
import { parseWholeNumber, remoteFrom, type RemoteFlags } from './remote-flags.js';
import { hostConnection } from './host-client.js';

/** Clients kill a server that does not exit soon. */
export const EXIT_TIMEOUT_MS = 1_500;

/** Between attempts to reach a host on another machine; each is an SSH connection. */
const REMOTE_RETRY_MS = { firstRetryMs: 500, maxRetryMs: 30_000 };

interface McpFlags extends RemoteFlags {
  profile: 'full' | 'core';
  desktop?: 'own' | 'current';
  callLimit?: string;
  connect?: string;
}

export async function mcp(options: McpFlags): Promise<void> {
  const limit =
    options.callLimit === undefined ? null : parseWholeNumber(options.callLimit, '--call-limit', 1, 86_400) * 1_000;
  if (options.connect === undefined && (options.command !== undefined || options.start === true))
    throw new Failure(message('cli.connect.no_address'), EXIT.usage);
  const remote = options.connect === undefined ? null : remoteFrom(options.connect, options, 'chaperone-mcp');
  const shim = createShim({
    input: process.stdin,
    output: process.stdout,
    notices: process.stderr,
    host: remote ?? hostConnection('chaperone-mcp'),
    cwd: process.cwd(),
    profile: options.profile,
    ...(options.desktop === undefined ? {} : { desktop: options.desktop }),
    callLimit: limit,
    log: stderrLog(),
    ...(remote === null || options.connect === undefined
      ? {}
      : { times: REMOTE_RETRY_MS, elsewhere: { address: options.connect, here: hostConnection('chaperone-mcp') } }),
  });
  await agentEnd();
  setTimeout(() => process.exit(0), EXIT_TIMEOUT_MS).unref();
  await shim.close();
  remote?.close();
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
