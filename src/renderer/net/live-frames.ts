/** Frames of the desktop for the live view. They do not go through the store, because nothing else needs them. */
import type { Frame, FromPage } from '../../main/protocol/index.js';

interface DesktopWatch {
  /** Acknowledges a frame that is on the screen; the host then sends the next one. */
  onShown(seq: number): void;
  stop(): void;
}

/** `still`: one frame and no more. */
export type WatchDesktop = (still: boolean, show: (frame: Frame) => void) => DesktopWatch;

export function createFrameReceiver(send: (message: FromPage) => boolean): {
  watch: WatchDesktop;
  take(frame: Frame): void;
} {
  let shown: ((frame: Frame) => void) | null = null;
  return {
    watch(still, show) {
      shown = show;
      send({ type: 'live', on: true, still });
      return {
        onShown: (seq) => void (shown === show && send({ type: 'frameTaken', seq })),
        stop() {
          if (shown !== show) return;
          shown = null;
          send({ type: 'live', on: false });
        },
      };
    },
    take: (frame) => shown?.(frame),
  };
}
