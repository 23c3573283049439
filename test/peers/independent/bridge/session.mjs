/** One session over one link: requests, responses, events, and the checks of them. */
import { randomUUID } from 'node:crypto';
import { decodeJson, judgeContentType } from '../lib/framing.mjs';
import { isObject, makeRequest, NIL_UUID, platformName } from '../lib/names.mjs';
import { checkEvent, checkMessage, checkResponse } from './checks.mjs';

const BRIDGE_VERSION = '1.0.0';
const HELLO_TIMEOUT_MS = 10000;
const DEFAULT_TIMEOUT_MS = 30000;
const GRACE_MS = 1000;
const MAX_REMEMBERED = 1000;

/** A set which forgets its oldest members. */
class RecentSet {
  constructor() {
    this.members = new Set();
  }

  /** @param {string} member @returns {boolean} whether it was there already */
  add(member) {
    if (this.members.has(member)) return true;
    this.members.add(member);
    if (this.members.size > MAX_REMEMBERED) this.members.delete(this.members.values().next().value);
    return false;
  }
}

/** An answer that is an error, a timeout or a loss. */
export class RequestFailure extends Error {
  /** @param {"error" | "timeout" | "lost" | "refused"} kind @param {object} details */
  constructor(kind, details) {
    super(kind);
    this.kind = kind;
    this.details = details;
  }
}

export class Session {
  /**
   * @param {import("./link.mjs").Link} link
   * @param {{report: (report: object) => void, expects: (channel: string) => boolean,
   *   event: (message: any) => void, lost: (reason: string) => void}} handlers
   */
  constructor(link, handlers) {
    this.link = link;
    this.handlers = handlers;
    this.welcome = null;
    /** @type {Map<string, any>} */
    this.pending = new Map();
    /** @type {Map<string, any>} requests that timed out, for late answers */
    this.expired = new Map();
    /** @type {(() => void)[]} requests that wait for a free place */
    this.queue = [];
    /** @type {Map<string, object>} output schemas by tool */
    this.outputSchemas = new Map();
    this.eventIds = new RecentSet();
    link.onFrame = (frame) => this.receive(frame);
    link.onBroken = (error) => this.violation({ level: 'must', rule: 'transport.md 2', problem: error.message });
    link.onClose = (reason) => this.end(reason);
  }

  violation(violation) {
    const text = JSON.stringify(violation.received);
    const received = text && text.length > 2000 ? `${text.slice(0, 2000)}…` : violation.received;
    this.handlers.report({ report: 'violation', ...violation, received });
  }

  /** @param {string} token @param {string} launchId */
  async hello(token, launchId) {
    const params = { token, bridgeVersion: BRIDGE_VERSION, platform: platformName(), launchId };
    this.welcome = await this.request('session/hello', params, { timeoutMs: HELLO_TIMEOUT_MS });
    return this.welcome;
  }

  get capabilities() {
    return this.welcome?.capabilities ?? {};
  }

  /** @param {string} method */
  offers(method) {
    return (this.capabilities.methods ?? []).includes(method);
  }

  get defaultTimeoutMs() {
    const seconds = this.capabilities.limits?.requestTimeout;
    return seconds ? seconds * 1000 + GRACE_MS : DEFAULT_TIMEOUT_MS;
  }

  /**
   * @param {string} method @param {object | undefined} params
   * @param {{timeoutMs?: number, force?: boolean}} [options] force passes the limits which the application named
   * @returns {Promise<any>} the result; throws a RequestFailure
   */
  async request(method, params, { timeoutMs = this.defaultTimeoutMs, force = false } = {}) {
    const message = makeRequest(method, params, randomUUID());
    const { maxMessageSize = Infinity, maxConcurrentRequests = Infinity } = this.capabilities.limits ?? {};
    const size = Buffer.byteLength(JSON.stringify(message));
    if (!force && size > maxMessageSize) {
      throw new RequestFailure('refused', { reason: `the request of ${size} bytes exceeds maxMessageSize` });
    }
    if (!force && this.pending.size >= maxConcurrentRequests) await new Promise((go) => this.queue.push(go));
    if (this.link.closed) throw new RequestFailure('lost', { reason: 'there is no connection' });
    return this.dispatch(message, timeoutMs);
  }

