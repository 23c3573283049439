/** `chaperone host`: runs the host in this process until a signal, `chaperone stop --host` or, in the background, until it is idle. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatEnglish, message, verbatim, type Formatter, type Message } from '../../messages/index.js';
import { createDescentChecks, createProcessTable } from '../../native/peer/index.js';
import { PolicyError } from '../approvals/policy.js';
import { HostRunningError, hostPaths, readBridge } from '../host/discovery.js';
import type { HostPaths } from '../host/paths.js';
import { createHost } from '../host/index.js';
import type { Host } from '../host/options.js';
import { createInPlace } from './handover.js';
import { withLocalCommand } from '../protocol/local-command.js';
import { PortUnavailableError } from '../transport/loopback.js';
import { EXIT, Failure, print, END_SIGNALS } from './failure.js';
import { hostOptions, launchContext, type HostFlags } from './host-options.js';
import { ownCommand, ownLauncher } from './launcher.js';
import { fileLog, stderrLog } from './logging.js';

export async function host(flags: HostFlags, words: Formatter): Promise<void> {
  const paths = hostPaths(process.env);
  // The shim made the folder before it started this host; without it nobody waits for a host.
  if (flags.background === true && !existsSync(paths.state)) return;
  const chosen = hostOptions(flags, launchContext(paths));
  if (flags.background !== true) assertFolder(chosen.workspaceRoot, flags);
  if (showsPairingLink(flags)) assertNotInAgentCommand();
  const log = flags.background === true ? fileLog(join(paths.state, 'host.log')) : stderrLog();
  const stdio = flags.stdio === true ? { stdio: { input: process.stdin, output: process.stdout } } : {};
  const signalled = firstSignal();
  const create = () =>
    createHost({ ...chosen, ...stdio, env: process.env, launcher: ownLauncher(), command: ownCommand(), log });
  const isInTerminal = flags.background !== true && flags.start !== true && process.stdout.isTTY;
  const running = await open(
    isInTerminal ? () => createInPlace(create, { name: 'chaperone-host', env: process.env, paths }) : create,
    (error) =>
      flags.background === true ? null : flags.start === true ? printRunningHost(paths, error, words) : undefined,
  );
  if (running === null) return;
  announce(running, flags, words);
  const reason = await Promise.race([signalled, running.ended]);
  log.info({ reason: formatEnglish(reason) }, 'the host is ending');
  if (flags.background !== true) process.stderr.write(`${words.text('cli.host.ends', { reason })}\n`);
  await running.close();
  process.exit(0);
}

/** Without this folder evidence could not be written, so every act would be refused. */
function assertFolder(path: string, { workspaceRoot }: HostFlags): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const option = workspaceRoot === undefined ? 'WORKSPACE_ROOT' : '--workspace-root';
  throw new Failure(message('cli.host.no_folder', { option, path }), EXIT.usage);
}

/** On a terminal, and where an option requests it. */
function showsPairingLink({ background, start, printPairing, resetPairings, stdio }: HostFlags): boolean {
  const out = stdio === true ? process.stderr : process.stdout;
  const requested = start === true || printPairing === true || resetPairings === true;
  return background !== true && (requested || out.isTTY);
}

/** An agent's command must not get a pairing link that needs no confirmation. */
function assertNotInAgentCommand(): void {
  const lineage = createProcessTable().lineage(process.pid);
  // Commands of this host, which is yet to start, there are none.
  const { mark } = createDescentChecks({ executionOf: () => null });
  if (lineage.some(({ pid }) => mark(pid).kind === 'marked')) throw new Failure(message('cli.host.agent_gets_no_link'));
}

/** `other`: null where a host that runs already is as good (two shims may start at the same time), undefined where that is a failure. */
async function open(
  create: () => Promise<Host>,
  other: (error: HostRunningError) => null | undefined,
): Promise<Host | null> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof HostRunningError && other(error) === null) return null;
    if (error instanceof HostRunningError || error instanceof PortUnavailableError) throw new Failure(error.text);
    if (error instanceof PolicyError) throw new Failure(message('cli.host.bad_policy', { why: error.text }));
    throw error;
  }
}

/** Prints to stderr with --stdio, where stdout carries frames. The terminal belongs to the person who started the host, so it may show the link. */
function announce(running: Host, flags: HostFlags, { format, text }: Formatter): void {
  if (flags.background === true) return;
  const out = flags.stdio === true ? process.stderr : process.stdout;
  for (const note of running.notes) process.stderr.write(`${withLocalCommand(format(note), ownCommand())}\n`);
  if (flags.start !== true) out.write(`${running.url}\n`);
  if (running.tcpPort !== null) out.write(`${text('cli.host.gabp_port', { port: String(running.tcpPort) })}\n`);
  if (running.mcpHttp !== null) out.write(`${text('cli.host.mcp_http', running.mcpHttp)}\n`);
  // Last, because it is what the person does next.
  if (flags.start === true) out.write(`${text('cli.host.started', { link: running.pairingLink() })}\n`);
  else if (showsPairingLink(flags)) out.write(`${text('cli.host.pair', { link: running.pairingLink() })}\n`);
}

/** For a second `npm start`: prints the address of the running host. Its page tells an unpaired browser how to pair. */
function printRunningHost(paths: HostPaths, { pid }: HostRunningError, { text }: Formatter): null | undefined {
  const url = readBridge(paths)?.url;
  if (url === undefined) return undefined;
  print(pid === null ? text('cli.host.running', { url }) : text('cli.host.running_as', { pid, url }));
  return null;
}

/** Resolves at the first signal; a second one exits at once. */
function firstSignal(): Promise<Message> {
  return new Promise((resolve) => {
    let received = false;
    for (const signal of END_SIGNALS) {
      process.on(signal, () => {
        if (received) process.exit(1);
        received = true;
        resolve(verbatim(signal));
      });
    }
  });
}
