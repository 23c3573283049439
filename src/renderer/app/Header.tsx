/** The bar on top: name, state, agents and Stop. Stop never moves and is never anything else. */
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { toPlainText } from '../../main/protocol/index.js';
import type { Actions } from './actions.js';
import { AgentInitials, agentName } from '../ui/agents.js';
import { TaskChips } from '../features/home/RunningTasks.js';
import { hrefOf, type ViewRoute } from './route.js';
import { t } from '../strings.js';
import type { PageState } from '../state/state.js';
import { Button } from '../ui/Button.js';
import { Chip } from '../ui/Chip.js';
import { Icon, type IconName } from '../ui/Icon.js';
import { RevealedText } from '../ui/RevealedText.js';
import type { ViewName } from './views.js';
import { inField } from './keyboard-shortcuts.js';

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
  if (agents.length === 0) return <span className="no-agents">{t('page.no_agents')}</span>;
  return (
    <ul className="agents" aria-label={t('page.connected_agents')}>
      {agents.map((agent) => (
        <li key={agent.id} title={toPlainText(agentName(agent))}>
          <AgentInitials initials={agent.tile} />
          <span className="name">
            <RevealedText text={agentName(agent)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

// Links between the views: a row under the header, and in the popover a fixed row at the bottom.

interface NavigationProps {
  id: string;
  items: readonly ViewName[];
  current: ViewRoute['view'];
  /** Things about this installation that need the person. */
  issues: number;
}

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

// The page's keys, shown by `?`.

const STOP = navigator.platform.startsWith('Mac') ? '⌃ ⌥ ⌘ .' : 'Ctrl Alt Super .';
const ROWS = [
  ['J K', 'page.keys.step'],
  ['E', 'page.keys.exact'],
  ['D', 'page.keys.deny'],
  ['A', 'page.keys.allow'],
  ['R', 'page.keys.reply'],
  ['Esc', 'page.keys.leave'],
  [STOP, 'page.keys.stop'],
  ['?', 'page.keys.help'],
] as const;

export function KeyHelp(): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !inField(event.target) && dialog.current?.open === false) dialog.current.showModal();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <dialog ref={dialog} className="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">{t('page.keys.heading')}</h2>
      <dl>
        {ROWS.map(([keys, code]) => (
          <div key={code}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(code)}</dd>
          </div>
        ))}
      </dl>
      <Button variant="sm" onClick={() => dialog.current?.close()}>
        {t('page.keys.close')}
      </Button>
    </dialog>
  );
}
