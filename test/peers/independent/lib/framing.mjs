/**
 * Message framing, transport.md section 2:
 * "Content-Length: <bytes>\r\nContent-Type: application/json\r\n\r\n<json>".
 */

const HEADER_END = Buffer.from('\r\n\r\n');
const MAX_HEADER_BYTES = 8192;

/** A stream which can not be read on: the frame borders are lost. */
export class FramingError extends Error {
  /**
   * @param {"header" | "too-large"} kind
   * @param {string} message
   */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/**
 * @param {unknown} message
 * @returns {Buffer}
 */
export function encodeFrame(message) {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  const head = `Content-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'ascii'), body]);
}

/**
 * @param {string} text the header block without its last empty line
 * @returns {Map<string, string>} lower-case names
 */
function parseHeaders(text) {
  const headers = new Map();
  for (const line of text.split('\r\n')) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
    if (!match) throw new FramingError('header', "A header line is not of the form 'Name: value'");
    const name = match[1].toLowerCase();
    if (headers.has(name)) throw new FramingError('header', `The header ${match[1]} occurs twice`);
    headers.set(name, match[2]);
  }
  return headers;
}

/**
 * @param {Map<string, string>} headers
 * @param {number} maxBody
 * @returns {number}
 */
function contentLength(headers, maxBody) {
  const value = headers.get('content-length');
  if (value === undefined) throw new FramingError('header', 'The Content-Length header is missing');
  if (!/^\d+$/.test(value)) throw new FramingError('header', 'Content-Length is not a number');
  const length = Number(value);
  if (length > maxBody) throw new FramingError('too-large', `The message of ${value} bytes exceeds ${maxBody}`);
  return length;
}

/**
 * @typedef {{headers: Map<string, string>, body: Buffer}} Frame
 */

/** Collects bytes and hands out whole frames. */
export class FrameDecoder {
  /** @param {{maxBody: number}} options */
  constructor({ maxBody }) {
    this.maxBody = maxBody;
    /** @type {Buffer[]} */
    this.chunks = [];
    this.size = 0;
    /** @type {{headers: Map<string, string>, length: number} | null} */
    this.pending = null;
  }

  /**
   * @param {Buffer} chunk
   * @returns {Generator<Frame>} frames; throws a FramingError when the stream is broken
   */
  *push(chunk) {
    this.chunks.push(chunk);
    this.size += chunk.length;
    for (;;) {
      if (!this.pending && !this.readHeaders()) return;
      if (!this.pending || this.size < this.pending.length) return;
      const { headers, length } = this.pending;
      this.pending = null;
      yield { headers, body: this.take(length) };
    }
  }

  /** @returns {boolean} whether a whole header block was read */
  readHeaders() {
    const all = this.joined();
    const end = all.indexOf(HEADER_END);
    if (end > MAX_HEADER_BYTES || (end < 0 && this.size > MAX_HEADER_BYTES)) {
      throw new FramingError('header', `No end of the headers within ${MAX_HEADER_BYTES} bytes`);
    }
    if (end < 0) return false;
    const headers = parseHeaders(this.take(end).toString('latin1'));
    this.take(HEADER_END.length);
    this.pending = { headers, length: contentLength(headers, this.maxBody) };
    return true;
  }

  /** @returns {Buffer} */
  joined() {
    if (this.chunks.length !== 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0];
  }

  /**
   * @param {number} count
   * @returns {Buffer}
   */
  take(count) {
    const all = this.joined();
    this.chunks = [all.subarray(count)];
    this.size -= count;
    return all.subarray(0, count);
  }
}

/**
 * @param {Buffer} body
 * @returns {unknown} the JSON value; throws on bytes that are not UTF-8 or not JSON
 */
export function decodeJson(body) {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
}

/**
 * @param {Map<string, string>} headers
 * @returns {"right" | "missing" | "wrong"} judgement of the Content-Type header
 */
export function judgeContentType(headers) {
  const value = headers.get('content-type');
  if (value === undefined) return 'missing';
  return value.split(';')[0].trim().toLowerCase() === 'application/json' ? 'right' : 'wrong';
}
