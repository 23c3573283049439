/** The GABP applications: the state of each, its log, and what it wants seen. Not shown where no file names any. */
import { type ReactNode, useState } from 'react';
import type { ShownGabpApp } from '../../../main/protocol/index.js';
import type { ViewProps } from '../../app/actions.js';
import { say, t } from '../../strings.js';
import { ActionRow } from '../../ui/rows.js';
import { Button, FoldButton } from '../../ui/Button.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { Region } from '../../ui/Region.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { CutText } from '../requests/CardHead.js';
import type { Ask } from '../../net/host-questions.js';
import { useLoaded } from '../../ui/loaded.js';
import { clockTime } from '../../ui/formats.js';

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
      onPress={() => actions.send({ type: stopped ? 'startApp' : 'stopApp', name })}
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
          onSeen={() => actions.send({ type: 'acknowledgeApp', name, attentionId: attention.id })}
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

// What an application and its connection wrote last, read when the person opens it.

interface Props {
  name: string;
  /** It is read again when this changes. */
  refreshKey: string;
  /** null while nothing can be asked. */
  ask: Ask | null;
}

function AppLog(props: Props): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <div className="detail app-log">
      <FoldButton open={open} label={t('page.apps.log')} onToggle={() => setOpen(!open)} />
      {open ? <Lines {...props} /> : null}
    </div>
  );
}

function Lines({ name, refreshKey, ask }: Props): ReactNode {
  const [turn, setTurn] = useState(0);
  const loaded = useLoaded(ask === null ? null : () => ask('appLog', { name }), name, `${refreshKey} ${turn}`);
  return (
    <>
      {loaded.state === 'failed' ? (
        <p className="small bad" role="status">
          <RevealedText text={loaded.message} />
        </p>
      ) : null}
      {loaded.state === 'done' && loaded.value.lines.length === 0 ? <p>{t('page.apps.log_empty')}</p> : null}
      {loaded.state === 'done' && loaded.value.lines.length > 0 ? (
        <ol tabIndex={0} aria-label={t('page.apps.log_of', { app: name })}>
          {loaded.value.lines.map(({ at, text }, index) => (
            <li key={index}>
              <time className="num">{clockTime(at)}</time> <RevealedText text={text} />
            </li>
          ))}
        </ol>
      ) : null}
      <Button variant="sm" icon="refresh" disabled={ask === null} onClick={() => setTurn(turn + 1)}>
        {t('page.apps.log_again')}
      </Button>
    </>
  );
}
