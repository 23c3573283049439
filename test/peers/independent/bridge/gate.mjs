/** The execution gate (gabp.md 4.7; attention-and-execution-gating-architecture.md 9.1). */

/** What may be asked while blocking attention is open. */
const ALLOWED = [/^session\//, /^attention\//, /^events\//, /^tools\/list$/, /^resources\/list$/];

export class AttentionGate {
  constructor() {
    /** @type {any} the current item as far as the bridge knows */
    this.current = null;
  }

  clear() {
    this.current = null;
  }

  /** @param {any} item an item or null, as a method told it */
  note(item) {
    this.current = item;
  }

  /** An event can not hide a blocking item behind one that does not block. @param {string} channel @param {any} item */
  noteEvent(channel, item) {
    const same = this.current?.attentionId === item?.attentionId;
    if (channel === 'attention/cleared') {
      if (same) this.current = null;
    } else if (same || !this.current || (item?.blocking && !this.current.blocking)) {
      this.current = item;
    }
  }

  /** @param {string} method @returns {any} the blocking item or null */
  blocks(method) {
    if (!this.current?.blocking || ALLOWED.some((pattern) => pattern.test(method))) return null;
    const { attentionId, severity, summary, stateInvalidated } = this.current;
    return { attentionId, severity, summary, stateInvalidated };
  }
}
