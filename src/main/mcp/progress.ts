import type { CallState } from './results.js';

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
export function reportProgress(
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
