/** Who is connected, what each one does and may do, and the ways to hold it back. */
import type { ReactNode } from 'react';
import { AgentCard } from './AgentCard.js';
import { AwayAgent } from './AwayAgent.js';
import { Button } from '../../ui/Button.js';
import { TakeOver } from '../live/TakeOver.js';
import { ViewHead } from '../../ui/ViewHead.js';
import { strings } from '../../strings.js';
import type { ViewProps } from '../../app/props.js';

const words = strings.desk.agents;

export function Agents({ state, actions }: ViewProps): ReactNode {
  const { agents, away = [], paused } = state.status;
  const online = state.link === 'open';
  return (
    <>
      <ViewHead title={strings.views.agents}>
        <Button look="sm" icon="pause" dead={!online || paused !== null} onClick={actions.stop}>
          {words.pauseAll}
        </Button>
        <TakeOver state={state} actions={actions} />
      </ViewHead>
      {agents.length + away.length === 0 ? (
        <div className="panel panel-b part">
          <h2 className="h4">{words.none}</h2>
          <p className="small mut">{words.noneText}</p>
        </div>
      ) : (
        <div className="region">
          <p className="small mut">{words.takeOverText}</p>
          {agents.map((agent) => (
            <AgentCard key={agent.id} agent={agent} state={state} actions={actions} />
          ))}
          {away.map((one) => (
            <AwayAgent key={one.id} away={one} online={online} actions={actions} />
          ))}
        </div>
      )}
    </>
  );
}
