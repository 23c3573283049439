/** Attention items (gabp.md 4.6 and 4.7, SCHEMA/1.0/common/attention.schema.json). */
import { randomUUID } from 'node:crypto';

const ORDER = ['info', 'warning', 'error', 'fatal'];
const MAX_SAMPLES = 5;
const MAX_DIAGNOSTICS = 500;

/** @typedef {{sequence: number, level: string, message: string}} Entry */

/** The diagnostics plane: a numbered, bounded log. */
export class Diagnostics {
  constructor() {
    /** @type {Entry[]} */
    this.entries = [];
    this.next = 0;
  }

  /** @param {string} level @param {string} message @returns {Entry} */
  add(level, message) {
    const entry = { sequence: this.next++, level, message };
    this.entries.push(entry);
    if (this.entries.length > MAX_DIAGNOSTICS) this.entries.shift();
    return entry;
  }
}

/** The open items; the oldest blocking one is the current one, otherwise the oldest. */
export class Attention {
  /** @param {(channel: string, payload: unknown) => void} emit @param {Diagnostics} diagnostics */
  constructor(emit, diagnostics) {
    this.emit = emit;
    this.diagnostics = diagnostics;
    /** @type {Map<string, any>} open items by id, in the order of opening */
    this.items = new Map();
  }

  current() {
    const open = [...this.items.values()];
    const item = open.find((candidate) => candidate.blocking) ?? open[0];
    return item ? structuredClone(item) : null;
  }

  /**
   * @param {{level: string, message: string, blocking: boolean, stateInvalidated: boolean,
   *   summary: string, operationId?: string, method?: string}} cause
   * @returns {string} the id of the item
   */
  open(cause) {
    const { sequence } = this.diagnostics.add(cause.level, cause.message);
    const item = {
      attentionId: `attn_${randomUUID()}`,
      state: 'open',
      severity: cause.level,
      blocking: cause.blocking,
      stateInvalidated: cause.stateInvalidated,
      summary: cause.summary,
      ...(cause.operationId && { causalOperationId: cause.operationId }),
      ...(cause.method && { causalMethod: cause.method }),
      openedAtSequence: sequence,
      latestSequence: sequence,
      diagnosticsCursor: sequence,
      totalUrgentEntries: 1,
      sample: [{ level: cause.level, message: cause.message, repeatCount: 1, latestSequence: sequence }],
    };
    this.items.set(item.attentionId, item);
    this.emit('attention/opened', structuredClone(item));
    return item.attentionId;
  }

  /**
   * @param {string} id
   * @param {{level: string, message: string, blocking: boolean, stateInvalidated: boolean, summary: string}} change
   */
  update(id, change) {
    const item = this.items.get(id);
    if (!item) return;
    const { sequence } = this.diagnostics.add(change.level, change.message);
    if (ORDER.indexOf(change.level) > ORDER.indexOf(item.severity)) item.severity = change.level;
    item.blocking = change.blocking;
    item.stateInvalidated ||= change.stateInvalidated;
    item.summary = change.summary;
    item.latestSequence = sequence;
    item.diagnosticsCursor = sequence;
    item.totalUrgentEntries += 1;
    this.addSample(item, change, sequence);
    this.emit('attention/updated', structuredClone(item));
  }

  addSample(item, change, sequence) {
    const known = item.sample.find((entry) => entry.level === change.level && entry.message === change.message);
    if (known) {
      known.repeatCount += 1;
      known.latestSequence = sequence;
    } else if (item.sample.length < MAX_SAMPLES) {
      item.sample.push({ level: change.level, message: change.message, repeatCount: 1, latestSequence: sequence });
    }
  }

  /**
   * @param {string} id @param {string} summary
   * @returns {(() => void) | null} sends the event; null when no such item is open
   */
  clear(id, summary) {
    const item = this.items.get(id);
    if (!item) return null;
    this.items.delete(id);
    const cleared = { ...item, state: 'cleared', blocking: false, summary };
    return () => this.emit('attention/cleared', cleared);
  }
}
