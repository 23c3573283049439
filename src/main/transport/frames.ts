/**
 * Framed JSON over any byte stream. Comes in: a duplex, or a pair of streams. Goes out: a Transport. Called by unix, tcp, stdio
 * and client; every limit on size, time and buffering of a framed connection is kept here.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { Socket } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { message, MessageError } from '../../messages/index.js';
import { createFrameDecoder, frameHeader, FramingError, MAX_BODY_BYTES } from '../protocol/framing.js';
import { readJson } from '../protocol/json.js';
import { Unreadable, type Transport, type Reply } from '../protocol/transport.js';

/** Bytes and milliseconds. */
export interface FrameLimits {
  maxHeader: number;
  maxBody: number;
  /** Until `accept` is called: the largest body, and how long the peer has. Null trusts from the start. */
  first: { maxBody: number; ms: number } | null;
  /** How long a frame that has begun may take to become whole. */
  partialMs: number;
  /** Outgoing bytes held for a peer that does not read; one message more closes the connection. */
  maxQueued: number;
  /** Everything else is escaped when sent: some peers take the length in bytes for one in characters. */
  asciiOnly: boolean;
}

const FRAME_LIMITS: FrameLimits = {
  maxHeader: 8 * 1024,
  maxBody: MAX_BODY_BYTES,
  first: null,
  partialMs: 30_000,
  maxQueued: 64 * 1024 * 1024,
  asciiOnly: false,
};

/** A message that cannot be sent; the connection stays open. */
export class UnsendableError extends MessageError {}

export interface FramedTransport extends Transport {
  accept(): void;
  speakLines(): void;
  queued(): number;
  hold(held: boolean): void;
  drawLine(waiting: number | null): void;
  /** True once a first message was complete and acceptable; until then the connection may be closed to make room for others. */
  accepted(): boolean;
  /** The longest body that the peer takes, where that is less than the limit here. */
  setMaxSent(bytes: number): void;
}

/** Two streams that are one connection. The end of `in` ends it; `out` is left open on close when `shared` (a process's stdout). */
interface StreamPair {
  in: Readable;
  out: Writable;
  shared?: boolean;
}

const LINGER_MS = 1_000;

export function frameTransport(stream: Duplex | StreamPair, given: Partial<FrameLimits> = {}): FramedTransport {
  const limits = { ...FRAME_LIMITS, ...given };
  const streams: StreamPair = 'in' in stream ? stream : { in: stream, out: stream };
  const decoder = createFrameDecoder({ maxHeader: limits.maxHeader, maxBody: limits.first?.maxBody ?? limits.maxBody });
  const inbox = createInbox();
  const closeState = createCloseState();
  let accepted = limits.first === null;
  const speech = createSpeech(limits, decoder.readLines);
  /** Where in the stream the first byte is that only the program now at the other end can have sent. */
  let line = Infinity;
  const partialTimer = createTimer(limits.partialMs, () => end('a frame was begun and not finished in time'));
  const firstMessageTimer = createTimer(limits.first?.ms ?? 0, () => end('nothing acceptable was sent in time'));
  const drained = createDrain(streams.out, closeState.listen, closeState.error);
  const writer = createFrameWriter(streams.out);

  function end(reason: string | null): void {
    if (!closeState.begin(reason)) return;
    partialTimer.stop();
    firstMessageTimer.stop();
    streams.in.off('data', received);
    writer.flush();
    release(streams);
  }

  /** Decodes one body after the other, so that an accepted first message raises the limit for the rest of the chunk. */
  function received(chunk: Uint8Array): void {
    let count = 0;
    try {
      for (const body of decoder.take(chunk)) {
        count++;
        if (!closeState.begun()) inbox.put(speech.parse(body), undefined, decoder.position().begin < line);
      }
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      end(`framing error: ${error.message}`);
    }
    if (closeState.begun()) return;
    if (speech.isLines() || !decoder.partial()) partialTimer.stop();
    else if (count > 0 || !partialTimer.running()) partialTimer.start();
  }

  async function send(value: unknown, onWritten?: () => void): Promise<void> {
    if (closeState.begun()) throw closeState.error();
    const frame = speech.encode(value);
    const queued = writer.queued();
    if (queued > 0 && queued + frame.length > limits.maxQueued) {
      end('the peer does not read what it is sent');
      throw closeState.error();
    }
    if (!writer.write(frame, onWritten)) await drained();
  }

  const onInputEnd = (): void => end(decoder.partial() ? 'the peer closed in the middle of a message' : null);
  listenTo(streams, received, onInputEnd, end);
  if (limits.first !== null) firstMessageTimer.start();

  return {
    send,
    onMessage: inbox.listen,
    onClose: closeState.listen,
    close: (reason) => end(reason ?? null),
    drawLine: (waiting) => void (line = decoder.position().end + streams.in.readableLength + (waiting ?? Infinity)),
    accepted: () => accepted,
    setMaxSent: speech.setMaxSent,
    speakLines: speech.speakLines,
    queued: writer.queued,
    hold: (held) => void (held ? streams.in.pause() : streams.in.resume()),
    accept() {
      accepted = true;
      firstMessageTimer.stop();
      decoder.setMaxBody(limits.maxBody);
    },
  };
}

