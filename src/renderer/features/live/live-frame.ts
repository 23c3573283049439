/** Looks at the desktop while the view is in sight and connected, and keeps what it showed last. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Frame } from '../../../main/protocol/index.js';
import type { WatchDesktop } from '../../net/live-frames.js';

export interface LiveFrame {
  frame: Frame;
  /** The frame's own, or the one before where it looks the same. */
  picture: Frame['picture'];
  /** Call it once the frame is on the screen: the next one comes only then. */
  onDrawn(): void;
}

/** `still` counts the single pictures that were asked for; null: one after the other. */
export function useLiveFrame(look: WatchDesktop, online: boolean, still: number | null): LiveFrame | null {
  const [sight, setSight] = useState<LiveFrame | null>(null);
  const visible = useVisible();
  const wanted = online && (still === null ? visible : still > 0);
  /** The single picture that came last: a new connection takes no other one. */
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
    // Nothing will load that could tell of it.
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
