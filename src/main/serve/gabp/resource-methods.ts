/** GABP's resources and state, answered by calls of tools and from the pictures that were given out. Called by the GABP server. */
import * as z from 'zod';
import { message } from '../../../messages/index.js';
import { GABP_ERRORS, GabpFault } from '../../protocol/gabp.js';
import type { Calls } from '../../calls/index.js';
import { JSON_TYPE, type ListedResource } from '../../calls/resources.js';
import type { Caller } from '../../pipeline/ports.js';
import { globMatches } from './glob.js';
import type { GabpMethod, MethodDependencies } from './method.js';
import { imagesIn } from './output.js';
import { parseParams } from './standard-methods.js';
import { getState, setState, stateSchemas } from './state.js';
import { createToolCaller, type CallTool } from './tool-caller.js';

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
