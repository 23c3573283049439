/**
 * What the desktop and the conversation are like, as GABP's resources and state. Every one is a call of a tool, so approvals, masking and
 * the record are the tool's. Called by the GABP server.
 */
import * as z from 'zod';
import { isRecord } from '../../../base/is-record.js';
import { message } from '../../../messages/index.js';
import { GABP_ERRORS, GabpFault } from '../../protocol/gabp.js';
import { toWireError } from '../../protocol/errors.js';
import type { CallTool } from './tool-caller.js';

interface Component {
  tool: string;
  description: string;
  /** Read by `state/get` where no components are named. */
  usual: boolean;
  /** Where it can be set. */
  write?: { tool: string; toArguments(value: unknown): Record<string, unknown> };
}

const COMPONENTS = new Map<string, Component>([
  ['screens', { tool: 'list_displays', description: 'Displays, with frames in points', usual: true }],
  ['applications', { tool: 'list_applications', description: 'Applications that run', usual: true }],
  ['windows', { tool: 'list_windows', description: 'Windows, topmost first', usual: true }],
  [
    'pointer',
    {
      tool: 'cursor_position',
      description: 'Where the pointer is',
      usual: true,
      write: { tool: 'mouse_move', toArguments: (value) => (isRecord(value) ? value : {}) },
    },
  ],
  [
    'clipboard',
    {
      tool: 'get_clipboard',
      description: 'What is on the clipboard',
      usual: false,
      write: {
        tool: 'write_clipboard',
        toArguments: (value) => (isRecord(value) ? value : { type: 'text', text: value }),
      },
    },
  ],
  ['chat', { tool: 'check_replies', description: 'Replies of the person that wait for you', usual: false }],
]);

const URI = 'gabp://chaperone/';
const getSchema = z.object({ components: z.array(z.string()).nullish() });
const setSchema = z.object({ updates: z.record(z.string(), z.unknown()) });

export const listStateResources = () =>
  [...COMPONENTS].map(([name, { description }]) => ({
    uri: `${URI}${name}`,
    name,
    description,
    mimeType: 'application/json',
  }));

/** Null where the address is none of these. */
export async function readStateResource(uri: string, call: CallTool) {
  const found = uri.startsWith(URI) ? COMPONENTS.get(uri.slice(URI.length)) : undefined;
  if (found === undefined) return null;
  return { content: await call(found.tool, {}), mimeType: 'application/json', encoding: 'utf-8' };
}

/** Reads one after the other. Rejects with the first failure, so that nothing is left out without a word. */
export async function getState(params: z.infer<typeof getSchema>, call: CallTool) {
  const names = params.components ?? [...COMPONENTS].flatMap(([name, { usual }]) => (usual ? [name] : []));
  for (const name of names) componentOf(name, [...COMPONENTS.keys()]);
  const state: Record<string, unknown> = {};
  for (const name of new Set(names)) state[name] = await call(componentOf(name, names).tool, {});
  return { state, timestamp: Math.floor(Date.now() / 1000) };
}

/** Sets one after the other; with a name that cannot be set, nothing is. What failed is in `errors`, with the tool's code. */
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

function componentOf(name: string, names: readonly string[]): Component {
  const found = COMPONENTS.get(name);
  if (found === undefined) throw unknownState(name, names);
  return found;
}

const unknownState = (name: string, names: readonly string[]) =>
  new GabpFault(
    GABP_ERRORS.invalidParams,
    message('gabp.no_such_state', { name: name.slice(0, 64), names: names.join(', ') }),
  );