function listenTo(
  streams: StreamPair,
  received: (chunk: Uint8Array) => void,
  onInputEnd: () => void,
  end: (reason: string | null) => void,
): void {
  streams.in.on('data', received).on('end', onInputEnd).on('close', onInputEnd);
  streams.in.on('error', (error) => end(error.message));
  streams.out.on('error', (error) => end(error.message)).on('close', () => end(null));
  if (streams.out instanceof Socket) streams.out.setNoDelay(true);
}

/** How a message is written and read: in frames of JSON, later perhaps in lines of text. */
function createSpeech({ maxBody, asciiOnly }: FrameLimits, onLines: () => void) {
  let lines = false;
  let maxSent = maxBody;
  return {
    isLines: () => lines,
    speakLines(): void {
      lines = true;
      onLines();
    },
    setMaxSent: (bytes: number): void => void (maxSent = Math.min(bytes, maxBody)),
    encode: (value: unknown) => (lines ? encodeLine(value, maxSent) : encode(value, maxSent, asciiOnly)),
    parse: (body: Uint8Array) => (lines ? parseLine(body) : parse(body)),
  };
}

/** Sends what was written and waits a moment for the peer to close. Unread input is discarded, because a TCP reset could drop the last answer. */
function release(streams: StreamPair): void {
  if (streams.shared === true) {
    streams.in.pause();
    return;
  }
  const timer = setTimeout(() => {
    streams.in.destroy();
    streams.out.destroy();
  }, LINGER_MS);
  timer.unref();
  streams.in.once('close', () => clearTimeout(timer));
  streams.in.resume();
  streams.out.end();
}

/** Header and body as one buffer, so that one write carries the message. */
function encode(value: unknown, maxBody: number, asciiOnly: boolean): Buffer {
  const plain = JSON.stringify(value);
  if (plain === undefined) throw new UnsendableError(message('framing.no_json'));
  const body = asciiOnly ? plain.replace(/[\x7f-\uffff]/g, escaped) : plain;
  const length = Buffer.byteLength(body);
  if (length > maxBody) throw new UnsendableError(message('framing.message_too_large', { length, max: maxBody }));
  const header = frameHeader(length);
  const frame = Buffer.allocUnsafe(header.length + length);
  frame.write(header, 'latin1');
  // As many bytes as characters: ASCII, which is copied as it is.
  frame.write(body, header.length, length === body.length ? 'latin1' : 'utf8');
  return frame;
}

function encodeLine(value: unknown, most: number): Buffer {
  if (typeof value !== 'string') throw new UnsendableError(message('framing.no_json'));
  const line = Buffer.from(`${value}\n`);
  if (line.length > most)
    throw new UnsendableError(message('framing.message_too_large', { length: line.length, max: most }));
  return line;
}

const escaped = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;

function parse(bytes: Uint8Array): unknown {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Much faster than UTF-8, and the same for ASCII.
  if (isAscii(body)) return readJson(body.toString('latin1'));
  return isUtf8(body) ? readJson(body.toString('utf8')) : new Unreadable(message('framing.no_utf8'));
}

function parseLine(bytes: Uint8Array): string {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return line.toString(isAscii(line) ? 'latin1' : 'utf8');
}

