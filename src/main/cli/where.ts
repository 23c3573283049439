/**
 * `chaperone where`: prints where this machine's host listens, for `chaperone connect` on another machine, which runs it by SSH. The host
 * is checked as by a shim. The token, which lets a program connect, is printed only with --token. Stays until its input ends, so that the SSH connection lasts as long as whoever uses it.
 */
import { formatEnglish, textOf } from '../../messages/index.js';
import { readBridge } from '../host/discovery.js';
import { VERSION } from '../protocol/version.js';
import { whereLine, type Where } from '../remote/where.js';
import { connectHost, hostConnection, paths } from './host-client.js';
import { stdinOrSignalEnd } from './process-end.js';

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
