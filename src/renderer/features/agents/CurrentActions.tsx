/** What agents do now, with the titles of their cards. */
import type { ReactNode } from 'react';
import { effectIcon, effectTone } from '../../ui/effects.js';
import type { ConnectedAgent, CurrentCall } from '../../../main/protocol/index.js';
import { t } from '../../strings.js';
import { AskerName } from '../requests/CardHead.js';
import { CallText } from '../requests/QueuedCalls.js';
import { AgentInitials } from '../../ui/agents.js';
import { Icon } from '../../ui/Icon.js';

export function CurrentAction({ call }: { call: CurrentCall }): ReactNode {
  const { effect, subject } = call;
  return (
    <span className="current-action">
      <Icon
        name={effect === null ? 'clock' : effectIcon({ effect, subject })}
        tone={effect === null ? 'k-read' : effectTone(effect)}
      />
      <span className="small">
        <CallText call={call} lower={false} />
      </span>
      <span className={call.waiting ? 'out wait' : 'out'}>{stateOf(call)}</span>
    </span>
  );
}

function stateOf({ waiting, queued }: CurrentCall): string {
  return waiting ? t('page.agents.asks') : queued === true ? t('page.agents.queued') : t('page.agents.running');
}

/** A line for each agent that acts, or the reason why there is none. */
export function CurrentActions({ agents }: { agents: readonly ConnectedAgent[] }): ReactNode {
  const busy = agents.filter(({ currentCalls = [] }) => currentCalls.length > 0);
  return (
    <div role="status" aria-label={t('page.live.now')} className="current-actions">
      {busy.length > 0 ? null : (
        <p className="small mut">{agents.length === 0 ? t('page.live.nobody') : t('page.live.quiet')}</p>
      )}
      {busy.map((agent) => (
        <p key={agent.id} className="current-line">
          <AgentInitials agent={agent} />
          <b className="small">
            <AskerName agent={agent} />
          </b>
          {(agent.currentCalls ?? []).slice(0, 1).map((call) => (
            <CurrentAction key={call.executionId} call={call} />
          ))}
        </p>
      ))}
    </div>
  );
}
