/** The evidence of an execution that has no folder: its line in the audit log. */
import type { ExecutionEnd, RecordedEnd } from './execution.js';
import type { ExecutionFacts } from './audit-entries.js';
import { notStartedError } from './errors.js';
import type { EvidenceWriter, EvidenceWriterOptions } from './evidence-writer.js';
import { endedEntry } from './execution-record.js';

/** Their line may follow the answer. */
const HARMLESS: ReadonlySet<ExecutionFacts['effect']> = new Set(['read', 'bookkeeping']);

export function createLineWriter({
  execution,
  audit,
  now,
  log,
  onEnd,
}: Pick<EvidenceWriterOptions, 'execution' | 'audit' | 'now' | 'log' | 'onEnd'>): EvidenceWriter {
  let ending: Promise<RecordedEnd> | null = null;
  let written: Promise<void> = Promise.resolve();

  async function finishOnce(end: ExecutionEnd): Promise<RecordedEnd> {
    let incomplete = false;
    const entry = endedEntry(execution, end, [], false);
    const mayFollow = HARMLESS.has(execution.effect) && audit.isWritable();
    written = (mayFollow ? audit.appendDeferred(entry) : audit.append(entry)).then(
      (seq) => onEnd({ seq, entry, picture: null }),
      (error: unknown) => {
        incomplete = true;
        log.warn({ executionId: execution.executionId, reason: String(error) }, 'evidence is incomplete');
        onEnd({ seq: null, entry, picture: null });
      },
    );
    if (!mayFollow) await written;
    return { incomplete, unrecorded: null, kept: [] };
  }

  return {
    dir: null,
    write: () => Promise.resolve(),
    lost: () => undefined,
    trace: () => undefined,
    async started() {
      await audit.append({ kind: 'started', at: now().toISOString(), execution, files: [] }).catch((error: unknown) => {
        throw notStartedError(error);
      });
    },
    finish(end) {
      ending ??= finishOnce(end);
      return ending;
    },
    async release() {
      await ending;
      await written;
    },
  };
}
