/** What ends a command that runs until its starter is gone. */

export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first signal, or when stdin has ended. Needs somebody who reads stdin. */
export function stdinOrSignalEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of END_SIGNALS) process.once(signal, () => resolve());
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve());
  });
}
