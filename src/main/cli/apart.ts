import { isUnconfirmed, startApart, type StartSystem } from '../host/start-apart.js';
import { message } from '../../messages/index.js';
import { Failure } from './failure.js';
import { END_SIGNALS } from './process-end.js';

/** Resolves with the exit code of a program of Electron's; signals are passed on. Rejects where it would not answer for itself. */
export async function runApart(argv: [string, ...string[]], system: StartSystem = {}): Promise<number> {
  try {
    const { pid, started, exited } = startApart(argv, system);
    await started;
    for (const signal of END_SIGNALS) process.on(signal, () => process.kill(pid, signal));
    const { exitCode } = await exited;
    return exitCode ?? 0;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Failure(message(isUnconfirmed(thrown) ? 'cli.app.not_apart' : 'cli.app.not_started', { why }));
  }
}
