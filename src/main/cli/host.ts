/** `chaperone host`: runs the host in this process until a signal, `chaperone stop --host`, or (in the background) nobody needs it any more. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandMark } from '../../native/peer/command-mark.js';
import { createProcessTable } from '../../native/peer/index.js';
import { PolicyError } from '../approvals/policy.js';
import { HostRunningError, hostPaths } from '../host/discovery.js';
import { createHost } from '../host/index.js';
import type { Host } from '../host/options.js';
import { Failure } from './failure.js';
import { hostOptions, placeOf } from './host-options.js';
import type { HostFlags } from './host-options.js';
import { ownLauncher } from './launcher.js';
import { fileLog, stderrLog } from './logging.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export async function host(flags: HostFlags): Promise<void> {
  const paths = hostPaths(process.env);
  // The shim that started this host made the folder; where it is gone, nobody waits for a host any more.
  if (flags.background === true && !existsSync(paths.state)) return;
  const chosen = hostOptions(flags, placeOf(paths));
  if (flags.printPairing === true || flags.resetPairings === true) assertNoCommand();
  const log = flags.background === true ? fileLog(join(paths.state, 'host.log')) : stderrLog();
  const stdio = flags.stdio === true ? { stdio: { input: process.stdin, output: process.stdout } } : {};
  const signalled = firstSignal();
  const running = await open(
    () => createHost({ ...chosen, ...stdio, env: process.env, launcher: ownLauncher(), log }),
    flags.background === true,
  );
  if (running === null) return;
  announce(running, flags);
  const reason = await Promise.race([signalled, running.ended]);
  log.info({ reason }, 'the host is ending');
  if (flags.background !== true) process.stderr.write(`Chaperone ends: ${reason}.\n`);
  await running.close();
  process.exit(0);
}

/** An approved command would get a link that needs no confirmation. */
function assertNoCommand(): void {
  const line = createProcessTable().lineage(process.pid);
  if (line.some(({ pid }) => readCommandMark(pid).kind === 'marked'))
    throw new Failure('A command that an agent runs gets no pairing link: start the host in a terminal of your own.');
}

/** Null in the background when another host was quicker: two shims that start at once want one host. */
async function open(create: () => Promise<Host>, background: boolean): Promise<Host | null> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof HostRunningError && background) return null;
    if (error instanceof HostRunningError) throw new Failure(error.message);
    if (error instanceof PolicyError)
      throw new Failure(
        `${error.message}\nThe host does not start with a policy it cannot trust; mend it, then start again.`,
      );
    throw error;
  }
}

/** On stdout, but for --stdio, where stdout carries frames. A terminal belongs to the person who started the host, so it may show the link. */
function announce(running: Host, flags: HostFlags): void {
  if (flags.background === true) return;
  const out = flags.stdio === true ? process.stderr : process.stdout;
  for (const note of running.notes) process.stderr.write(`${note}\n`);
  out.write(`${running.url}\n`);
  if (flags.printPairing === true || flags.resetPairings === true || out.isTTY) out.write(`${running.pairingLink()}\n`);
}

/** The first signal asks the host to end; a second one does not wait for it. */
function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve(signal);
      });
    }
  });
}
