/** Frames of desktops for the live view and the tiles on Home. They do not go through the store, because nothing else needs them. */
import type { Frame, FromPage } from '../../main/protocol/index.js';

interface DesktopWatch {
  /** Acknowledges a frame that is on the screen; the host then sends the next one. */
  onShown(seq: number): void;
  stop(): void;
}

/** `still`: one frame and no more. `desktop`: the id of an agent's own; left out: the one that the host shows. */
export type WatchDesktop = (still: boolean, show: (frame: Frame) => void, desktop?: string) => DesktopWatch;

export function createFrameReceiver(send: (message: FromPage) => boolean): {
  watch: WatchDesktop;
  take(frame: Frame): void;
} {
  const shown = new Map<string | undefined, (frame: Frame) => void>();
  return {
    watch(still, show, desktop) {
      const of = desktop === undefined ? {} : { desktop };
      shown.set(desktop, show);
      send({ type: 'live', on: true, still, ...of });
      return {
        onShown: (seq) => void (shown.get(desktop) === show && send({ type: 'frameTaken', seq, ...of })),
        stop() {
          if (shown.get(desktop) !== show) return;
          shown.delete(desktop);
          send({ type: 'live', on: false, ...of });
        },
      };
    },
    take: (frame) => shown.get(frame.desktop)?.(frame),
  };
}
