/** Carries out the orders and keeps what outlives a connection: subscriptions, sequences, attention. */
import { glob } from '../lib/names.mjs';
import { Backoff, sleep } from './backoff.mjs';
import { AttentionGate } from './gate.mjs';
import { Sequences } from './sequences.mjs';
import { RequestFailure, Session } from './session.mjs';
import { FindWay, LaunchWay } from './ways.mjs';

const ATTENTION_CHANNELS = ['attention/opened', 'attention/updated', 'attention/cleared'];
const AUTH_FAILED = -32101;

/** @param {any} options @param {(report: object) => void} report */
function makeWay(options, report) {
  if (options.way === 'find') return new FindWay(options, report);
  const transport = options.way === 'stdio' ? 'stdio' : options.transport;
  return new LaunchWay({ ...options, transport }, report);
}

export class Controller {
  /** @param {any} options see bridge.mjs @param {(report: object) => void} report */
  constructor(options, report) {
    this.options = options;
    this.report = report;
    this.way = makeWay(options, report);
    this.gate = new AttentionGate();
    this.sequences = new Sequences();
    /** @type {Set<string>} */
    this.subscribed = new Set();
    /** @type {Set<string>} channels and patterns asked for, but not yet answered */
    this.asked = new Set();
    /** @type {Session | null} */
    this.session = null;
    this.agentId = null;
    this.wanted = false;
    this.opening = false;
  }

  /** Launches or finds, then connects. */
  async connect() {
    if (this.session || this.opening)
      throw new RequestFailure('refused', { reason: 'already connected or connecting' });
    this.wanted = true;
    if (this.way.isGone) await this.way.start();
    await this.open({ resumed: false });
  }

  /** @param {{resumed: boolean}} how */
  async open({ resumed }) {
    const backoff = new Backoff(this.options.backoff);
    this.opening = true;
    try {
      for (;;) {
        const failure = await this.tryOnce(resumed);
        if (!failure) return;
        if (!this.worthRetrying(failure, backoff)) throw failure;
        const waitMs = backoff.next();
        this.report({ report: 'retry', attempt: backoff.attempt, waitMs, reason: describe(failure) });
        await sleep(waitMs);
        if (!this.wanted) throw new RequestFailure('refused', { reason: 'given up by order' });
      }
    } finally {
      this.opening = false;
    }
  }

  /** @param {Error} failure @param {Backoff} backoff */
  worthRetrying(failure, backoff) {
    if (!this.wanted || this.way.isGone || backoff.attempt >= this.options.maxAttempts) return false;
    const rejected = failure instanceof RequestFailure && failure.details.error?.code === AUTH_FAILED;
    return !rejected || this.way.mayRetryAuthentication;
  }

  /** @param {boolean} resumed @returns {Promise<Error | null>} */
  async tryOnce(resumed) {
    let session = null;
    try {
      const link = await this.way.open();
      session = this.makeSession(link);
      const welcome = await session.hello(this.way.token, this.way.launchId);
      this.session = session;
      await this.welcomed(welcome, resumed);
      return null;
    } catch (error) {
      session?.close();
      this.session = null;
      return error;
    }
  }

  /** @param {import("./link.mjs").Link} link */
  makeSession(link) {
    const session = new Session(link, {
      report: this.report,
      expects: (channel) => this.expects(channel),
      event: (message) => this.event(message),
      lost: (reason) => this.lost(session, reason),
    });
    return session;
  }

  /** @param {any} welcome @param {boolean} resumed */
  async welcomed(welcome, resumed) {
    const sameInstance = welcome.agentId === this.agentId;
    if (!sameInstance) this.sequences.reset();
    this.agentId = welcome.agentId;
    this.report({ report: 'welcome', gameId: this.options.gameId, resumed, sameInstance, welcome });
    const channels = new Set(this.subscribed);
    this.subscribed.clear();
    if (this.options.attention) {
      const offered = this.session.capabilities.events ?? [];
      ATTENTION_CHANNELS.filter((channel) => offered.includes(channel)).forEach((channel) => channels.add(channel));
    }
    if (channels.size > 0 && this.session.offers('events/subscribe')) {
      const result = await this.subscribe([...channels]);
      this.report({ report: 'resubscribed', channels: result.subscribed });
    }
    if (this.options.attention) await this.lookAtAttention();
  }

  /** Attention events may have been missed: there is no replay, so the current item is asked for. */
  async lookAtAttention() {
    this.gate.clear();
    if (!this.session.offers('attention/current')) return;
    const { attention } = await this.session.request('attention/current', {});
    this.gate.note(attention);
    this.report({ report: 'attention', current: attention });
  }

  /** @param {string} channel */
  expects(channel) {
    return this.subscribed.has(channel) || [...this.asked].some((pattern) => glob(pattern)(channel));
  }

