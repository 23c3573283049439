/** One connection of a bridge: frames, envelope, handshake, limits. */
import { CODES, GabpError } from '../lib/errors.mjs';
import { decodeJson, encodeFrame, FrameDecoder, FramingError, judgeContentType } from '../lib/framing.mjs';
import { NIL_UUID, PROTOCOL } from '../lib/names.mjs';
import { audit } from './audit.mjs';
import { answerId, checkEnvelope, isAnswerable } from './envelope.mjs';
import { capabilities, checkParams, LIMITS, runMethod } from './methods.mjs';

export const CONNECTION_LIMITS = {
  helloTimeoutMs: 10000,
  maxInbox: 64,
  maxRequestsPerSecond: 1000,
  maxEventBuffer: 4 * 1024 * 1024,
  maxBuffer: 16 * 1024 * 1024,
};

export class Connection {
  /**
   * @param {{input: import("node:stream").Readable, output: import("node:stream").Writable,
   *   close: () => void}} stream
   * @param {import("./server.mjs").Application} application
   */
  constructor(stream, application) {
    this.stream = stream;
    this.application = application;
    this.game = application.game;
    this.authenticated = false;
    this.closed = false;
    this.decoder = new FrameDecoder({ maxBody: LIMITS.maxMessageSize });
    /** @type {import("../lib/framing.mjs").Frame[]} */
    this.inbox = [];
    /** @type {FramingError | null} the frame borders are lost; told after the inbox is worked off */
    this.broken = null;
    this.pumping = false;
    /** @type {Set<string>} ids of the requests in work */
    this.outstanding = new Set();
    this.rate = { second: 0, count: 0 };
    this.timer = setTimeout(() => this.close('no session/hello in time'), CONNECTION_LIMITS.helloTimeoutMs);
    stream.input.on('data', (chunk) => this.receive(chunk));
    stream.input.on('end', () => this.close('ended by the bridge'));
    for (const side of [stream.input, stream.output]) {
      side.on('error', () => this.close('stream error'));
      side.on('close', () => this.close('closed'));
    }
  }

  /** @param {Buffer} chunk */
  receive(chunk) {
    if (this.closed || this.broken) return;
    try {
      for (const frame of this.decoder.push(chunk)) this.inbox.push(frame);
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.broken = error;
    }
    if (this.inbox.length > CONNECTION_LIMITS.maxInbox) this.stream.input.pause();
    this.pump();
  }

  /** One message a turn of the event loop, so that several bridges are served in turn. */
  pump() {
    if (this.pumping || this.closed) return;
    this.pumping = true;
    setImmediate(() => {
      this.pumping = false;
      const frame = this.inbox.shift();
      if (frame) this.handleFrame(frame);
      if (this.inbox.length > 0) this.pump();
      else if (this.broken) this.failFraming(this.broken);
      else this.stream.input.resume();
    });
  }

  /** @param {FramingError} error */
  failFraming(error) {
    audit('framing-error', 'failure', { reason: error.message });
    this.answerError(NIL_UUID, new GabpError(CODES.INVALID_REQUEST, `Invalid Request: ${error.message}`));
    this.close('framing error');
  }

  /** @param {import("../lib/framing.mjs").Frame} frame */
  handleFrame({ headers, body }) {
    if (judgeContentType(headers) === 'wrong') {
      const error = new GabpError(CODES.INVALID_REQUEST, 'Invalid Request: Content-Type must be application/json');
      return this.answerError(NIL_UUID, error);
    }
    let message;
    try {
      message = decodeJson(body);
    } catch {
      audit('invalid-request', 'failure', { reason: 'not JSON' });
      return this.answerError(NIL_UUID, new GabpError(CODES.PARSE_ERROR, 'Parse error'));
    }
    return this.handleMessage(message);
  }

  /** @param {any} message */
  handleMessage(message) {
    try {
      checkEnvelope(message);
      if (message.type !== 'request')
        return audit('invalid-request', 'failure', { reason: `a ${message.type} came in` });
      this.checkRate();
      this.handleRequest(message);
    } catch (error) {
      audit('invalid-request', 'failure', { code: error.code });
      if (isAnswerable(message)) this.answerError(answerId(message), error);
    }
  }

