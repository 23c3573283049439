const SWEEP_MS = 500;

/** Runs only while something can expire, and does not keep the process alive. */
export function createTimer(tick: () => void, log: (thrown: unknown) => void, needed: () => boolean) {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const stop = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const run = () => {
    try {
      tick();
      if (!needed()) stop();
    } catch (thrown) {
      log(thrown);
    }
  };
  return {
    arm() {
      if (timer === null && !stopped && needed()) timer = setInterval(run, SWEEP_MS).unref();
    },
    stop() {
      stopped = true;
      stop();
    },
  };
}