  dispatch(message, timeoutMs) {
    return new Promise((done, fail) => {
      const timer = setTimeout(() => this.expire(message.id, timeoutMs), timeoutMs);
      const { method, params } = message;
      const outputSchema = method === 'tools/call' ? this.outputSchemas.get(params?.name) : undefined;
      this.pending.set(message.id, { method, params: params ?? {}, outputSchema, done, fail, timer });
      this.link.send(message);
    });
  }

  /** @param {string} id @param {number} timeoutMs */
  expire(id, timeoutMs) {
    const request = this.settle(id);
    this.expired.set(id, request);
    if (this.expired.size > MAX_REMEMBERED) this.expired.delete(this.expired.keys().next().value);
    request.fail(new RequestFailure('timeout', { afterMs: timeoutMs, requestId: id }));
  }

  /** Takes a request out of the pending ones. @param {string} id */
  settle(id) {
    const request = this.pending.get(id);
    this.pending.delete(id);
    clearTimeout(request.timer);
    this.queue.shift()?.();
    return request;
  }

  /** @param {import("../lib/framing.mjs").Frame} frame */
  receive({ headers, body }) {
    if (judgeContentType(headers) !== 'right') {
      const rule = 'transport.md 2.1: the Content-Type header MUST be application/json';
      this.violation({
        level: 'must',
        rule,
        problem: 'missing or other',
        received: headers.get('content-type') ?? null,
      });
    }
    let message;
    try {
      message = decodeJson(body);
    } catch (error) {
      const received = body.subarray(0, 500).toString('latin1');
      return this.violation({ level: 'must', rule: 'transport.md 2.3: UTF-8 JSON', problem: error.message, received });
    }
    const problems = checkMessage(message);
    problems.forEach((problem) => this.violation(problem));
    if (!isObject(message)) return undefined;
    if (message.type === 'response') return this.response(message, problems);
    if (message.type === 'event' && problems.length === 0) return this.event(message);
    return undefined;
  }

  /** A response with a wrong envelope still answers its request. */
  response(message, problems) {
    if (!this.pending.has(message.id)) return this.unknownResponse(message);
    const request = this.settle(message.id);
    const found = problems.length > 0 ? problems : checkResponse(message, request);
    if (problems.length === 0) found.forEach((problem) => this.violation(problem));
    if (Object.hasOwn(message, 'error')) {
      return request.fail(new RequestFailure('error', { error: message.error, requestId: message.id }));
    }
    if (request.method === 'tools/list' && found.length === 0) this.learn(message.result.tools);
    return request.done(message.result);
  }

  /** @param {any} message */
  unknownResponse(message) {
    const request = this.expired.get(message.id);
    const { result, error } = message;
    if (request) {
      this.expired.delete(message.id);
      return this.handlers.report({ report: 'late', method: request.method, requestId: message.id, result, error });
    }
    if (message.id === NIL_UUID && error) return this.handlers.report({ report: 'error', reason: 'unmatched', error });
    const rule = 'gabp.md 8: request-response pairs are matched by id';
    return this.violation({ level: 'must', rule, problem: 'no request with this id is open', received: message });
  }

  /** @param {any[]} tools */
  learn(tools) {
    this.outputSchemas = new Map(tools.map((tool) => [tool.name, tool.outputSchema]));
  }

  /** @param {any} message */
  event(message) {
    if (this.eventIds.add(message.id)) {
      const rule = 'gabp.md 3.1: id is unique for the message';
      this.violation({ level: 'must', rule, problem: 'an event id came twice', received: message.id });
    }
    const context = { expected: this.handlers.expects(message.channel) };
    checkEvent(message, context).forEach((problem) => this.violation(problem));
    this.handlers.event(message);
  }

  /** @param {string} reason */
  end(reason) {
    for (const id of [...this.pending.keys()]) {
      this.settle(id).fail(new RequestFailure('lost', { reason, requestId: id }));
    }
    this.queue.splice(0).forEach((go) => go());
    this.handlers.lost(reason);
  }

  close() {
    this.link.onClose = () => {};
    this.link.close();
    this.handlers = { ...this.handlers, lost: () => {} };
    this.end('closed by the bridge');
  }
}
