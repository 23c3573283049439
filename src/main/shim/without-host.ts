/** What a client is answered while no host can be had. Comes in: one line of the client's. Goes out: MCP's answers, in the words of the SDK. Called by the pipe. */
import { isRecord } from '../../base/type-guards.js';
import { discoveryResult, openingResult, refusedAnswer } from '../mcp/results.js';
import type { WireError } from '../protocol/errors.js';

type Id = string | number;

/** One message of a line, as far as its frame says. */
export interface Framed {
  kind: 'request' | 'notification' | 'reply' | 'unreadable';
  id: Id | null;
  method: string;
  params: Record<string, unknown>;
}

const PARSE_ERROR = -32700;
/** Said of the program, not of the host. */
const AT_ONCE: ReadonlySet<string> = new Set(['ping', 'shutdown']);
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);
/** What every later host has to be told again. */
const LASTING: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized']);
const CANCELLED = 'notifications/cancelled';

export function readFrames(line: string): Framed[] {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) ? value.map(frameOf) : [frameOf(value)];
  } catch {
    return [frameOf(null)];
  }
}

function frameOf(value: unknown): Framed {
  const { id, method, params } = isRecord(value) ? value : {};
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  const rest = { id: known, method: typeof method === 'string' ? method : '', params: isRecord(params) ? params : {} };
  if (rest.method !== '') return { kind: known === null ? 'notification' : 'request', ...rest };
  const isReply = isRecord(value) && ('result' in value || 'error' in value);
  return { kind: isReply ? 'reply' : 'unreadable', ...rest };
}

/** Whether a host has to be started for it. */
export const needsHost = ({ kind }: Framed): boolean => kind === 'request' || kind === 'unreadable';

export const isOpening = ({ kind, method }: Framed): boolean => kind === 'request' && OPENINGS.has(method);

/** Whether it has to be told to every later host too. */
export const lasts = ({ method }: Framed): boolean => LASTING.has(method);

/** The request that the client gives up; null where it gives up none. */
export function cancelledBy({ kind, method, params }: Framed): Id | null {
  const { requestId: id } = params;
  if (kind !== 'notification' || method !== CANCELLED) return null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The answer that needs no host; null where there is none. */
export const answerAtOnce = ({ kind, method, id }: Framed): object | null =>
  kind === 'request' && AT_ONCE.has(method) ? { jsonrpc: '2.0', id, result: {} } : null;

/** The answer to the opening, without the screens, which only a host knows. */
export function answerOpening({ method, id, params }: Framed, version: string): object {
  const result = method === 'initialize' ? openingResult(params['protocolVersion'], version) : discoveryResult(version);
  return { jsonrpc: '2.0', id, result };
}

/** Null for what has no answer. */
export function answerFailing(frame: Framed, error: WireError, version: string): object | null {
  if (isOpening(frame)) return answerOpening(frame, version);
  const { kind, id, method } = frame;
  if (kind === 'unreadable')
    return { jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: 'This is no JSON-RPC message.' } };
  return kind === 'request' && id !== null ? refusedAnswer(id, method, error) : null;
}
