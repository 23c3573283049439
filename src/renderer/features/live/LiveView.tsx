/** The desktop for the person to watch: live for a private desktop, a single picture for the screen in front of them. */
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/Button.js';
import { CurrentActions } from '../agents/CurrentActions.js';
import { Icon } from '../../ui/Icon.js';
import { TakeOverButton } from './TakeOverButton.js';
import { ViewHeader } from '../../ui/ViewHeader.js';
import { useLiveFrame, type LiveFrame } from './live-frame.js';
import { clockTime } from '../../ui/time.js';
import { t } from '../../strings.js';
import type { ViewProps } from '../../app/props.js';
import { pictureUrl, Ring } from '../requests/CardPicture.js';

export function LiveView({ state, actions }: ViewProps): ReactNode {
  const online = state.connection === 'open';
  const screen = state.health?.screen ?? 'real';
  return (
    <>
      <ViewHeader title={t('page.views.live')}>
        <TakeOverButton state={state} actions={actions} />
      </ViewHeader>
      <CurrentActions agents={state.status.agents} />
      {screen === 'real' ? (
        <SinglePicture watch={actions.watchDesktop} online={online} />
      ) : (
        <MovingPicture watch={actions.watchDesktop} online={online} text={t(`page.live.${screen}`)} />
      )}
    </>
  );
}

type WatchDesktop = ViewProps['actions']['watchDesktop'];

function MovingPicture({ watch, online, text }: { watch: WatchDesktop; online: boolean; text: string }): ReactNode {
  const live = useLiveFrame(watch, online, null);
  return (
    <div className="region">
      <ScreenOrNotice live={live} alt={t('page.live.alt')} empty={t('page.live.starting')} />
      <p className="small mut">{online ? text : t('page.live.offline')}</p>
    </div>
  );
}

function SinglePicture({ watch, online }: { watch: WatchDesktop; online: boolean }): ReactNode {
  const [requests, setRequests] = useState(0);
  const live = useLiveFrame(watch, online, requests);
  const time = live === null ? '' : clockTime(live.frame.at);
  return (
    <div className="region">
      <div className="panel panel-b explain">
        <Icon name="eye" tone="k-read" />
        <div className="part">
          <h2 className="h4">{t('page.live.real')}</h2>
          <p className="small mut">{t('page.live.real_text')}</p>
          <div className="acts">
            <Button variant="sm" icon="image" disabled={!online} onClick={() => setRequests(requests + 1)}>
              {requests === 0 ? t('page.live.take') : t('page.live.again')}
            </Button>
          </div>
        </div>
      </div>
      {requests === 0 ? null : (
        <ScreenOrNotice live={live} alt={t('page.live.alt_still', { time })} empty={t('page.live.starting')} />
      )}
      {live === null ? null : <p className="small mut">{t('page.live.taken_at', { time })}</p>}
    </div>
  );
}

function ScreenOrNotice({ live, alt, empty }: { live: LiveFrame | null; alt: string; empty: string }): ReactNode {
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
