/** LSP-style framing, and lines; bytes only: chunks come in, whole bodies and lines go out. Called by `transport/frames.ts`; knows nothing of JSON. */
import { message, MessageError, textOf, type Message } from '../../messages/index.js';

/** The stream can no longer be trusted: close it, never look for the next frame. `before` holds the frames that were whole. */
export class FramingError extends MessageError {
  constructor(
    text: Message,
    readonly before: Uint8Array[] = [],
  ) {
    super(text);
    this.name = 'FramingError';
  }
}

/** `Content-Length` first and in that case: some peers look for exactly this. */
export function frameHeader(byteLength: number): string {
  return `Content-Length: ${byteLength}\r\n${TYPE_LINE}\r\n`;
}

export const MAX_BODY_BYTES = 16 * 1024 * 1024;

const LF = 10;
const CR = 13;
/** Room for a body before its bytes are there. */
const FIRST_BODY_BUFFER = 256 * 1024;
/** Room that is kept for the next body. */
const MAX_SPARE = 128 * 1024;
const MAX_DIGITS = 15;
const TYPE_LINE = 'Content-Type: application/json\r\n';
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const LENGTH_NAME = bytesOf('Content-Length: ');
const USUAL_ENDS: readonly Uint8Array[] = [bytesOf(`\r\n${TYPE_LINE}\r\n`), bytesOf('\r\n\r\n')];
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e]*)$/;

export function createFrameDecoder(limits: { maxHeader?: number; maxBody?: number } = {}) {
  const maxHeader = limits.maxHeader ?? 8192;
  const header = createHeaderReader(maxHeader);
  let maxBody = limits.maxBody ?? MAX_BODY_BYTES;
  let body: BodyReader | null = null;
  let lines: LineReader | null = null;
  let spare = new Uint8Array(0);
  let broken: Message | null = null;
  let [begin, next, end] = [0, 0, 0];

  function step(chunk: Uint8Array, from: number): { at: number; whole: Uint8Array | null } {
    if (lines !== null) return line(lines.take(chunk, from));
    if (body === null) {
      const next = (header.begun() ? null : usualHeader(chunk, from, maxHeader)) ?? header.take(chunk, from);
      if (next.length === null) return { at: next.at, whole: null };
      if (next.length > maxBody) {
        throw new FramingError(message('framing.body_too_large', { length: next.length, max: maxBody }));
      }
      const end = next.at + next.length;
      if (end <= chunk.length) return { at: end, whole: chunk.subarray(next.at, end) };
      body = createBodyReader(next.length, spare);
      return { at: next.at, whole: null };
    }
    const at = body.take(chunk, from);
    const whole = body.whole();
    if (whole === null) return { at, whole };
    body = null;
    if (whole.buffer.byteLength <= MAX_SPARE) spare = new Uint8Array(whole.buffer);
    return { at, whole };
  }

  function line(taken: { at: number; whole: Uint8Array | null }) {
    if (taken.whole !== TOO_LONG) return taken;
    throw new FramingError(message('framing.body_too_large', { length: `> ${maxBody}`, max: maxBody }));
  }

  function* take(chunk: Uint8Array): Generator<Uint8Array, void> {
    if (broken !== null) throw new FramingError(broken);
    const from = end;
    end += chunk.length;
    for (let at = 0; at < chunk.length;) {
      const taken = attempt(chunk, at);
      at = taken.at;
      if (taken.whole === null) continue;
      [begin, next] = [next, from + at];
      yield taken.whole;
    }
  }

  function attempt(chunk: Uint8Array, at: number): { at: number; whole: Uint8Array | null } {
    try {
      return step(chunk, at);
    } catch (error) {
      broken = textOf(error);
      throw error;
    }
  }

  return {
    /**
     * Like `push`, one body at a time, so that a limit raised meanwhile applies to the next body. A body lasts until the next is asked
     * for. Must be iterated to its end.
     */
    take,
    /** Takes the next bytes, gives the bodies they complete. Throws FramingError, and again on every later call. */
    push(chunk: Uint8Array): Uint8Array[] {
      const whole: Uint8Array[] = [];
      try {
        for (const each of take(chunk)) whole.push(each.slice());
      } catch (error) {
        throw new FramingError(textOf(error), whole);
      }
      return whole;
    },
    partial: (): boolean => lines?.partial() ?? (body !== null || header.begun()),
    /** Where in the stream the body given last begins, with its header, and where what was taken ends. */
    position: (): { begin: number; end: number } => ({ begin, end }),
    /** What follows the body given last are lines. */
    readLines: (): void => void (lines = createLineReader(maxBody)),
    /** Applies from the next header on. */
    setMaxBody(bytes: number): void {
      maxBody = bytes;
    },
  };
}

