/** The connected agents: what each does and may do, and controls to pause it. */
import { type ReactNode, useState } from 'react';
import { AppsRegion } from '../apps/AppsRegion.js';
import { Button, FoldButton } from '../../ui/Button.js';
import { TakeOverButton } from '../live/LiveView.js';
import { ViewHeader } from '../../ui/Region.js';
import { t } from '../../strings.js';
import type { ViewProps, Actions } from '../../app/actions.js';
import {
  MAX_AGENT_NAME_LENGTH,
  type Status,
  toPlainText,
  type ConnectedAgent,
  type Grant,
  type OwnDesktop,
} from '../../../main/protocol/index.js';
import { AgentIdentity, MessageText } from '../requests/CardExact.js';
import { CutText, AskerName } from '../requests/CardHead.js';
import { AgentInitials, useAgentName } from '../../ui/agents.js';
import { PauseReason } from '../../ui/Banner.js';
import { message } from '../../../messages/index.js';
import { clockTime } from '../../ui/formats.js';
import type { PageState } from '../../state/state.js';
import { RenameAgent } from './RenameAgent.js';
import { WriteToAgent } from './WriteToAgent.js';
import { AgentAllowances } from './AgentAllowances.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { CurrentAction } from './CurrentActions.js';
import { Icon, type IconName } from '../../ui/Icon.js';

export function AgentsView({ state, actions }: ViewProps): ReactNode {
  const { agents, away = [], paused } = state.status;
  const online = state.connection === 'open';
  return (
    <>
      <ViewHeader title={t('page.views.agents')}>
        <Button
          variant="sm"
          icon="pause"
          disabled={!online || paused !== null}
          onClick={() => actions.send({ type: 'pause', on: true })}
        >
          {t('page.agents.pause_all')}
        </Button>
        <TakeOverButton state={state} actions={actions} />
      </ViewHeader>
      {agents.length + away.length === 0 ? (
        <div className="panel panel-b part">
          <h2 className="h4">{t('page.agents.none')}</h2>
          <p className="small mut">{t('page.agents.none_text')}</p>
        </div>
      ) : (
        <div className="region">
          <p className="small mut">{t('page.agents.take_over_text')}</p>
          {agents.map((agent) => (
            <AgentCard key={agent.id} agent={agent} state={state} actions={actions} />
          ))}
          {away.map((one) => (
            <AwayAgent key={one.id} away={one} online={online} actions={actions} />
          ))}
        </div>
      )}
      <AppsRegion state={state} actions={actions} />
    </>
  );
}

// A paused agent that is not connected. Its pause stays, and can be lifted here.

type Away = NonNullable<Status['away']>[number];

function AwayAgent({ away, online, actions }: { away: Away; online: boolean; actions: Actions }): ReactNode {
  const { id, agent, paused } = away;
  const [open, setOpen] = useState(false);
  const nameOf = useAgentName();
  const name = agent === null ? t('page.agents.someone') : nameOf(agent);
  return (
    <article className="panel panel-b agent" aria-labelledby={`agent-${id}`} data-anchor>
      <div className="agent-h">
        {agent === null ? null : <AgentInitials agent={agent} />}
        <h2 className="h4" id={`agent-${id}`}>
          <CutText text={name} most={MAX_AGENT_NAME_LENGTH} />
        </h2>
        <AgentState state="paused" />
        <PauseButton
          id={id}
          name={name}
          paused
          online={online}
          onPause={(agent, on) => actions.send({ type: 'pauseAgent', id: agent, on })}
        />
      </div>
      <p className="small">
        <PauseReason paused={paused} />
      </p>
      <p className="small mut">{t('page.agents.away')}</p>
      {agent === null ? null : <FoldButton open={open} label={t('page.agents.who')} onToggle={() => setOpen(!open)} />}
      {agent !== null && open ? <AgentIdentity agent={agent} heading={null} /> : null}
    </article>
  );
}

// One connected agent. Its name of itself is a claim; all else comes from the operating system.

const STATE_ICONS: Record<ConnectedAgent['state'], { icon: IconName; tone: string }> = {
  idle: { icon: 'eye', tone: '' },
  acting: { icon: 'click', tone: 'c-act' },
  waiting: { icon: 'hand', tone: 'c-wait' },
  paused: { icon: 'pause', tone: '' },
};

interface Props {
  agent: ConnectedAgent;
  state: PageState;
  actions: Actions;
}

