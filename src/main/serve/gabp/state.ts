/**
 * What the desktop and the conversation are like, as GABP's state. Every component is a call of a tool, so approvals, masking and
 * the record are the tool's. Called by the GABP server.
 */
import * as z from 'zod';
import { isRecord } from '../../../base/is-record.js';
import { message } from '../../../messages/index.js';
import { GABP_ERRORS, GabpFault } from '../../protocol/gabp.js';
import { toWireError } from '../../protocol/errors.js';
import { callOf } from '../../calls/resources.js';
import type { CallTool } from './tool-caller.js';

interface Component {
  /** Read by `state/get` where no components are named. */
  usual: boolean;
  /** Where it can be set. */
  write?: { tool: string; toArguments(value: unknown): Record<string, unknown> };
}

/** Each is the resource of this name. */
const COMPONENTS = new Map<string, Component>([
  ['screens', { usual: true }],
  ['applications', { usual: true }],
  ['windows', { usual: true }],
  ['pointer', { usual: true, write: { tool: 'mouse_move', toArguments: (value) => (isRecord(value) ? value : {}) } }],
  [
    'clipboard',
    {
      usual: false,
      write: {
        tool: 'write_clipboard',
        toArguments: (value) => (isRecord(value) ? value : { type: 'text', text: value }),
      },
    },
  ],
  ['chat', { usual: false }],
]);

const getSchema = z.object({ components: z.array(z.string()).nullish() });
const setSchema = z.object({ updates: z.record(z.string(), z.unknown()) });

/** Reads one after the other. Rejects with the first failure, so that nothing is left out without a word. */
export async function getState(params: z.infer<typeof getSchema>, call: CallTool) {
  const names = params.components ?? [...COMPONENTS].flatMap(([name, { usual }]) => (usual ? [name] : []));
  const tools = new Map(names.map((name) => [name, toolOf(name)]));
  const state: Record<string, unknown> = {};
  for (const [name, tool] of tools) state[name] = await call(tool, {});
  return { state, timestamp: Math.floor(Date.now() / 1000) };
}

/** Sets one after the other; sets nothing if one of the names cannot be set. `errors` has what failed, with the tool's code. */
export async function setState({ updates }: z.infer<typeof setSchema>, call: CallTool) {
  const writable = [...COMPONENTS].flatMap(([name, { write }]) =>
    write === undefined ? [] : [[name, write] as const],
  );
  const writers = new Map(writable);
  const errors = Object.keys(updates).flatMap((field) =>
    writers.has(field) ? [] : [{ field, message: unknownState(field, [...writers.keys()]).message, code: 'unknown' }],
  );
  const applied: Record<string, unknown> = {};
  if (errors.length > 0) return { applied, errors };
  for (const [field, value] of Object.entries(updates)) {
    const writer = writers.get(field);
    if (writer === undefined) continue;
    try {
      applied[field] = await call(writer.tool, writer.toArguments(value));
    } catch (thrown) {
      const { code, message: text, next } = toWireError(thrown);
      errors.push({ field, message: `${text} ${next}`, code });
    }
  }
  return errors.length === 0 ? { applied } : { applied, errors };
}

export const stateSchemas = { get: getSchema, set: setSchema };

function toolOf(name: string): string {
  const found = COMPONENTS.has(name) ? callOf(name) : null;
  if (found === null) throw unknownState(name, [...COMPONENTS.keys()]);
  return found.tool;
}

const unknownState = (name: string, names: readonly string[]) =>
  new GabpFault(
    GABP_ERRORS.invalidParams,
    message('gabp.no_such_state', { name: name.slice(0, 64), names: names.join(', ') }),
  );
