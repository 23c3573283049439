import { message } from '../../messages/index.js';
import { createCallers } from '../agents/caller.js';
import { VERSION } from '../protocol/version.js';
import type { HttpDoor } from '../serve/http/index.js';
import type { HostParts } from './build.js';
import type { Closers } from './closers.js';
import type { HostContext } from './control.js';
import { callersWith } from './demo-runner.js';
import type { ServedPages } from './pages.js';

/** MCP over HTTP; null where it was not asked for. Its code is loaded only then. */
export async function openHttpWhereAsked(
  { options, processes, openDoors }: HostContext,
  { calls, agents, toolDeps, apps, health }: HostParts,
  { url, demo }: Pick<ServedPages, 'url' | 'demo'>,
  closers: Closers,
): Promise<Pick<HttpDoor, 'url' | 'tokenFile'> | null> {
  const { http, paths, log, httpLimits = {} } = options;
  if (http === undefined) return null;
  const { openHttpDoor } = await import('../serve/http/index.js');
  const door = await openHttpDoor({
    services: {
      calls,
      agents,
      onObservation: toolDeps.observations.onEvent,
      onToolsChanged: apps.onToolsChanged,
      onAppNews: apps.onNews,
    },
    processes,
    makeCaller: demo === null ? createCallers({ processes }) : callersWith(demo, processes),
    port: http,
    stateFolder: paths.state,
    url,
    version: VERSION,
    log,
    ...httpLimits,
  });
  closers.add(door.close);
  openDoors.push(message('health.http_door', { url: door.url }));
  await health.refresh();
  return { url: door.url, tokenFile: door.tokenFile };
}
