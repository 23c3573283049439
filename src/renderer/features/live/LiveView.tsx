/** The desktop for the person to watch: live for a private desktop, a single picture for the screen in front of them. */
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/Button.js';
import { CurrentActions } from '../agents/CurrentActions.js';
import { Icon } from '../../ui/Icon.js';
import { ViewHeader } from '../../ui/Region.js';
import { useLiveFrame, ScreenOrNotice } from './LiveScreen.js';
import { clockTime } from '../../ui/formats.js';
import { t } from '../../strings.js';
import type { ViewProps, Actions } from '../../app/actions.js';
import type { PageState } from '../../state/state.js';

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

/** Stops what acts on the desktop and pauses all agents. Disabled while they are paused. */
export function TakeOverButton({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const disabled = state.connection !== 'open' || state.status.paused !== null;
  return (
    <Button
      variant="sm"
      icon="hand"
      disabled={disabled}
      title={t('page.agents.take_over_text')}
      onClick={() => actions.send({ type: 'takeOver' })}
    >
      {t('page.agents.take_over')}
    </Button>
  );
}
