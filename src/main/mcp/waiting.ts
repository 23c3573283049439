/** A request that may have to wait for the person: its progress is reported while it does. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Wait } from './backend.js';
import type { CallState } from './results.js';

export async function whileWaiting<T>(
  { mcpReq, http }: ServerContext,
  progressIntervalMs: number,
  work: (wait: Wait) => Promise<T>,
): Promise<T> {
  const { id, signal, _meta, notify } = mcpReq;
  const progress = reportProgress(_meta?.progressToken, progressIntervalMs, (params) => {
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  });
  try {
    return await work({
      id,
      signal,
      onProgress: progress.update,
      ...(http?.req === undefined ? {} : { http: http.req }),
    });
  } finally {
    progress.end();
  }
}

interface ProgressNote {
  progressToken: string | number;
  progress: number;
  message: string;
  [other: string]: unknown;
}

interface ProgressReport {
  update(state: CallState): void;
  end(): void;
}

/** MCP progress, at every change and every interval, with increasing numbers. Only where the client gave a token. */
function reportProgress(
  progressToken: string | number | undefined,
  intervalMs: number,
  send: (note: ProgressNote) => void,
): ProgressReport {
  if (progressToken === undefined) return { update: () => undefined, end: () => undefined };
  let progress = 0;
  let message = 'waiting for Chaperone';
  const sendNext = (): void => {
    progress += 1;
    send({ progressToken, progress, message });
  };
  const timer = setInterval(sendNext, intervalMs);
  return {
    update: (state) => {
      message = `${state.state}: ${state.message}`;
      sendNext();
    },
    end: () => clearInterval(timer),
  };
}
