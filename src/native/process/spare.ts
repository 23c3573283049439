import { startSupervisor, type SupervisedCommand, type SupervisorProgram } from './supervisor-client.js';

/** A spare supervisor that is not used, for example because the person denied the command, is ended after this time. */
const SPARE_MS = 5 * 60_000;

/** Starting Node takes longer than most commands, so a supervisor is started while the person reads the request. */
export function createSpareSupervisor(program: SupervisorProgram) {
  let spare: SupervisedCommand | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function remove(): SupervisedCommand | null {
    clearTimeout(timer);
    const found = spare;
    spare = null;
    if (found?.usable() !== false) return found;
    found.release();
    return null;
  }

  return {
    /** Starts one supervisor in advance, unless there is one. */
    prepare(): void {
      if (closed || spare?.usable() === true) return;
      remove()?.release();
      spare = startSupervisor(program);
      timer = setTimeout(() => remove()?.release(), SPARE_MS).unref();
    },
    take: (): SupervisedCommand => remove() ?? startSupervisor(program),
    close(): void {
      closed = true;
      remove()?.release();
    },
  };
}
