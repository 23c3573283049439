/** Reads GABP 1.0 responses and events as a client; accepts known deviations of servers. Pure. */
import { GABP_VERSION, type GabpError } from './gabp.js';

export type GabpAnswer =
  | { kind: 'success'; id: string; result: unknown }
  | { kind: 'failure'; id: string; error: GabpError }
  | { kind: 'event'; channel: string; seq: number; payload: unknown }
  | { kind: 'ignore'; reason: string };

/** A message with both result and error is ignored, unless one of them is null. */
export function readGabpAnswer(message: unknown): GabpAnswer {
  if (!isRecord(message)) return ignore('not an object');
  if (message['v'] !== GABP_VERSION) return ignore('another protocol version');
  if (message['type'] === 'event') return readEvent(message);
  if (message['type'] !== 'response') return ignore('neither response nor event');
  const { id, result, error } = message;
  if (typeof id !== 'string') return ignore('a response without an id');
  if (error === undefined || error === null) return { kind: 'success', id, result: result ?? null };
  if (result !== undefined && result !== null) return ignore('both result and error');
  return { kind: 'failure', id, error: readError(error) };
}

function readEvent(message: Record<string, unknown>): GabpAnswer {
  const { channel, seq, payload } = message;
  if (typeof channel !== 'string' || channel === '') return ignore('an event without a channel');
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0)
    return ignore('an event without a sequence number');
  return { kind: 'event', channel, seq, payload: payload ?? null };
}

function readError(error: unknown): GabpError {
  if (!isRecord(error)) return { code: 0, message: String(error) };
  const { code, message, data } = error;
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' && message !== '' ? message : 'no message given',
    ...(data === undefined || data === null ? {} : { data }),
  };
}

function ignore(reason: string): GabpAnswer {
  return { kind: 'ignore', reason };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
