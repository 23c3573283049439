/** `chaperone connect`: holds the connection to a host on another machine, forwards its page, and tells this machine's host what waits there. */
import { backOff } from 'exponential-backoff';
import * as z from 'zod';
import { delay } from '../../base/poll.js';
import { message, textOf, type Formatter, formatEnglish } from '../../messages/index.js';
import { statusSchema, WireError, type ElsewhereHost } from '../protocol/index.js';
import { withLocalCommand, VERSION } from '../protocol/local-command.js';
import type { RemoteHost } from '../remote/index.js';
import { EXIT, Failure, print, printJson, terminalSafe, END_SIGNALS, stdinOrSignalEnd } from './failure.js';
import { connectHost, hostConnection, type HostSession, withHost, paths } from './host-client.js';
import { ownCommand } from './launcher.js';
import { remoteFrom, type RemoteFlags } from './remote-flags.js';
import { saysYes } from './status.js';
import { readBridge } from '../host/discovery.js';
import { whereLine, type Where } from '../remote/where.js';

/**
 * `chaperone where`: prints where this machine's host listens, for `chaperone connect` on another machine, which runs it by SSH. The host
 * is checked as by a shim. The token, which lets a program connect, is printed only with --token. Stays until its input ends, so that the SSH connection lasts as long as whoever uses it.
 */
export async function where(options: { start?: boolean; token?: boolean }): Promise<void> {
  const ended = stdinOrSignalEnd();
  process.stdin.resume();
  const { host, ...rest } = await find(options.start === true);
  const shown = host === null || asksForToken(options) ? host : { socket: host.socket, url: host.url };
  process.stdout.write(`${whereLine({ chaperone: VERSION, host: shown, ...rest })}\n`);
  await ended;
  process.exit(0);
}

/** Where `authorized_keys` names the command, SSH says what was asked for. */
const asksForToken = ({ token }: { token?: boolean }): boolean =>
  token === true || /\swhere(\s--start)?\s--token$/.test(process.env['SSH_ORIGINAL_COMMAND'] ?? '');

async function find(start: boolean): Promise<Pick<Where, 'host' | 'fault'>> {
  try {
    const session = await connectHost(hostConnection('chaperone-where'), start, new AbortController().signal);
    session?.close();
    const bridge = session === null ? null : readBridge(paths());
    return { host: bridge === null ? null : { socket: bridge.socket, token: bridge.token, url: bridge.url } };
  } catch (thrown) {
    return { host: null, fault: formatEnglish(textOf(thrown)) };
  }
}

interface ConnectFlags extends RemoteFlags {
  list?: boolean;
  json?: boolean;
}

const LOOK_MS = 2_000;
const RETRY = {
  numOfAttempts: Number.POSITIVE_INFINITY,
  startingDelay: 500,
  maxDelay: 30_000,
  jitter: 'full',
} as const;
const statusAnswer = z.looseObject({
  pendingApprovals: z.number().int().default(0),
  pendingQuestions: z.number().int().default(0),
});

