/** Notices a helper that hangs while it is asked nothing. */

export interface Heartbeat {
  /** Anything that came from the helper is a sign of life. */
  heard(): void;
  stop(): void;
}

interface HeartbeatOptions {
  /** Has the helper give a sign; one that works in a call gives it after that. */
  ask(): void;
  /** A call runs: it has a limit of its own, however long it takes. */
  busy(): boolean;
  /** Called once. */
  onSilent(): void;
  /** Calls `beat` again and again until it is stopped; tests beat by hand. */
  every?: Every | undefined;
}

export type Every = (beat: () => void) => () => void;

const BEAT_MS = 5000;
/** One may pass while the host itself was held up. */
const MOST_SILENT_BEATS = 2;

const everyBeat: Every = (beat) => {
  const timer = setInterval(beat, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
};

export function createHeartbeat({ ask, busy, onSilent, every = everyBeat }: HeartbeatOptions): Heartbeat {
  let silent = 0;
  let stopped = false;
  const stopBeating = every(() => {
    if (stopped || busy()) return;
    if (silent >= MOST_SILENT_BEATS) {
      stop();
      return onSilent();
    }
    silent++;
    ask();
  });
  function stop(): void {
    stopped = true;
    stopBeating();
  }
  return { heard: () => void (silent = 0), stop };
}
