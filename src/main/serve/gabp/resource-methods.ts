/** GABP's resources and state, answered by calls of tools and from the pictures that were given out. Called by the GABP server. */
import * as z from 'zod';
import { message } from '../../../messages/index.js';
import { GABP_ERRORS, GabpFault } from '../../protocol/gabp.js';
import type { Calls } from '../../calls/index.js';
import type { Caller } from '../../pipeline/ports.js';
import { globMatches } from './glob.js';
import type { GabpMethod, MethodDependencies } from './method.js';
import { parseParams } from './standard-methods.js';
import { getState, listStateResources, readStateResource, setState, stateSchemas } from './state.js';
import { createToolCaller } from './tool-caller.js';

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
        const read = toolCaller(
          request,
          onWritten,
          async (call) => (await readStateResource(uri, call)) ?? readImage(calls, caller(), uri),
        );
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

function listResources(calls: Calls, caller: Caller, { pattern, namespace }: z.infer<typeof listSchema>) {
  return [...listStateResources(), ...calls.resources(caller)]
    .filter(({ uri }) => !namespace || uri.startsWith(`gabp://${namespace}/`))
    .filter(({ uri }) => !pattern || globMatches(pattern, uri));
}

function readImage(calls: Calls, caller: Caller, uri: string) {
  const found = calls.readResource(caller, uri);
  if (found === null)
    throw new GabpFault(GABP_ERRORS.resourceNotFound, message('gabp.no_such_resource', { uri: uri.slice(0, 256) }));
  return { content: found.base64, mimeType: found.mimeType, encoding: 'base64' };
}
