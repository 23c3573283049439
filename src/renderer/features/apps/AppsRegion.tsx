/** The GABP applications: the state of each, its log, and what it wants seen. Not shown where no file names any. */
import type { ReactNode } from 'react';
import type { ShownGabpApp } from '../../../main/protocol/index.js';
import type { ViewProps } from '../../app/props.js';
import { say, t } from '../../strings.js';
import { ActionRow } from '../../ui/ActionRow.js';
import { Button } from '../../ui/Button.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { Region } from '../../ui/Region.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { CutText } from '../requests/CardHead.js';
import { AppLog } from './AppLog.js';

/** `onlyAttention`: only those that refuse calls until the person has seen something. */
export function AppsRegion({ state, actions, onlyAttention = false }: ViewProps & { onlyAttention?: boolean }) {
  const { apps, fault } = state.gabpApps;
  const shown = onlyAttention ? apps.filter(({ attention }) => attention !== null) : apps;
  const shownFault = onlyAttention ? null : fault;
  if (state.role !== 'paired' || (shown.length === 0 && shownFault === null)) return null;
  return (
    <Region id="apps" heading={t('page.apps.title')}>
      {onlyAttention ? null : <p className="small mut">{t('page.apps.text')}</p>}
      {shownFault === null ? null : (
        <p className="small bad">
          <RevealedText text={say(shownFault)} />
        </p>
      )}
      {shown.length === 0 ? null : (
        <ul className="list">
          {shown.map((app) => (
            <Row key={app.name} app={app} online={state.connection === 'open'} actions={actions} />
          ))}
        </ul>
      )}
    </Region>
  );
}

interface RowProps {
  app: ShownGabpApp;
  online: boolean;
  actions: ViewProps['actions'];
}

const LONG_PLACE = 300;

function Row({ app, online, actions }: RowProps): ReactNode {
  const { name, state, attention, confirmed, claim, place } = app;
  const stopped = state === 'stopped';
  return (
    <ActionRow
      id={`app-${name}`}
      icon="window"
      name={name}
      action={stopped || state === 'asking' ? t('page.apps.start') : t('page.apps.stop')}
      disabled={!online || state === 'asking'}
      onPress={() => (stopped ? actions.startApp(name) : actions.stopApp(name))}
    >
      <State app={app} />
      {claim === null ? null : (
        <p className="detail">
          <RevealedText text={t('page.apps.claim', { name: claim })} />
        </p>
      )}
      <p className="detail app-place">
        <CutText text={place} most={LONG_PLACE} />
      </p>
      {confirmed ? null : <p className="detail">{t('page.apps.unconfirmed')}</p>}
      {app.start === 'auto' ? <p className="detail">{t('page.apps.auto')}</p> : null}
      {attention === null ? null : (
        <Attention
          summary={attention.summary}
          online={online}
          onSeen={() => actions.acknowledgeApp(name, attention.id)}
        />
      )}
      {app.hasLog ? <AppLog name={name} refreshKey={state} ask={online ? actions.ask : null} /> : null}
    </ActionRow>
  );
}

const LOOKS: Readonly<Record<ShownGabpApp['state'], { icon: IconName; tone: string }>> = {
  asking: { icon: 'alert', tone: 'wait' },
  starting: { icon: 'clock', tone: '' },
  connected: { icon: 'success', tone: 'ok' },
  waiting: { icon: 'unplug', tone: 'wait' },
  stopped: { icon: 'minus', tone: '' },
};

function State({ app: { state, tools } }: Pick<RowProps, 'app'>): ReactNode {
  const { icon, tone } = LOOKS[state];
  return (
    <p className="detail app-state">
      <span className={`out wrap ${tone}`}>
        <Icon name={icon} />
        {t(`page.apps.states.${state}`)}
      </span>
      {state === 'connected' ? <span>{t('page.apps.tools', { tools })}</span> : null}
    </p>
  );
}

function Attention(props: { summary: string; online: boolean; onSeen(): void }): ReactNode {
  return (
    <div className="fix app-attention">
      <p>
        <b>{t('page.apps.attention')}</b>
      </p>
      <p>
        <RevealedText text={t('apps.says', { text: props.summary })} />
      </p>
      <Button variant="sm" icon="eye" disabled={!props.online} onClick={props.onSeen}>
        {t('page.apps.acknowledge')}
      </Button>
    </div>
  );
}
