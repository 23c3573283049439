import type { Progress } from '../../calls/types.js';

/** Most calls have been answered by then, and a message wakes a process. */
const RUNNING_DELAY_MS = 50;

/**
 * Sends the progress of one call while `work` runs. What it waits for is sent at once; that it runs, and its latest step, only if it
 * still runs after 50 ms.
 */
export async function withProgress<T>(
  send: (progress: Progress) => void,
  work: (onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  let running: Progress | null = null;
  let timer: NodeJS.Timeout | null = null;

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function sendRunning(): void {
    timer = null;
    if (running !== null) send(running);
  }

  try {
    return await work((progress) => {
      running = progress.state === 'running' ? progress : null;
      if (running !== null) timer ??= setTimeout(sendRunning, RUNNING_DELAY_MS);
      else {
        stop();
        send(progress);
      }
    });
  } finally {
    stop();
  }
}
