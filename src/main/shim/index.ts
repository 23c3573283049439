/**
 * `chaperone mcp`: the agent's lines come in, the same lines go out to the host's socket, and back. Started by an agent, one per session,
 * and as untrusted as the agent: it knows no tools, holds no permission, and what it says of itself is only a claim. Called by cli/.
 */
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import { toWireError } from '../protocol/errors.js';
import { createLineReader, TOO_LONG } from '../protocol/framing.js';
import type { Profile } from '../protocol/pipe.js';
import type { Transport } from '../protocol/transport.js';
import { openHost, type ConnectOptions } from './connect.js';
import { createLink, createWaitingReport } from './waiting-report.js';
import { Pipe, type PipeSession } from './pipe.js';

interface ShimOptions {
  input: Readable;
  output: Writable;
  /** Where the address for the person is printed. */
  notices: Writable;
  host: ConnectOptions;
  cwd: string;
  /** `own`: on a desktop of the agent's own, which the person is asked for. */
  desktop?: 'own' | 'current';
  profile: Profile;
  /** Milliseconds; null leaves it to the client's name. */
  callLimit: number | null;
  /** Default: one of its own. */
  session?: string;
  /** What the client calls itself, where it does not say so in MCP. */
  claim?: string;
  log: Logger;
  times?: Partial<ShimTimes>;
  /** Where `host` is on another machine: its address, and the host of this one, which is told what waits there. */
  elsewhere?: { address: string; here: ConnectOptions };
}

/** Tests shorten these. */
export interface ShimTimes {
  /** The opening waits so long for a host; below the start-up limits of known clients (10 s). */
  openingTimeoutMs: number;
  firstRetryMs: number;
  maxRetryMs: number;
}

export const SHIM_TIMES: ShimTimes = { openingTimeoutMs: 5_000, firstRetryMs: 100, maxRetryMs: 5_000 };

const MAX_LINE_BYTES = 10 * 1024 * 1024;
/** While more waits for the client, or for the host, nothing is read for it. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const TOO_LONG_ANSWER = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: `A message has ${MAX_LINE_BYTES} bytes at most. Send less at once.` },
});

export interface Shim {
  /** Ends the connection: the host lets go of what waits. Never rejects. */
  close(): Promise<void>;
}

export function createShim(options: ShimOptions): Shim {
  const { host, input, output, log } = options;
  const times = { ...SHIM_TIMES, ...options.times };
  const session = options.session ?? randomBytes(32).toString('hex');
  const { elsewhere } = options;
  const report = elsewhere === undefined ? null : createWaitingReport({ ...elsewhere, cwd: options.cwd, log });
  let transport: Transport | null = null;
  let url: string | null = null;

  const pipe = new Pipe({
    write: createWriter(output, (held) => transport?.hold?.(held)),
    wake: () => void link.session().catch((error: unknown) => pipe.fail(toWireError(error))),
    onWaiting: (count) => report?.tell(count),
    version: host.version,
    openingTimeoutMs: times.openingTimeoutMs,
  });

  async function open(opened: Transport, token: string): Promise<PipeSession> {
    transport = opened;
    const { version, machine = null } = host;
    const { cwd, profile, callLimit: callLimitMs, claim = null, desktop = 'current' } = options;
    const hello = {
      token,
      version,
      cwd,
      desktop,
      profile,
      callLimitMs,
      session,
      machine,
      claim,
      counts: report !== null,
    };
    const served = await pipe.open(opened, hello);
    if (served.url !== url) options.notices.write(`${served.url}\n`);
    url = served.url;
    return served;
  }

  const link = createLink({
    connect: (mayStart, signal) => openHost(host, open, mayStart, signal),
    retryMs: { first: times.firstRetryMs, max: times.maxRetryMs },
    command: host.command,
    log,
  });
  const stop = readLines(input, pipe, (line) => output.write(`${line}\n`));
  link.session().catch((error: unknown) => {
    log.warn({ err: error }, 'no host yet');
    pipe.fail(toWireError(error));
  });

  return {
    close: async () => {
      stop();
      report?.close();
      link.close();
    },
  };
}

function readLines(input: Readable, pipe: Pipe, refuse: (answer: string) => void): () => void {
  const reader = createLineReader(MAX_LINE_BYTES);

  function received(chunk: Buffer): void {
    let room: Promise<void> | null = null;
    for (let at = 0; at < chunk.length;) {
      const { at: end, whole } = reader.take(chunk, at);
      at = end;
      if (whole === TOO_LONG) refuse(TOO_LONG_ANSWER);
      else if (whole !== null) room = pipe.take(textOf(whole));
    }
    if (room !== null) void waitFor(room);
  }

  async function waitFor(room: Promise<void>): Promise<void> {
    input.pause();
    await room;
    input.resume();
  }

  input.on('data', received);
  input.on('error', () => undefined);
  return () => void input.off('data', received);
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

/** Writes lines; those of one turn together. `hold`: the client reads slowly. */
function createWriter(output: Writable, hold: (held: boolean) => void): (message: string) => void {
  let corked = false;
  let held = false;
  const uncork = (): void => {
    corked = false;
    output.uncork();
    if (held || output.writableLength < MAX_QUEUED_BYTES) return;
    held = true;
    hold(true);
    output.once('drain', () => {
      held = false;
      hold(false);
    });
  };
  return (message) => {
    if (!corked) {
      output.cork();
      corked = true;
      process.nextTick(uncork);
    }
    output.write(`${message}\n`);
  };
}
