/** A picture of a desktop, or why there is none. */
import type { ReactNode } from 'react';
import type { LiveFrame } from './live-frame.js';
import { t } from '../../strings.js';
import { pictureUrl, Ring } from '../requests/CardPicture.js';

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
