/** The code of a program that SIGPIPE ended, as `cat` and `git` are. */
const EXIT_CODE = 141;

/** Ends this process without a word once what it prints has no reader (`chaperone tools | head -1`). Returns how to stop that. */
export function endWithReader(): () => void {
  const streams = [process.stdout, process.stderr];
  const end = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT_CODE);
  };
  for (const stream of streams) stream.on('error', end);
  return () => streams.forEach((stream) => stream.off('error', end));
}
