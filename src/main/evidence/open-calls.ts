/** Calls that have begun and not ended, and those that were acting when a host ended. */
import * as z from 'zod';
import { executionSchema, fileSchema, type AuditEntry } from './audit-entries.js';
import type { KnownFolder } from './recorded-folder.js';
import { linePositionSchema, type LinePosition } from './scan-log.js';

const openCallSchema = z.object({
  execution: executionSchema,
  started: z.boolean(),
  /** Of its start; of its beginning where it has none. */
  at: z.string(),
  /** The line of its start. */
  line: linePositionSchema.nullable(),
  files: z.array(fileSchema),
});
type OpenCall = z.infer<typeof openCallSchema>;

const interruptedSchema = z.object({ callId: z.string(), executionId: z.string(), startedAt: z.string() });

export const callsStateSchema = z.object({ open: z.array(openCallSchema), interrupted: z.array(interruptedSchema) });
export type CallsState = z.infer<typeof callsStateSchema>;
export const NO_CALLS: CallsState = { open: [], interrupted: [] };

export interface OpenCalls {
  apply(entry: AuditEntry, place: LinePosition): void;
  find(executionId: string): OpenCall | null;
  /** Its folder, while it has not ended. */
  folder(executionId: string): KnownFolder | null;
  unended(): OpenCall[];
  /** By call id: calls that had started when the host ended. */
  interrupted(callId: string): { executionId: string; startedAt: string } | null;
  snapshot(): CallsState;
}

export function createOpenCalls(known: CallsState = NO_CALLS): OpenCalls {
  const open = new Map(known.open.map((call) => [call.execution.executionId, call]));
  // All of them, however many: one that was forgotten could be done a second time.
  const interrupted = new Map(known.interrupted.map((call) => [call.callId, call]));

  return {
    apply(entry, place) {
      if (entry.kind === 'begun' || entry.kind === 'started') {
        const { execution, at } = entry;
        const { executionId } = execution;
        if (entry.kind === 'begun') open.set(executionId, { execution, started: false, at, line: null, files: [] });
        else open.set(executionId, { execution, started: true, at, line: place, files: entry.files });
      } else if (entry.kind === 'ended') open.delete(entry.execution.executionId);
      else if (entry.kind === 'abandoned') {
        const { executionId, callId, since } = entry.execution;
        const startedAt = open.get(executionId)?.at ?? since;
        open.delete(executionId);
        if (entry.started) interrupted.set(callId, { callId, executionId, startedAt });
      }
    },
    find: (executionId) => open.get(executionId) ?? null,
    folder(executionId) {
      const { execution, files } = open.get(executionId) ?? {};
      if (execution === undefined || execution.dir === null) return null;
      return { execution, dir: execution.dir, state: 'open', files: files ?? [] };
    },
    unended: () => [...open.values()],
    interrupted(callId) {
      const found = interrupted.get(callId);
      return found === undefined ? null : { executionId: found.executionId, startedAt: found.startedAt };
    },
    snapshot: () => ({ open: [...open.values()], interrupted: [...interrupted.values()] }),
  };
}
