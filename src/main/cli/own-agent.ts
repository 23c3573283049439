/** The command line as an agent: one request of MCP through a shim in this process, which starts the host and repeats what it must. Called by call and tools. */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { isRecord } from '../../base/is-record.js';
import { verbatim } from '../../messages/index.js';
import { callIdOf } from '../mcp/results.js';
import { WireError } from '../protocol/index.js';
import type { Profile } from '../protocol/pipe.js';
import { createShim } from '../shim/index.js';
import { Failure } from './failure.js';
import { hostConnection } from './host-client.js';
import { stderrLog } from './logging.js';

/** The longest a timer takes, about 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Of the only request. */
const ID = 1;

export interface OwnAgent {
  /** Of the call that the request makes. */
  callId: string;
  /** Address of the page, once known. */
  url(): string | null;
  /** The result of its only request. Rejects with what a protocol error says. */
  request(method: string, params: Record<string, unknown>, onProgress: (message: string) => void): Promise<unknown>;
  close(): Promise<void>;
}

export function openOwnAgent(profile: Profile = 'full'): OwnAgent {
  const [input, output, notices] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const session = randomBytes(32).toString('hex');
  const host = hostConnection('chaperone-call');
  let url: string | null = null;
  notices.on('data', (line) => (url = String(line).trim()));
  const shim = createShim({
    ...{ input, output, notices, host, profile, session },
    claim: `${host.name} ${host.version}`,
    cwd: process.cwd(),
    callLimit: MAX_TIMER_MS,
    log: stderrLog(),
  });
  return {
    callId: callIdOf(session, 1, ID),
    url: () => url,
    request: (method, params, onProgress) =>
      new Promise((resolve, reject) => {
        createInterface({ input: output }).on('line', (line) => {
          const message: unknown = JSON.parse(line);
          const { id, result, error, params: told } = isRecord(message) ? message : {};
          if (id === undefined && isRecord(told) && typeof told['message'] === 'string') onProgress(told['message']);
          if (id !== ID) return;
          if (isRecord(error)) reject(failureOf(String(error['message'])));
          else resolve(result);
        });
        const meta = { progressToken: ID };
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: ID, method, params: { ...params, _meta: meta } })}\n`);
      }),
    close: shim.close,
  };
}

/** What a protocol error says. The names of all tools are for agents. */
function failureOf(said: string): Error {
  const [problem = '', names] = said.split(' Use one of: ');
  if (names === undefined) return new Failure(verbatim(said));
  return new WireError('DESKTOP_INVALID_REQUEST', verbatim(problem), { reason: 'unknown_tool' });
}
