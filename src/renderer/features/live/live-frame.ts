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

/** `stillCount`: how many single pictures were asked for so far; null: the live desktop. */
export function useLiveFrame(watch: WatchDesktop, online: boolean, stillCount: number | null): LiveFrame | null {
  const [live, setLive] = useState<LiveFrame | null>(null);
  const visible = useVisible();
  const wanted = online && (stillCount === null ? visible : stillCount > 0);
  /** The last single picture received; a new connection does not request it again. */
  const received = useRef(0);
  useEffect(() => {
    if (!wanted || stillCount === received.current) return undefined;
    const watching = watch(stillCount !== null, (frame) => {
      if (stillCount !== null) received.current = stillCount;
      setLive((before) => ({
        frame,
        picture: frame.noFrameReason === null ? (frame.picture ?? before?.picture ?? null) : null,
        onDrawn: () => watching.onShown(frame.seq),
      }));
    });
    return () => watching.stop();
  }, [watch, wanted, stillCount]);
  useEffect(() => {
    // Without a new picture there is no load event.
    if (live !== null && live.frame.picture === null) live.onDrawn();
  }, [live]);
  return live;
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

function useVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}
