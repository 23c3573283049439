/** A picture of a desktop, or why there is none. */
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../../strings.js';
import { pictureUrl, Ring } from '../requests/CardPicture.js';
import type { Frame } from '../../../main/protocol/index.js';
import type { WatchDesktop } from '../../net/live-frames.js';

export function ScreenOrNotice({
  live,
  alt,
  empty,
}: {
  live: LiveFrame | null;
  alt: string;
  empty: string;
}): ReactNode {
  if (live?.picture != null) return <LiveScreen live={live} picture={live.picture} alt={alt} />;
  const reason = live?.frame.noFrameReason ?? null;
  return (
    <div className="crop screen none" role="status">
      <p className="small">{reason === null ? empty : t(`page.live.no_frame.${reason}`)}</p>
    </div>
  );
}

// The last frame of the desktop, with the pointer and the window acted on drawn over it.

type Picture = NonNullable<LiveFrame['picture']>;

function LiveScreen({ live, picture, alt }: { live: LiveFrame; picture: Picture; alt: string }): ReactNode {
  const { ring, pointer } = live.frame;
  return (
    <figure className="crop screen">
      <img
        src={pictureUrl(picture)}
        width={picture.width}
        height={picture.height}
        alt={alt}
        draggable={false}
        onLoad={live.onDrawn}
        onError={live.onDrawn}
      />
      {ring === null ? null : <Ring picture={picture} target={ring} />}
      {pointer === null ? null : <Pointer at={pointer} on={picture} />}
    </figure>
  );
}

/** The same size however small the picture is shown. */
function Pointer({ at, on }: { at: { x: number; y: number }; on: Picture }): ReactNode {
  const style = { left: `${(at.x / on.width) * 100}%`, top: `${(at.y / on.height) * 100}%` };
  return (
    <svg className="pointer" viewBox="0 0 14 20" style={style} aria-hidden="true" data-part="pointer">
      <path d="M1 1v15.5l3.7-3.4 2.5 5.6 2.8-1.2-2.5-5.5h5z" />
    </svg>
  );
}

/** Requests frames of the desktop while the view is visible and connected, and keeps the last one. */
interface LiveFrame {
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
