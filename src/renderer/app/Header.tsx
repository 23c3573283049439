/** The bar on top: name, state, agents and Stop. Stop never moves and is never anything else. */
import type { MouseEvent, ReactNode } from 'react';
import { toPlainText } from '../../main/protocol/index.js';
import type { Actions } from './actions.js';
import { AgentInitials, agentName } from '../ui/agents.js';
import { TaskChips } from '../features/home/RunningTasks.js';
import { hrefOf } from './route.js';
import { t } from '../strings.js';
import type { PageState } from '../state/state.js';
import { Button } from '../ui/Button.js';
import { Chip } from '../ui/Chip.js';
import { Icon } from '../ui/Icon.js';
import { RevealedText } from '../ui/RevealedText.js';

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
