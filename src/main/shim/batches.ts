/** JSON-RPC batches, which only MCP 2025-03-26 has: split into their messages, and answered in one line once each request has its answer. */

export type Id = string | number;

export interface Batches {
  /** Whether the session's version takes batches. */
  readonly supported: boolean;
  /** Must be called with the negotiated protocol version. */
  setVersion(version: string): void;
  /** Opens a batch with these requests and the error answers to its invalid messages. Answered at once where it has no requests. */
  open(ids: readonly Id[], answers: readonly object[]): void;
  /** Whether a batch waits for the answer to this request. */
  isPending(id: Id): boolean;
  /** True where the answer belongs to a batch and goes out with it. */
  addAnswer(id: Id, answer: object): boolean;
  /** No answer will come for this request. */
  forget(id: Id): void;
}

const BATCH_PROTOCOL_VERSION = '2025-03-26';

interface Batch {
  pending: Set<Id>;
  answers: object[];
}

export function createBatches(write: (answers: readonly object[]) => void): Batches {
  const open = new Map<Id, Batch>();
  let supported = false;

  function settle(id: Id, answer: object | null): boolean {
    const batch = open.get(id);
    if (batch === undefined) return false;
    open.delete(id);
    batch.pending.delete(id);
    if (answer !== null) batch.answers.push(answer);
    finish(batch);
    return true;
  }

  function finish({ pending, answers }: Batch): void {
    if (pending.size === 0 && answers.length > 0) write(answers);
  }

  return {
    get supported() {
      return supported;
    },
    setVersion(version) {
      supported = version === BATCH_PROTOCOL_VERSION;
    },
    open(ids, answers) {
      const batch: Batch = { pending: new Set(ids), answers: [...answers] };
      for (const id of ids) open.set(id, batch);
      finish(batch);
    },
    isPending: (id) => open.has(id),
    addAnswer: (id, answer) => settle(id, answer),
    forget: (id) => void settle(id, null),
  };
}