  /** @param {any} message */
  event(message) {
    const { channel, seq, payload, id, timestamp } = message;
    const finding = this.sequences.note(channel, seq);
    if (finding?.kind === 'repeat') {
      const rule = 'SCHEMA/1.0/events/README.md: seq increments by 1 for each event in its channel';
      this.report({ report: 'violation', level: 'must', rule, problem: finding, received: { channel, seq } });
    } else if (finding) {
      const { kind, ...rest } = finding;
      this.report({ report: 'gap', kind, ...rest });
    }
    if (channel.startsWith('attention/')) this.gate.noteEvent(channel, payload);
    this.report({ report: 'event', channel, seq, payload, id, ...(timestamp && { timestamp }) });
  }

  /** @param {Session} session @param {string} reason */
  lost(session, reason) {
    if (session !== this.session) return;
    this.session = null;
    this.sequences.interrupt();
    // The end of a child is told a moment after the end of its streams.
    setTimeout(
      () => {
        const again = this.wanted && this.options.autoReconnect && !this.way.isGone && this.options.way !== 'stdio';
        this.report({ report: 'lost', reason, reconnecting: again });
        if (again && !this.session && !this.opening)
          this.open({ resumed: true }).catch((error) =>
            this.report({ report: 'error', order: 'reconnect', ...describe(error) }),
          );
      },
      this.options.way === 'find' ? 0 : 100,
    );
  }

  /** @param {{method: string, params?: object, timeoutMs?: number, force?: boolean}} order */
  async request({ method, params, timeoutMs, force = false }) {
    if (typeof method !== 'string') throw new RequestFailure('refused', { reason: 'method must be a string' });
    const session = this.connected();
    if (!force && !session.offers(method)) {
      throw new RequestFailure('refused', { reason: 'the application does not offer this method', method });
    }
    const blocked = force ? null : this.gate.blocks(method);
    if (blocked)
      throw new RequestFailure('refused', { reason: 'blocked by attention', executed: false, attention: blocked });
    return session.request(method, params, { timeoutMs, force });
  }

  connected() {
    if (!this.session) throw new RequestFailure('refused', { reason: 'not connected' });
    return this.session;
  }

  /** @param {string[]} channels @param {number} [timeoutMs] */
  async subscribe(channels, timeoutMs) {
    const session = this.connected();
    channels.forEach((channel) => this.asked.add(channel));
    try {
      const result = await session.request('events/subscribe', { channels }, { timeoutMs });
      const names = Array.isArray(result?.subscribed) ? result.subscribed : [];
      names.forEach((channel) => this.subscribed.add(channel));
      return result;
    } finally {
      channels.forEach((channel) => this.asked.delete(channel));
    }
  }

  /** @param {string[]} channels @param {number} [timeoutMs] */
  async unsubscribe(channels, timeoutMs) {
    const result = await this.connected().request('events/unsubscribe', { channels }, { timeoutMs });
    for (const channel of Array.isArray(result?.unsubscribed) ? result.unsubscribed : []) {
      this.subscribed.delete(channel);
      this.sequences.interrupt(channel);
    }
    return result;
  }

  /** @param {string} [attentionId] the current one when not given */
  async acknowledge(attentionId = this.gate.current?.attentionId) {
    if (!attentionId) throw new RequestFailure('refused', { reason: 'no attention item is known' });
    const result = await this.request({ method: 'attention/ack', params: { attentionId } });
    this.gate.note(result?.currentAttention ?? null);
    return result;
  }

  disconnect() {
    this.wanted = false;
    const { session } = this;
    this.session = null;
    this.sequences.interrupt();
    session?.close();
  }

  async reconnect() {
    this.disconnect();
    while (this.opening) await sleep(20);
    // Over stdio the application ends with its connection; it has to be launched again.
    for (let turn = 0; this.options.way === 'stdio' && !this.way.isGone && turn < 250; turn += 1) await sleep(20);
    this.wanted = true;
    if (this.way.isGone) await this.way.start();
    await this.open({ resumed: true });
  }

  kill() {
    this.wanted = false;
    this.way.kill();
  }

  async finish() {
    this.disconnect();
    this.way.kill();
    this.way.cleanUp();
    for (let turn = 0; !this.way.isGone && this.options.way !== 'find' && turn < 200; turn += 1) await sleep(20);
  }
}

/** @param {unknown} error */
export function describe(error) {
  if (error instanceof RequestFailure) return { reason: error.kind, ...describeDetails(error) };
  return { reason: 'failed', message: error?.message ?? String(error) };
}

/** @param {RequestFailure} failure */
function describeDetails({ details }) {
  const { reason, ...rest } = details;
  return reason === undefined ? rest : { message: reason, ...rest };
}