export async function connect(address: string | undefined, flags: ConnectFlags, words: Formatter): Promise<void> {
  if (flags.list === true) return list(flags, words);
  if (address === undefined) throw new Failure(message('cli.connect.no_address'), EXIT.usage);
  const signal = firstSignal();
  const [remote, first] = await firstSession(address, flags, signal, words);
  const reporter = createReporter(words);
  const row = (state: ElsewhereHost['state'], waiting: number): ElsewhereHost => {
    return { address, state, url: address.startsWith('unix:') ? null : remote.url(), waiting };
  };
  announce(address, remote.url() ?? '', words);
  try {
    for (let session = first; ; session = await nextSession(remote, signal, words)) {
      await watch(session, signal, (waiting) => reporter.tell(row('connected', waiting)));
      await reporter.tell(row('lost', 0));
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    reporter.close();
    remote.close();
  }
  process.exit(0);
}

async function list({ json }: ConnectFlags, words: Formatter): Promise<void> {
  const answer = await withHost((session) => session.request('admin/status', {}));
  const hosts = z.looseObject({ status: statusSchema }).parse(answer).status.elsewhere ?? [];
  if (json === true) return printJson({ hosts });
  print(hosts.length === 0 ? words.text('cli.connect.none') : hosts.map((host) => rowText(host, words)).join('\n'));
}

/** One line of a host, with its name. */
const rowText = ({ address, state, url, waiting, by }: ElsewhereHost, { text }: Formatter): string =>
  text('cli.connect.row', {
    address: terminalSafe(address),
    state: state === 'connected' ? state : 'other',
    waiting,
    known: url === null ? 'other' : 'yes',
    url: url ?? '',
    told: by === undefined ? 'other' : 'yes',
    by: terminalSafe(by ?? ''),
  });

/** At a terminal, the person may have a host started there. */
async function firstSession(
  address: string,
  flags: ConnectFlags,
  signal: AbortSignal,
  words: Formatter,
): Promise<[RemoteHost, HostSession]> {
  const remote = remoteFrom(address, flags, 'chaperone-connect', true);
  try {
    return [remote, await open(remote, signal)];
  } catch (thrown) {
    remote.close();
    const noHost = thrown instanceof WireError && thrown.details['reason'] === 'remote_no_host';
    if (!noHost || flags.start === true || !(await wantsStart(address, words))) throw thrown;
    return firstSession(address, { ...flags, start: true }, signal, words);
  }
}

const wantsStart = async (address: string, { text }: Formatter): Promise<boolean> =>
  process.stdin.isTTY && process.stdout.isTTY && saysYes(text('cli.connect.start', { address }));

async function open(remote: RemoteHost, signal: AbortSignal): Promise<HostSession> {
  const session = await connectHost(remote, false, signal);
  return session ?? remote.lost();
}

function nextSession(remote: RemoteHost, signal: AbortSignal, { text }: Formatter): Promise<HostSession> {
  let said = '';
  return backOff(() => open(remote, signal), {
    ...RETRY,
    retry(thrown: unknown) {
      const why = text('cli.connect.lost', { why: textOf(thrown) });
      if (why !== said && !signal.aborted) process.stderr.write(`${why.split('\n').map(terminalSafe).join('\n')}\n`);
      said = why;
      return !signal.aborted;
    },
  });
}

/** Resolves when the session has ended. Rejects with the signal's reason. */
async function watch(session: HostSession, signal: AbortSignal, tell: (waiting: number) => Promise<void>) {
  const ended = new AbortController();
  session.onEnd(() => ended.abort(new Error('ended')));
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    while (!either.aborted) {
      const { pendingApprovals, pendingQuestions } = statusAnswer.parse(await session.request('admin/status', {}));
      await tell(pendingApprovals + pendingQuestions);
      await delay(LOOK_MS, either);
    }
  } catch (thrown) {
    if (!ended.signal.aborted) throw thrown;
  } finally {
    session.close();
  }
  signal.throwIfAborted();
}

/** Prints each change, and tells the host of this machine, where one runs. Never starts one. */
function createReporter(words: Formatter) {
  let here: HostSession | null = null;
  let last = '';
  let refused = '';

  async function report(host: ElsewhereHost): Promise<void> {
    here ??= await connectHost(hostConnection('chaperone-connect'), false, new AbortController().signal);
    here?.onEnd(() => (here = null));
    await here?.request('admin/elsewhere', host);
  }

  function refusal(thrown: unknown): void {
    const why = words.text('cli.connect.not_listed', { why: textOf(thrown) });
    if (why !== refused) process.stderr.write(`${terminalSafe(why)}\n`);
    refused = why;
  }

  return {
    async tell(host: ElsewhereHost): Promise<void> {
      const line = rowText(host, words);
      if (line !== last) print(line);
      last = line;
      await report(host).catch(refusal);
    },
    close: () => here?.close(),
  };
}

function announce(address: string, url: string, { text }: Formatter): void {
  const command = ownCommand();
  const said = address.startsWith('unix:')
    ? text('cli.connect.no_page', { address, url, port: new URL(url).port })
    : text('cli.connect.page', { address, url, command });
  print(withLocalCommand(said, command));
}

function firstSignal(): AbortSignal {
  const ended = new AbortController();
  for (const signal of END_SIGNALS) process.once(signal, () => ended.abort(new Error(signal)));
  return ended.signal;
}
