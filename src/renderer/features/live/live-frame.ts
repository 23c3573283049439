/** Requests frames of the desktop while the view is visible and connected, and keeps the last one. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Frame } from '../../../main/protocol/index.js';
import type { WatchDesktop } from '../../net/live-frames.js';

export interface LiveFrame {
  frame: Frame;
  /** The frame's own, or the one before where it looks the same. */
  picture: Frame['picture'];
  /** Call it once the frame is on the screen; the host sends the next one only then. */
  onDrawn(): void;
}

/** `still` counts the single pictures that were asked for; null: one after the other. */
export function useLiveFrame(look: WatchDesktop, online: boolean, still: number | null): LiveFrame | null {
  const [sight, setSight] = useState<LiveFrame | null>(null);
  const visible = useVisible();
  const wanted = online && (still === null ? visible : still > 0);
  /** The last single picture received; a new connection does not request it again. */
  const came = useRef(0);
  useEffect(() => {
    if (!wanted || still === came.current) return undefined;
    const looking = look(still !== null, (frame) => {
      if (still !== null) came.current = still;
      setSight((before) => ({
        frame,
        picture: frame.held === null ? (frame.picture ?? before?.picture ?? null) : null,
        onDrawn: () => looking.onShown(frame.seq),
      }));
    });
    return () => looking.stop();
  }, [look, wanted, still]);
  useEffect(() => {
    // Without a new picture there is no load event.
    if (sight !== null && sight.frame.picture === null) sight.onDrawn();
  }, [sight]);
  return sight;
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

function useVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}
