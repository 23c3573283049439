/** On Home: the desktops of agents' own, live. The person takes one over, works there by hand, and hands it back. */
import { useCallback, useId, useState, type ReactNode } from 'react';
import { toPlainText, type OwnDesktop } from '../../../main/protocol/index.js';
import type { ViewProps } from '../../app/actions.js';
import { t } from '../../strings.js';
import { useAgentName } from '../../ui/agents.js';
import { Button } from '../../ui/Button.js';
import { Region } from '../../ui/Region.js';
import { ByHand } from './ByHand.js';
import { ScreenOrNotice, useLiveFrame } from '../live/LiveScreen.js';

export function OwnDesktops({ state, actions }: ViewProps): ReactNode {
  const desktops = state.status?.desktops ?? [];
  if (state.role !== 'paired' || desktops.length === 0) return null;
  return (
    <Region id="desktops" heading={t('page.desktops.title')}>
      <ul className="own-desktops">
        {desktops.map((desktop) => (
          <Tile key={desktop.id} desktop={desktop} online={state.connection === 'open'} actions={actions} />
        ))}
      </ul>
    </Region>
  );
}

interface TileProps {
  desktop: OwnDesktop;
  online: boolean;
  actions: ViewProps['actions'];
}

function Tile({ desktop, online, actions }: TileProps): ReactNode {
  const { id, taken } = desktop;
  const [took, setTook] = useState(false);
  const agent = toPlainText(useAgentName()(desktop.agent));
  const { watchDesktop } = actions;
  const watch = useCallback<typeof watchDesktop>((still, show) => watchDesktop(still, show, id), [watchDesktop, id]);
  const live = useLiveFrame(watch, online, null);
  const byHand = taken && took && online;
  const screen = <ScreenOrNotice live={live} alt={t('page.desktops.alt', { agent })} empty={t('page.live.starting')} />;
  return (
    <li className={byHand ? 'own-desktop taken' : 'own-desktop'} data-anchor data-desktop={id}>
      {byHand ? <ByHand id={id} actions={actions} screen={screen} /> : screen}
      <p className="small">{t(taken ? 'page.desktops.taken' : 'page.desktops.of', { agent })}</p>
      {taken ? <HandBack id={id} actions={actions} online={online} /> : null}
      <Acts
        {...{ desktop, online, actions }}
        onTake={byHand ? null : () => setTook(actions.send({ type: 'takeDesktop', id }))}
      />
    </li>
  );
}

function Acts({ desktop, online, actions, onTake }: TileProps & { onTake: (() => void) | null }): ReactNode {
  const { id, kept } = desktop;
  const keep = () => actions.send({ type: 'keepDesktop', id, on: !kept });
  return (
    <div className="acts">
      {onTake === null ? null : (
        <Button variant="sm" icon="hand" disabled={!online} onClick={onTake}>
          {t('page.desktops.take')}
        </Button>
      )}
      <Button variant="sm" icon="lock" disabled={!online} onClick={keep}>
        {t(kept ? 'page.desktops.unkeep' : 'page.desktops.keep')}
      </Button>
      <Button variant="sm" icon="x" disabled={!online} onClick={() => actions.send({ type: 'endDesktop', id })}>
        {t('page.desktops.end')}
      </Button>
    </div>
  );
}

type HandProps = Pick<TileProps, 'actions'> & { id: string };

function HandBack({ id, actions, online }: HandProps & { online: boolean }): ReactNode {
  const [message, setMessage] = useState('');
  const field = useId();
  const handBack = () => actions.send({ type: 'handBack', id, message });
  return (
    <div className="hand-back">
      <label className="small mut" htmlFor={field}>
        {t('page.desktops.message')}
      </label>
      <input
        id={field}
        className="field"
        maxLength={4_000}
        value={message}
        autoComplete="off"
        onChange={(event) => setMessage(event.target.value)}
      />
      <Button variant="sm" icon="check" disabled={!online} onClick={handBack}>
        {t('page.desktops.hand_back')}
      </Button>
    </div>
  );
}
