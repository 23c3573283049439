/**
 * Hosts on other machines. Comes in: an address, as `ssh://name` or the path of a socket that somebody forwards. Goes out: a connection
 * as to this machine's own host. What listens here is checked by the kernel as for that; what is there, by SSH. Called by cli/.
 */
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { createProcessTable } from '../../native/peer/index.js';
import { formatEnglish, textOf } from '../../messages/index.js';
import { readBridgeAt } from '../host/discovery.js';
import type { ConnectOptions, RecordedHost } from '../shim/connect.js';
import { ConnectError, connectUnix } from '../transport/client.js';
import type { Address } from './address.js';
import { faultOf, remoteError } from './ssh.js';
import { openTunnel, type Tunnel, type TunnelOptions } from './tunnel.js';

export { parseAddress, parseCommand } from './address.js';

export interface RemoteOptions extends Omit<TunnelOptions, 'address'> {
  address: Address;
  /** Of this program, in the session's hello. */
  name: string;
  version: string;
}

export interface RemoteHost extends ConnectOptions {
  /** Address of its page, once known. */
  url(): string | null;
  /** Throws what is known of a connection that ended before the host had answered. */
  lost(): never;
  close(): void;
}

/** Each attempt opens a new SSH connection; the one before ends. */
export function remoteHost(options: RemoteOptions): RemoteHost {
  const { address, name, version } = options;
  const closed = new AbortController();
  let tunnel: Tunnel | null = null;
  let url: string | null = null;

  async function find(): Promise<RecordedHost> {
    tunnel?.close();
    tunnel = null;
    if (address.kind === 'unix') return findForwarded(address.path, address.text, (found) => (url = found));
    const opened = await openTunnel({ ...options, address }, closed.signal);
    tunnel = opened;
    url = opened.host.url;
    return { token: opened.host.token, open: () => open(opened.socket, address.text, opened.pid) };
  }

  function lost(): never {
    const said = tunnel?.said() ?? '';
    const why = said === '' ? 'unreachable' : faultOf(null, said);
    throw remoteError(address.text, why, { output: said });
  }

  return {
    name,
    version,
    startTimeoutMs: 0,
    find,
    // Starting one is left to the other machine.
    start: lost,
    lost,
    machine: `${userInfo().username}@${hostname()}`,
    url: () => url,
    close() {
      closed.abort(new Error('closed'));
      tunnel?.close();
    },
  };
}

/** The token is in the bridge.json beside the socket: of a folder that two containers share, or copied there. */
function findForwarded(path: string, address: string, onUrl: (url: string) => void): RecordedHost {
  const bridge = trusted(address, () => readBridgeAt(join(dirname(path), 'bridge.json')));
  if (bridge === null) throw remoteError(address, 'no_token');
  onUrl(bridge.url);
  return { token: bridge.token, open: () => open(path, address) };
}

function trusted<T>(address: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw remoteError(address, 'untrusted', { output: formatEnglish(textOf(thrown)) });
  }
}

async function open(path: string, address: string, expectPid?: number) {
  const who = expectPid === undefined ? {} : { expectPid };
  try {
    return (await connectUnix({ path, processes: createProcessTable(), ...who })).transport;
  } catch (thrown) {
    const unsafe = thrown instanceof ConnectError && (thrown.reason === 'unsafe' || thrown.reason === 'impostor');
    throw remoteError(address, unsafe ? 'untrusted' : 'unreachable', { output: formatEnglish(textOf(thrown)) });
  }
}
