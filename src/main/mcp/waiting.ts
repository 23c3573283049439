/** A request that may have to wait for the person: its progress is reported while it does. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Wait } from './backend.js';
import { reportProgress } from './progress.js';

/** `quiet`: nothing is reported, whatever the client asked for. */
export async function whileWaiting<T>(
  { mcpReq, http }: ServerContext,
  { progressIntervalMs, quiet = false }: { progressIntervalMs: number; quiet?: boolean },
  work: (wait: Wait) => Promise<T>,
): Promise<T> {
  const { signal, _meta, notify } = mcpReq;
  const token = quiet ? undefined : _meta?.progressToken;
  const progress = reportProgress(token, progressIntervalMs, (params) => {
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  });
  try {
    const from = http?.req === undefined ? {} : { http: { request: http.req, id: mcpReq.id } };
    return await work({ signal, onProgress: progress.update, ...from });
  } finally {
    progress.end();
  }
}