/** One wait for `drain`, shared by all senders. Rejects when the connection ends first. */
function createDrain(out: Writable, onEnd: (listener: () => void) => void, error: () => Error): () => Promise<void> {
  let waiting: Promise<void> | null = null;
  let fail: ((error: Error) => void) | null = null;
  onEnd(() => fail?.(error()));
  return () => {
    waiting ??= new Promise<void>((resolve, reject) => {
      fail = reject;
      out.once('drain', resolve);
    }).finally(() => {
      waiting = null;
      fail = null;
    });
    return waiting;
  };
}

function createTimer(ms: number, fire: () => void) {
  let timer: NodeJS.Timeout | null = null;
  return {
    running: () => timer !== null,
    start(): void {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(fire, ms);
      timer.unref();
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

/** Larger frames are not copied to be joined with others. */
const MAX_JOINED_BYTES = 16 * 1024;

/**
 * The first frame of a turn of the event loop leaves at once; small ones after it leave together at the turn's end, and with them the
 * first of the next turn: where there are many at once, each write wakes the peer for nothing.
 */
function createFrameWriter(out: Writable) {
  let inTurn = false;
  let [count, countBefore] = [0, 0];
  let frames: Buffer[] = [];
  let bytes = 0;
  let listeners: (() => void)[] = [];

  function endTurn(): void {
    inTurn = false;
    [count, countBefore] = [0, count];
    flush();
  }

  function flush(): void {
    if (frames.length === 0) return;
    const [joined, written] = [Buffer.concat(frames, bytes), listeners];
    [frames, bytes, listeners] = [[], 0, []];
    out.write(joined, (error) => {
      if (error == null) for (const each of written) each();
    });
  }

  function writeNow(frame: Buffer, onWritten?: () => void): boolean {
    flush();
    if (onWritten === undefined) return out.write(frame);
    return out.write(frame, (error) => void (error == null && onWritten()));
  }

  return {
    /** False where there is no room for more. `onWritten`: the system has taken the whole frame. */
    write(frame: Buffer, onWritten?: () => void): boolean {
      if (!inTurn) setImmediate(endTurn);
      inTurn = true;
      count += 1;
      const isAlone = count === 1 && countBefore < 2;
      if (isAlone || frame.length > MAX_JOINED_BYTES) return writeNow(frame, onWritten);
      frames.push(frame);
      bytes += frame.length;
      if (onWritten !== undefined) listeners.push(onWritten);
      if (bytes > MAX_JOINED_BYTES) flush();
      return !out.writableNeedDrain;
    },
    /** Bytes that wait here or in the stream. */
    queued: (): number => out.writableLength + bytes,
    /** Must be called before the stream is ended. */
    flush,
  };
}

// Received messages and the closed state, which every transport has.

interface Inbox {
  put(message: unknown, reply?: Reply, early?: boolean): void;
  listen(listener: (message: unknown, reply?: Reply, early?: boolean) => void): void;
}

/** Queues messages that arrive before there is a listener. */
export function createInbox(): Inbox {
  const listeners: Parameters<Inbox['listen']>[0][] = [];
  const early: Parameters<Inbox['put']>[] = [];
  return {
    put(...received) {
      if (listeners.length === 0) early.push(received);
      for (const listener of listeners) listener(...received);
    },
    listen(listener) {
      listeners.push(listener);
      for (const received of early.splice(0)) listener(...received);
    },
  };
}

export function createCloseState() {
  const listeners: ((reason: string | null) => void)[] = [];
  let state: { reason: string | null } | null = null;
  return {
    /** False when it had begun before. */
    begin(reason: string | null): boolean {
      if (state !== null) return false;
      state = { reason };
      for (const listener of listeners.splice(0)) listener(reason);
      return true;
    },
    begun: (): boolean => state !== null,
    /** Called once; at once where the end came earlier. */
    listen(listener: (reason: string | null) => void): void {
      if (state === null) listeners.push(listener);
      else listener(state.reason);
    },
    /** The error with which `send` rejects after the end. */
    error: (): Error => new Error(`the connection is closed${state?.reason ? `: ${state.reason}` : ''}`),
  };
}
