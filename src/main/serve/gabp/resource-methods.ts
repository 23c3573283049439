/** GABP's resources and state, answered by calls of tools and from the pictures that were given out. Called by the GABP server. */
import * as z from 'zod';
import { message } from '../../../messages/index.js';
import { GABP_ERRORS, GabpFault } from '../../protocol/gabp.js';
import type { Calls } from '../../calls/index.js';
import { JSON_TYPE, type ListedResource, callOf } from '../../calls/resources.js';
import type { Caller } from '../../approvals/request.js';
import { globMatches, type GabpMethod, type MethodDependencies } from './method.js';
import { imagesIn, createToolCaller, type CallTool } from './tool-caller.js';
import { parseParams } from './standard-methods.js';
import { isRecord } from '../../../base/type-guards.js';
import { toWireError } from '../../protocol/errors.js';

// What the desktop and the conversation are like, as GABP's state. Every component is a call of a tool, so approvals, masking and
// the record are the tool's. Called by the GABP server.

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
async function getState(params: z.infer<typeof getSchema>, call: CallTool) {
  const names = params.components ?? [...COMPONENTS].flatMap(([name, { usual }]) => (usual ? [name] : []));
  const tools = new Map(names.map((name) => [name, toolOf(name)]));
  const state: Record<string, unknown> = {};
  for (const [name, tool] of tools) state[name] = await call(tool, {});
  return { state, timestamp: Math.floor(Date.now() / 1000) };
}

/** Sets one after the other; sets nothing if one of the names cannot be set. `errors` has what failed, with the tool's code. */
async function setState({ updates }: z.infer<typeof setSchema>, call: CallTool) {
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

const stateSchemas = { get: getSchema, set: setSchema };

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

const URI = 'gabp://chaperone/';
const listSchema = z.object({ pattern: z.string().nullish(), namespace: z.string().nullish() });
const uriSchema = z.object({ uri: z.string() });

export function resourceMethods(dependencies: MethodDependencies): Map<string, GabpMethod> {
  const { calls, connectionCalls, caller } = dependencies;
  const toolCaller = createToolCaller(dependencies);
  return new Map<string, GabpMethod>([
    ['resources/list', (params) => ({ resources: listResources(calls, caller(), parseParams(listSchema, params)) })],
    [
      'resources/read',
      (params, request, onWritten) => {
        const { uri } = parseParams(uriSchema, params);
        const read = toolCaller(request, onWritten, (call) => readResource(calls, caller(), uri, call));
        return connectionCalls.run(request, read);
      },
    ],
    [
      'state/get',
      (params, request, onWritten) => {
        const given = parseParams(stateSchemas.get, params);
        return connectionCalls.run(
          request,
          toolCaller(request, onWritten, (call) => getState(given, call)),
        );
      },
    ],
    [
      'state/set',
      (params, request, onWritten) => {
        const given = parseParams(stateSchemas.set, params);
        return connectionCalls.run(
          request,
          toolCaller(request, onWritten, (call) => setState(given, call)),
        );
      },
    ],
  ]);
}

/** As addresses of this protocol. */
export const resourceUris = (resources: readonly ListedResource[]) =>
  resources.map(({ path, title: _title, ...shown }) => ({ uri: `${URI}${path}`, ...shown }));

function listResources(calls: Calls, caller: Caller, { pattern, namespace }: z.infer<typeof listSchema>) {
  return resourceUris(calls.resources(caller))
    .filter(({ uri }) => !namespace || uri.startsWith(`gabp://${namespace}/`))
    .filter(({ uri }) => !pattern || globMatches(pattern, uri));
}

async function readResource(calls: Calls, caller: Caller, uri: string, call: CallTool) {
  const target = uri.startsWith(URI) ? calls.resource(caller, uri.slice(URI.length)) : null;
  if (target === null)
    throw new GabpFault(GABP_ERRORS.resourceNotFound, message('gabp.no_such_resource', { uri: uri.slice(0, 256) }));
  const { mimeType } = target;
  if (target.kind === 'content') return { content: target.base64, mimeType, encoding: 'base64' };
  const content = await call(target.tool, target.arguments);
  const [image] = mimeType === JSON_TYPE ? [] : imagesIn(content);
  const picture = image === undefined ? null : pictureAt(calls, caller, image);
  return picture ?? { content, mimeType: JSON_TYPE, encoding: 'utf-8' };
}

/** null where it is no longer kept. */
function pictureAt(calls: Calls, caller: Caller, { uri, mimeType }: { uri: string; mimeType: string }) {
  const given = uri.startsWith(URI) ? calls.resource(caller, uri.slice(URI.length)) : null;
  const base64 = given?.kind === 'content' ? given.base64 : DATA.exec(uri)?.[1];
  return base64 === undefined ? null : { content: base64, mimeType, encoding: 'base64' };
}

const DATA = /^data:[^;,]*;base64,(.*)$/;