/** The header block that Chaperone and most peers write, read where it lies. null for any other, and where its end is not in the chunk. */
function usualHeader(chunk: Uint8Array, from: number, maxHeader: number): { at: number; length: number } | null {
  if (!hasAt(chunk, from, LENGTH_NAME)) return null;
  const first = from + LENGTH_NAME.length;
  let [at, length] = [first, 0];
  for (let digit = digitAt(chunk, at); digit >= 0; digit = digitAt(chunk, at)) {
    length = length * 10 + digit;
    at += 1;
  }
  const rest = USUAL_ENDS.find((one) => hasAt(chunk, at, one));
  if (rest === undefined || length === 0 || at - first > MAX_DIGITS) return null;
  const end = at + rest.length;
  return end - from > maxHeader ? null : { at: end, length };
}

/** -1: no digit. */
function digitAt(chunk: Uint8Array, at: number): number {
  const digit = (chunk[at] ?? 0) - 48;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

function hasAt(chunk: Uint8Array, from: number, bytes: Uint8Array): boolean {
  if (from + bytes.length > chunk.length) return false;
  for (let at = 0; at < bytes.length; at++) if (chunk[from + at] !== bytes[at]) return false;
  return true;
}

/** Collects one header block. `take` returns where it stopped, and the body's length once the block has ended. */
function createHeaderReader(maxHeader: number) {
  const bytes = new Uint8Array(maxHeader);
  let filled = 0;
  let lineStart = 0;

  function endsBlock(): boolean {
    const length = filled - lineStart;
    return length === 1 || (length === 2 && bytes[lineStart] === CR);
  }

  return {
    begun: () => filled > 0,
    take(chunk: Uint8Array, from: number): { at: number; length: number | null } {
      for (let at = from; at < chunk.length; at++) {
        if (filled === maxHeader) throw new FramingError(message('framing.header_too_large', { max: maxHeader }));
        const byte = chunk[at] ?? 0;
        bytes[filled++] = byte;
        if (byte !== LF) continue;
        if (endsBlock()) {
          const length = contentLength(ascii(bytes.subarray(0, lineStart)));
          filled = 0;
          lineStart = 0;
          return { at: at + 1, length };
        }
        lineStart = filled;
      }
      return { at: chunk.length, length: null };
    },
  };
}

function ascii(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function contentLength(block: string): number {
  let length: number | null = null;
  for (const line of block.split('\n').slice(0, -1)) {
    const match = HEADER_LINE.exec(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (match === null) throw new FramingError(message('framing.bad_header'));
    const [, name = '', value = ''] = match;
    if (name.toLowerCase() !== 'content-length') continue;
    if (length !== null) throw new FramingError(message('framing.two_lengths'));
    length = positive(value.trim());
  }
  if (length === null) throw new FramingError(message('framing.no_length'));
  return length;
}

function positive(text: string): number {
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  if (value === 0) throw new FramingError(message('framing.bad_length', { given: JSON.stringify(text.slice(0, 32)) }));
  return value;
}

type BodyReader = ReturnType<typeof createBodyReader>;

/** The buffer grows with the bytes that arrive, so a peer cannot reserve memory by announcing a large body. */
function createBodyReader(length: number, spare: Uint8Array<ArrayBuffer>) {
  let bytes = spare.length >= length ? spare : new Uint8Array(Math.min(length, FIRST_BODY_BUFFER));
  let filled = 0;

  function room(wanted: number): void {
    if (wanted <= bytes.length) return;
    const larger = new Uint8Array(Math.min(length, Math.max(wanted, bytes.length * 2)));
    larger.set(bytes.subarray(0, filled));
    bytes = larger;
  }

  return {
    take(chunk: Uint8Array, from: number): number {
      const count = Math.min(length - filled, chunk.length - from);
      room(filled + count);
      bytes.set(chunk.subarray(from, from + count), filled);
      filled += count;
      return from + count;
    },
    whole: (): Uint8Array<ArrayBuffer> | null => (filled === length ? bytes.subarray(0, length) : null),
  };
}

// Lines, of a process's streams and of a connection whose frames have ended.

/** In place of a line with more bytes than are taken. */
export const TOO_LONG = new Uint8Array(0);

type LineReader = ReturnType<typeof createLineReader>;

export function createLineReader(most: number) {
  let parts: Uint8Array[] = [];
  let size = 0;

  function keep(part: Uint8Array): void {
    size += part.length;
    if (size > most) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function whole(last: Uint8Array): Uint8Array {
    if (size === 0 && last.length <= most) return last;
    keep(last);
    const line = size > most ? TOO_LONG : joined(parts, size);
    [parts, size] = [[], 0];
    return line;
  }

  return {
    /** Where it stopped, and the line that ends there, without its end. It lasts as long as the chunk. */
    take(chunk: Uint8Array, from: number): { at: number; whole: Uint8Array | null } {
      const end = chunk.indexOf(LF, from);
      if (end !== -1) return { at: end + 1, whole: whole(chunk.subarray(from, end)) };
      keep(chunk.slice(from));
      return { at: chunk.length, whole: null };
    },
    partial: (): boolean => size > 0,
  };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