function AgentCard({ agent, state, actions }: Props): ReactNode {
  const [open, setOpen] = useState(false);
  const nameOf = useAgentName();
  const { paused = null } = agent;
  return (
    <article className="panel panel-b agent" aria-labelledby={`agent-${agent.id}`} data-anchor>
      <div className="agent-h">
        <AgentInitials agent={agent} />
        <h2 className="h4" id={`agent-${agent.id}`}>
          <AskerName agent={agent} />
        </h2>
        <AgentState state={state.status.paused === null ? agent.state : 'paused'} />
        <PauseButton
          id={agent.id}
          name={nameOf(agent)}
          paused={agent.state === 'paused'}
          online={state.connection === 'open'}
          onPause={(agent, on) => actions.send({ type: 'pauseAgent', id: agent, on })}
        />
      </div>
      <Origin agent={agent} />
      <OwnDesktopLine agent={agent} desktops={state.status.desktops ?? []} />
      {paused === null ? null : (
        <p className="small">
          <PauseReason paused={paused} />
        </p>
      )}
      <AgentActions
        agent={agent}
        online={state.connection === 'open'}
        onAbort={(executionId) => actions.send({ type: 'abort', executionId })}
      />
      <WriteToAgent agent={agent} state={state} actions={actions} />
      <RenameAgent agent={agent} online={state.connection === 'open'} actions={actions} />
      <AgentAllowances agent={agent} grants={grantsOf(agent, state.grants)} state={state} actions={actions} />
      <FoldButton open={open} label={t('page.agents.who')} onToggle={() => setOpen(!open)} />
      {open ? <AgentIdentity agent={agent} heading={null} /> : null}
    </article>
  );
}

/** Said only of a desktop of its own: all others share the one that Live shows. */
function OwnDesktopLine({ agent, desktops }: { agent: ConnectedAgent; desktops: readonly OwnDesktop[] }): ReactNode {
  const nameOf = useAgentName();
  const own = desktops.find((one) => one.agent.id === agent.id);
  if (own === undefined) return null;
  const text = t(own.taken ? 'page.desktops.taken' : 'page.desktops.of', { agent: nameOf(agent) });
  return (
    <p className="small">
      <RevealedText text={text} />
    </p>
  );
}

/** Since when it is here, what it says that it is, and its session. */
function Origin({ agent }: { agent: ConnectedAgent }): ReactNode {
  const { claim, session = null } = agent;
  return (
    <p className="xs dim">
      {t('page.agents.since', { time: clockTime(agent.since) })}
      {claim === null ? null : (
        <>
          {' · '}
          <MessageText message={message('page.agents.claim', { name: claim })} />
        </>
      )}
      {session === null ? null : (
        <>
          {' · '}
          <MessageText
            message={message('page.agents.session', { name: session.name, time: clockTime(session.since) })}
          />
        </>
      )}
    </p>
  );
}

function AgentState({ state }: { state: ConnectedAgent['state'] }): ReactNode {
  const { icon, tone } = STATE_ICONS[state];
  return (
    <span className={`chip ${tone}`}>
      <Icon name={icon} />
      <span>{t(`page.agents.states.${state}`)}</span>
    </span>
  );
}

interface PauseProps {
  id: string;
  name: string;
  /** It is paused now, so that the button resumes it. */
  paused: boolean;
  online: boolean;
  onPause(id: string, on: boolean): void;
}

function PauseButton({ id, name, paused, online, onPause }: PauseProps): ReactNode {
  const agent = toPlainText(name);
  return (
    <Button
      variant="sm"
      icon={paused ? 'play' : 'pause'}
      disabled={!online}
      aria-label={paused ? t('page.agents.resume_one', { agent }) : t('page.agents.pause_one', { agent })}
      onClick={() => onPause(id, !paused)}
    >
      {paused ? t('page.agents.resume') : t('page.agents.pause')}
    </Button>
  );
}

interface AgentActionsProps {
  agent: ConnectedAgent;
  online: boolean;
  onAbort(executionId: string): void;
}

function AgentActions({ agent, online, onAbort }: AgentActionsProps): ReactNode {
  const { currentCalls = [] } = agent;
  return (
    <div className="part">
      <h3 className="h4">{t('page.agents.now')}</h3>
      {currentCalls.length === 0 ? <p className="small mut">{t('page.agents.nothing')}</p> : null}
      <ul className="plain">
        {currentCalls.map((one) => (
          <li className="with-act" key={one.executionId}>
            <CurrentAction call={one} />
            <Button variant="sm" icon="x" disabled={!online} onClick={() => onAbort(one.executionId)}>
              {t('page.agents.abort')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Grants of this very process, and those of any process of its program. */
function grantsOf(agent: ConnectedAgent, grants: Grant[]): Grant[] {
  return grants.filter(({ agent: to }) => {
    const program = to.executable === agent.executable && to.script === agent.script;
    const isSame = to.pid === agent.pid && to.startTime === agent.startTime;
    return program && to.via === agent.via && (to.pid === null || isSame);
  });
}
