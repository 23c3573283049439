/** GABP 1.0 envelopes as a client reads and writes them: strict out, lenient in about what known applications get wrong. Pure. */
import * as z from 'zod';
import { isRecord } from '../../base/is-record.js';
import { GABP_VERSION } from './gabp.js';
import { plainWords } from './plain-words.js';

export type AppOutcome =
  | { ok: true; result: unknown }
  | { ok: false; code: number; text: string }
  /** Both a result and an error: neither can be believed. */
  | { ok: 'both' };

export type FromApp =
  | { kind: 'response'; id: string; outcome: AppOutcome }
  | { kind: 'event'; channel: string; seq: number | null; payload: unknown }
  /** Not readable, of another version, or what only a client sends. */
  | { kind: 'invalid' };

const MAX_CHANNEL_CHARS = 200;
/** Longest text of an application's error. */
const MAX_ERROR_CHARS = 2_000;

const errorSchema = z.looseObject({ code: z.int().catch(0), message: z.string().catch('') });

export function readFromApp(message: unknown): FromApp {
  if (!isRecord(message) || message['v'] !== GABP_VERSION) return { kind: 'invalid' };
  const { type, id, channel, seq, payload } = message;
  if (type === 'response' && typeof id === 'string') return { kind: 'response', id, outcome: outcomeOf(message) };
  if (
    type !== 'event' ||
    'method' in message ||
    typeof channel !== 'string' ||
    channel === '' ||
    channel.length > MAX_CHANNEL_CHARS
  )
    return { kind: 'invalid' };
  const counted = typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0;
  return { kind: 'event', channel, seq: counted ? seq : null, payload: payload ?? null };
}

/** Known applications send `error: null` with each result and `result: null` with each error. */
function outcomeOf({ result, error }: Record<string, unknown>): AppOutcome {
  if (error === undefined || error === null) return { ok: true, result: result ?? null };
  if (result !== undefined && result !== null) return { ok: 'both' };
  const { code, message } = errorSchema.catch({ code: 0, message: '' }).parse(error);
  return { ok: false, code, text: plainWords(message, MAX_ERROR_CHARS) };
}

export const requestToApp = (id: string, method: string, params: Record<string, unknown>) => ({
  v: GABP_VERSION,
  id,
  type: 'request',
  method,
  params,
});

const names = (most: number) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) => list.filter((one) => typeof one === 'string' && one !== '').slice(0, most) as string[]);

const MAX_NAMES = 1_000;

const limit = (least: number) => z.int().min(least).optional().catch(undefined);
const limitsSchema = z.looseObject({
  maxConcurrentRequests: limit(1),
  /** Bytes. */
  maxMessageSize: limit(1024),
  /** Seconds. */
  requestTimeout: limit(1),
});

const capabilitiesSchema = z
  .looseObject({
    /** Absent: unknown, so every method is tried. */
    methods: names(MAX_NAMES).optional(),
    events: names(MAX_NAMES),
    extensions: z.record(z.string(), z.unknown()).catch({}),
    limits: limitsSchema.catch({}),
  })
  .catch({ events: [], extensions: {}, limits: {} });

const welcomeSchema = z.looseObject({
  app: z.looseObject({ name: z.string().catch(''), version: z.string().catch('') }).catch({ name: '', version: '' }),
  capabilities: capabilitiesSchema,
});

export interface Welcome {
  /** What the application calls itself: a claim. */
  claim: string;
  capabilities: z.infer<typeof capabilitiesSchema>;
}

const MAX_CLAIM_CHARS = 100;

/** null for what is no answer to a hello. */
export function readWelcome(result: unknown): Welcome | null {
  const parsed = welcomeSchema.safeParse(result);
  if (!parsed.success) return null;
  const { app, capabilities } = parsed.data;
  return { claim: plainWords(`${app.name} ${app.version}`.trim(), MAX_CLAIM_CHARS), capabilities };
}