  checkRate() {
    const second = Math.floor(Date.now() / 1000);
    this.rate = this.rate.second === second ? { second, count: this.rate.count + 1 } : { second, count: 1 };
    if (this.rate.count <= CONNECTION_LIMITS.maxRequestsPerSecond) return;
    audit('rate-limit', 'failure');
    throw new GabpError(CODES.RATE_LIMITED, 'Too many requests per second');
  }

  /** @param {any} message */
  handleRequest(message) {
    if (!this.authenticated) {
      if (message.method !== 'session/hello') throw new GabpError(CODES.AUTH_REQUIRED, 'Authentication required');
      return this.hello(message);
    }
    if (message.method === 'session/hello') {
      throw new GabpError(CODES.INVALID_REQUEST, 'Invalid Request: the session is already open');
    }
    if (this.outstanding.has(message.id)) {
      return this.answerError(
        NIL_UUID,
        new GabpError(CODES.INVALID_REQUEST, 'Invalid Request: the id is in use', { id: message.id }),
      );
    }
    if (this.outstanding.size >= LIMITS.maxConcurrentRequests) {
      throw new GabpError(CODES.TOO_MANY_REQUESTS, 'Too many concurrent requests', {
        limit: LIMITS.maxConcurrentRequests,
      });
    }
    return this.work(message);
  }

  /** @param {any} message */
  hello(message) {
    const token = message.params?.token;
    if (token === undefined) throw new GabpError(CODES.AUTH_REQUIRED, 'Authentication required');
    if (!this.application.isToken(token)) {
      audit('authentication', 'failure');
      this.answerError(message.id, new GabpError(CODES.AUTH_FAILED, 'Authentication failed'));
      return this.close('authentication failed');
    }
    checkParams(message);
    clearTimeout(this.timer);
    this.authenticated = true;
    audit('authentication', 'success', { launchId: message.params.launchId });
    return this.send({ v: PROTOCOL, id: message.id, type: 'response', result: this.welcome() });
  }

  welcome() {
    const { agentId, app } = this.application;
    return { agentId, app, capabilities: capabilities(this.game), schemaVersion: '1.0' };
  }

  /** @param {any} message */
  async work(message) {
    this.outstanding.add(message.id);
    const after = [];
    const context = {
      game: this.game,
      connection: this,
      requestId: message.id,
      afterAnswer: (action) => after.push(action),
    };
    try {
      const result = await runMethod(message, context);
      this.outstanding.delete(message.id);
      this.answerResult(message.id, result);
    } catch (error) {
      this.outstanding.delete(message.id);
      this.answerError(message.id, error);
    }
    for (const action of after) action();
  }

  /** @param {string} id @param {unknown} result */
  answerResult(id, result) {
    const message = { v: PROTOCOL, id, type: 'response', result: result === undefined ? null : result };
    if (Buffer.byteLength(JSON.stringify(message)) > LIMITS.maxMessageSize) {
      return this.answerError(id, new GabpError(CODES.INTERNAL_ERROR, 'The result exceeds the maximum message size'));
    }
    return this.send(message);
  }

  /** @param {string} id @param {unknown} error */
  answerError(id, error) {
    const known = error instanceof GabpError;
    if (!known) audit('internal-error', 'failure', { reason: String(error) });
    const shown = known ? error : new GabpError(CODES.INTERNAL_ERROR, 'Internal error');
    this.send({ v: PROTOCOL, id, type: 'response', error: shown.toObject() });
  }

  /** Events are dropped when the bridge does not read; it sees the gap in "seq". @param {object} message */
  sendEvent(message) {
    if (this.stream.output.writableLength <= CONNECTION_LIMITS.maxEventBuffer) this.send(message);
  }

  /** @param {object} message */
  send(message) {
    if (this.closed) return;
    this.stream.output.write(encodeFrame(message));
    if (this.stream.output.writableLength > CONNECTION_LIMITS.maxBuffer) this.close('outgoing buffer overflow');
  }

  /** @param {string} reason */
  close(reason) {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.timer);
    this.game.events.forget(this);
    audit('disconnect', 'info', { reason });
    this.stream.close();
    this.application.connections.delete(this);
  }
}
