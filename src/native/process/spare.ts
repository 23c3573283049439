import { startSupervisor } from './supervised.js';
import type { SupervisedCommand, SupervisorProgram } from './supervised.js';

/** A spare that nobody took, for example because the person said no, is ended after this long. */
const SPARE_MS = 5 * 60_000;

export interface SpareSupervisor {
  /** Starts one supervisor ahead, unless there is one. */
  prepare(): void;
  take(): SupervisedCommand;
  close(): void;
}

/** Starting Node takes longer than most commands, and a person takes longer than that: so a supervisor is started while they read. */
export function createSpareSupervisor(program: SupervisorProgram): SpareSupervisor {
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
    prepare() {
      if (closed || spare?.usable() === true) return;
      remove()?.release();
      spare = startSupervisor(program);
      timer = setTimeout(() => remove()?.release(), SPARE_MS).unref();
    },
    take: () => remove() ?? startSupervisor(program),
    close() {
      closed = true;
      remove()?.release();
    },
  };
}
