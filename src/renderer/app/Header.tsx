/** The bar on top: name, state, agents and Stop. Stop never moves and is never anything else. */
import type { MouseEvent, ReactNode } from 'react';
import { toPlainText } from '../../main/protocol/index.js';
import type { Actions } from './actions.js';
import { AgentInitials, useAgentName } from '../ui/agents.js';
import { TaskChips } from '../features/home/RunningTasks.js';
import { hrefOf, type ViewRoute } from './route.js';
import { t } from '../strings.js';
import type { PageState } from '../state/state.js';
import { Button } from '../ui/Button.js';
import { Icon, type IconName } from '../ui/Icon.js';
import { RevealedText } from '../ui/RevealedText.js';
import type { ViewName } from './views.js';
import { scrollToWaiting, WAITING_HREF } from '../features/requests/out-of-view.js';
import { chipState, waitingCount, type ChipState, waitingFor } from '../state/select.js';

interface Props {
  state: PageState;
  /** The other views have a heading of their own. */
  home: boolean;
  actions: Pick<Actions, 'send'>;
}

export function Header({ state, home, actions }: Props): ReactNode {
  const offline = state.connection !== 'open';
  const paused = state.status.state === 'paused';
  const hint = offline ? t('page.stop_offline') : paused ? t('page.stopped_already') : t('page.stop_hint');
  const Brand = home ? 'h1' : 'div';
  return (
    <header className="top">
      <a className="skip" href="#main" onClick={skip}>
        {home ? t('page.skip') : t('page.skip_view')}
      </a>
      <div className="top-in">
        <Brand className="brand">
          <a href={hrefOf({ view: 'home' })} aria-label="Chaperone">
            <Icon name="mark" />
            <span className="name">Chaperone</span>
          </a>
        </Brand>
        <Chip state={state} />
        <TaskChips state={state} actions={actions} />
        <div className="end">
          {state.role === 'paired' ? <Agents agents={state.status.agents} /> : null}
          <Button
            icon="stop"
            variant="sm stop"
            disabled={offline || paused}
            title={hint}
            onClick={() => actions.send({ type: 'pause', on: true })}
          >
            {t('page.stop')}
          </Button>
        </div>
      </div>
    </header>
  );
}

/** Moves the focus without changing the address, which names the view. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Agents({ agents }: { agents: PageState['status']['agents'] }): ReactNode {
  const nameOf = useAgentName();
  if (agents.length === 0) return <span className="no-agents">{t('page.no_agents')}</span>;
  return (
    <ul className="agents" aria-label={t('page.connected_agents')}>
      {agents.map((agent) => (
        <li key={agent.id} title={toPlainText(nameOf(agent))}>
          <AgentInitials agent={agent} />
          <span className="name">
            <RevealedText text={nameOf(agent)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface NavigationProps {
  id: string;
  items: readonly ViewName[];
  current: ViewRoute['view'];
  /** Things about this installation that need the person. */
  issues: number;
}

/** Links between the views: a row under the header, and in the popover a fixed row at the bottom. */
export function Navigation({ id, items, current, issues }: NavigationProps): ReactNode {
  const troubled = items.includes('health') ? 'health' : 'settings';
  return (
    <nav className="nav" id={id} aria-label={t('page.views.label')}>
      <ul>
        {items.map((view) => (
          <li key={view}>
            <a href={hrefOf({ view })} aria-current={isCurrent(view, current) ? 'page' : undefined}>
              {t(`page.views.${view}`)}
              {view === troubled && issues > 0 ? <Issues count={issues} /> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Issues({ count }: { count: number }): ReactNode {
  return (
    <>
      <span className="count num" aria-hidden="true">
        {count}
      </span>
      <span className="vh">{t('page.views.issues', { count })}</span>
    </>
  );
}

interface FootProps {
  items: readonly ViewName[];
  current: ViewRoute['view'];
  actions: Pick<Actions, 'send'>;
}

const ICONS: readonly [view: ViewName, icon: IconName][] = [
  ['activity', 'clock'],
  ['settings', 'settings'],
];

export function PopoverFoot({ items, current, actions }: FootProps): ReactNode {
  return (
    <nav className="pop-f" id="views" aria-label={t('page.views.foot')}>
      <Button variant="quiet" icon="external" onClick={() => actions.send({ type: 'openBrowser' })}>
        {t('page.views.open_browser')}
      </Button>
      <span className="end">
        {ICONS.filter(([view]) => items.includes(view)).map(([view, icon]) => {
          const on = isCurrent(view, current);
          return (
            <a
              key={view}
              className="btn quiet icon"
              href={hrefOf({ view: on ? 'home' : view })}
              aria-current={on ? 'page' : undefined}
              aria-label={t(`page.views.${view}`)}
              title={t(`page.views.${view}`)}
            >
              <Icon name={icon} />
            </a>
          );
        })}
      </span>
    </nav>
  );
}

/** The evidence of an action belongs to the activity view. */
function isCurrent(view: ViewName, current: ViewRoute['view']): boolean {
  return view === (current === 'evidence' ? 'activity' : current);
}

const STATE_ICONS: Record<ChipState, { icon: IconName; tone: string }> = {
  connecting: { icon: 'refresh', tone: '' },
  watching: { icon: 'eye', tone: '' },
  acting: { icon: 'click', tone: 'c-act' },
  waiting: { icon: 'hand', tone: 'c-wait' },
  paused: { icon: 'pause', tone: '' },
  held: { icon: 'hand', tone: '' },
  chat_only: { icon: 'lock', tone: '' },
  lost: { icon: 'unplug', tone: 'c-danger' },
};

/** Not announced to screen readers: these change with every action, or the announcer says them already. */
const NOT_ANNOUNCED: ReadonlySet<ChipState> = new Set(['watching', 'acting', 'waiting']);

/** One word for what is going on. When something waits it is a link to the oldest. */
function Chip({ state }: { state: PageState }): ReactNode {
  const now = chipState(state);
  const { icon, tone } = STATE_ICONS[now];
  const showOldest = (event: MouseEvent) => {
    const [oldest] = waitingFor(state);
    if (oldest !== undefined && scrollToWaiting(oldest, true)) event.preventDefault();
  };
  return (
    <span role="status" aria-live={NOT_ANNOUNCED.has(now) ? 'off' : 'polite'} className="chip-slot">
      {now === 'waiting' ? (
        <a className={`chip ${tone}`} href={WAITING_HREF} onClick={showOldest}>
          <Icon name={icon} />
          <WaitingCount count={waitingCount(state)} />
        </a>
      ) : (
        <span className={`chip ${tone}`}>
          <Icon name={icon} />
          <span>{t(`page.chip.${now}`)}</span>
        </span>
      )}
    </span>
  );
}

function WaitingCount({ count }: { count: number }): ReactNode {
  return (
    <span className="num">
      {t('page.chip.waiting')}
      <span className="lg">{t('page.chip.waiting_more')}</span> {count}
    </span>
  );
}
