/** A framed connection to the application. */
import { connect } from 'node:net';
import { encodeFrame, FrameDecoder } from '../lib/framing.mjs';

const MAX_INCOMING = 16 * 1024 * 1024;

export class Link {
  /**
   * @param {{input: import("node:stream").Readable, output: import("node:stream").Writable, close: () => void}} stream
   */
  constructor(stream) {
    this.stream = stream;
    this.closed = false;
    this.decoder = new FrameDecoder({ maxBody: MAX_INCOMING });
    /** @type {(frame: import("../lib/framing.mjs").Frame) => void} */
    this.onFrame = () => {};
    /** @type {(error: Error) => void} */
    this.onBroken = () => {};
    /** @type {(reason: string) => void} */
    this.onClose = () => {};
    stream.input.on('data', (chunk) => this.receive(chunk));
    stream.input.on('end', () => this.finish('ended by the application'));
    for (const side of [stream.input, stream.output]) {
      side.on('error', (error) => this.finish(error.message));
      side.on('close', () => this.finish('closed'));
    }
  }

  /** @param {Buffer} chunk */
  receive(chunk) {
    if (this.closed) return;
    try {
      for (const frame of this.decoder.push(chunk)) this.onFrame(frame);
    } catch (error) {
      this.onBroken(error);
      this.finish('framing error');
    }
  }

  /** @param {object} message */
  send(message) {
    if (!this.closed) this.stream.output.write(encodeFrame(message));
  }

  /** Closes without telling onClose. */
  close() {
    this.onClose = () => {};
    this.finish('closed by the bridge');
  }

  /** @param {string} reason */
  finish(reason) {
    if (this.closed) return;
    this.closed = true;
    this.stream.close();
    this.onClose(reason);
  }
}

/**
 * @param {{port: number, host: string} | {path: string}} target
 * @returns {Promise<Link>}
 */
export function connectTo(target) {
  return new Promise((done, fail) => {
    const socket = connect(target);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      socket.setNoDelay(true);
      done(new Link({ input: socket, output: socket, close: () => socket.destroySoon() }));
    });
  });
}
