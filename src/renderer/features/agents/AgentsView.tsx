/** The connected agents: what each does and may do, and controls to pause it. */
import type { ReactNode } from 'react';
import { AgentCard } from './AgentCard.js';
import { AppsRegion } from '../apps/AppsRegion.js';
import { AwayAgent } from './AwayAgent.js';
import { Button } from '../../ui/Button.js';
import { TakeOverButton } from '../live/TakeOverButton.js';
import { ViewHeader } from '../../ui/ViewHeader.js';
import { t } from '../../strings.js';
import type { ViewProps } from '../../app/props.js';

export function AgentsView({ state, actions }: ViewProps): ReactNode {
  const { agents, away = [], paused } = state.status;
  const online = state.connection === 'open';
  return (
    <>
      <ViewHeader title={t('page.views.agents')}>
        <Button variant="sm" icon="pause" disabled={!online || paused !== null} onClick={actions.stop}>
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
