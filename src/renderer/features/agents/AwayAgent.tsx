/** A paused agent that is not connected. Its pause stays, and can be lifted here. */
import { useState, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { MAX_AGENT_NAME_LENGTH, type Status } from '../../../main/protocol/index.js';
import { t } from '../../strings.js';
import { AgentIdentity } from '../requests/CardExact.js';
import { CutText } from '../requests/CardHead.js';
import { FoldButton } from '../../ui/FoldButton.js';
import { AgentInitials } from '../../ui/AgentInitials.js';
import { PauseReason } from '../../ui/Banner.js';
import { AgentState, PauseButton } from './AgentCard.js';
type Away = NonNullable<Status['away']>[number];

export function AwayAgent({ away, online, actions }: { away: Away; online: boolean; actions: Actions }): ReactNode {
  const { id, agent, paused } = away;
  const [open, setOpen] = useState(false);
  const name = agent?.name ?? t('page.agents.someone');
  return (
    <article className="panel panel-b agent" aria-labelledby={`agent-${id}`} data-anchor>
      <div className="agent-h">
        {agent === null ? null : <AgentInitials initials={agent.tile} />}
        <h2 className="h4" id={`agent-${id}`}>
          <CutText text={name} most={MAX_AGENT_NAME_LENGTH} />
        </h2>
        <AgentState state="paused" />
        <PauseButton id={id} name={name} paused online={online} onPause={actions.pauseAgent} />
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
