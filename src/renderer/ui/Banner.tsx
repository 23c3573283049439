/** At most one: no connection, then what went wrong, then what keeps agents from the desktop, then one agent's pause, then an unattended policy. */
import type { ReactNode } from 'react';
import type { Actions } from '../app/actions.js';
import { toPlainText } from '../../main/protocol/index.js';
import { hrefOf } from '../app/route.js';
import { clockTime, useNow } from './formats.js';
import type { PageState } from '../state/state.js';
import { useAgentName } from './agents.js';
import { say, t } from '../strings.js';
import { Button } from './Button.js';
import { Icon, type IconName } from './Icon.js';
import { CommandText, SentenceText } from './commands.js';

export function Banner({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  if (state.connection === 'lost') return <ConnectionLost retryAt={state.retryAt} onRetry={actions.retryNow} />;
  if (state.notice !== null) return <NoticeBanner text={state.notice.message} onDismiss={actions.dismissNotice} />;
  if (state.status.state === 'paused')
    return <Paused state={state} onResume={() => actions.send({ type: 'pause', on: false })} />;
  const attention = state.status.attention ?? null;
  if (attention !== null) return <Attention condition={attention.condition} />;
  const pausedAgent = state.status.agents.find(({ paused }) => paused !== null && paused !== undefined);
  if (pausedAgent?.paused)
    return (
      <AgentPaused
        agent={pausedAgent}
        paused={pausedAgent.paused}
        onResume={(id, on) => actions.send({ type: 'pauseAgent', id, on })}
      />
    );
  if (state.policy?.preset !== 'unattended') return null;
  return (
    <BannerFrame tone="danger" icon="alert" title={t('page.banner.unattended')}>
      {t('page.banner.unattended_text')}
    </BannerFrame>
  );
}

function ConnectionLost({ retryAt, onRetry }: { retryAt: number | null; onRetry(): void }): ReactNode {
  const now = useNow();
  const seconds = retryAt === null ? 0 : Math.max(0, Math.ceil((retryAt - now) / 1000));
  const action = (
    <Button icon="refresh" variant="sm" onClick={onRetry}>
      {t('page.banner.try_now')}
    </Button>
  );
  return (
    <BannerFrame tone="danger" icon="unplug" title={t('page.banner.lost')} role="alert" action={action}>
      {t('page.banner.lost_text')}
      {t('page.marks.space')}
      {t('page.banner.lost_stop')} <CommandText text="chaperone stop" />
      {t('page.marks.stop')}
      <span className="num" aria-live="off">
        {t('page.banner.again', { seconds })}
      </span>
    </BannerFrame>
  );
}

function NoticeBanner({ text, onDismiss }: { text: string; onDismiss(): void }): ReactNode {
  const action = (
    <Button variant="sm" onClick={onDismiss}>
      {t('page.banner.dismiss')}
    </Button>
  );
  return (
    <BannerFrame tone="wait" icon="alert" title={t('page.banner.notice')} role="alert" action={action}>
      <SentenceText text={text} />
    </BannerFrame>
  );
}

function Paused({ state, onResume }: { state: PageState; onResume(): void }): ReactNode {
  const { paused } = state.status;
  const paired = state.role === 'paired';
  const action = paired ? (
    <Button icon="play" variant="sm" onClick={onResume}>
      {t('page.banner.resume')}
    </Button>
  ) : null;
  return (
    <BannerFrame tone="wait" icon="pause" title={t('page.banner.paused')} role="status" action={action}>
      {paused === null ? null : <PauseReason paused={paused} />}
      {paired ? null : ` ${t('page.banner.resume_elsewhere')}`}
    </BannerFrame>
  );
}

/** A condition, other than a pause, that keeps agents from the desktop. */
function Attention({
  condition,
}: {
  condition: NonNullable<PageState['status']['attention']>['condition'];
}): ReactNode {
  const isLost = condition === 'display_lost';
  const action =
    condition === 'permission' ? (
      <a className="btn sm" href={hrefOf({ view: 'health' })}>
        {t('page.views.health')}
      </a>
    ) : null;
  return (
    <BannerFrame
      tone={isLost ? 'danger' : 'wait'}
      icon={isLost ? 'unplug' : condition === 'locked' ? 'lock' : 'hand'}
      title={t(`page.attention.${condition}.title`)}
      role="status"
      action={action}
    >
      {t(`page.attention.${condition}.text`)}
    </BannerFrame>
  );
}

interface AgentPausedProps {
  agent: { id: string; name: string };
  paused: NonNullable<PageState['status']['paused']>;
  onResume(id: string, on: boolean): void;
}

function AgentPaused({ agent, paused, onResume }: AgentPausedProps): ReactNode {
  const name = toPlainText(useAgentName()(agent));
  const action = (
    <Button
      icon="play"
      variant="sm"
      aria-label={t('page.agents.resume_one', { agent: name })}
      onClick={() => onResume(agent.id, false)}
    >
      {t('page.banner.resume')}
    </Button>
  );
  return (
    <BannerFrame
      tone="wait"
      icon="pause"
      title={t('page.agents.paused_one', { agent: name })}
      role="status"
      action={action}
    >
      <PauseReason paused={paused} />
    </BannerFrame>
  );
}

export function PauseReason({ paused }: { paused: NonNullable<PageState['status']['paused']> }): ReactNode {
  return (
    <>
      <SentenceText text={say(paused.reason)} />
      {t('page.marks.space')}
      {t('page.banner.since', { time: clockTime(paused.at) })}
    </>
  );
}

interface FrameProps {
  tone: string;
  icon: IconName;
  title: string;
  role?: string;
  action?: ReactNode;
  children: ReactNode;
}

export function BannerFrame({ tone, icon, title, role, action = null, children }: FrameProps): ReactNode {
  return (
    <div className={`banner ${tone}`} role={role} data-anchor>
      <Icon name={icon} />
      <div>
        <b>{title}</b>
        <span>{children}</span>
      </div>
      {action === null ? null : <div className="do">{action}</div>}
    </div>
  );
}
