/** What an agent may do without asking: by policy, by grants, and what it was once allowed to see. */
import type { ReactNode } from 'react';
import type { ConnectedAgent, Grant, RunningTask } from '../../../main/protocol/index.js';
import type { Actions } from '../../app/actions.js';
import { effectIcon, effectTone } from '../../ui/effects.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { useAgentName } from '../../ui/agents.js';
import { Button } from '../../ui/Button.js';
import { taskText } from '../home/RunningTasks.js';
import { grantName, useRunningGrants } from '../settings/GrantList.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';

interface Props {
  agent: ConnectedAgent;
  grants: Grant[];
  state: PageState;
  actions: Actions;
}

export function AgentAllowances({ agent, grants: all, state, actions }: Props): ReactNode {
  const { remembered = [] } = agent;
  const online = state.connection === 'open';
  const grants = useRunningGrants(all, online);
  const nameOf = useAgentName();
  return (
    <div className="part rule">
      <h3 className="h4">{t('page.agents.may')}</h3>
      {state.policy === null ? null : <PolicyLine preset={state.policy.preset} />}
      {grants.length === 0 && remembered.length === 0 && agent.task == null ? (
        <p className="small mut">{t('page.agents.no_grants')}</p>
      ) : null}
      <ul className="plain">
        {agent.task == null ? null : <TaskLine task={agent.task} online={online} actions={actions} />}
        {grants.map((grant) => (
          <li className="with-act" key={grant.id}>
            <span className="current-action">
              <Icon name="click" tone="k-input" />
              <span className="small" id={`may-${grant.id}`}>
                <RevealedText text={grantName(grant, nameOf)} />
              </span>
            </span>
            <Button
              variant="sm"
              disabled={!online}
              aria-describedby={`may-${grant.id}`}
              onClick={() => actions.send({ type: 'revokeGrant', id: grant.id })}
            >
              {t('page.settings.take_back')}
            </Button>
          </li>
        ))}
        {remembered.length === 0 ? null : (
          <li className="with-act high">
            <Remembered remembered={remembered} />
            <Button variant="sm" disabled={!online} onClick={() => actions.send({ type: 'forgetAgent', id: agent.id })}>
              {t('page.agents.forget')}
            </Button>
          </li>
        )}
      </ul>
    </div>
  );
}

function TaskLine({ task, online, actions }: { task: RunningTask; online: boolean; actions: Actions }): ReactNode {
  return (
    <li className="with-act">
      <span className="current-action">
        <Icon name="clock" tone="k-input" />
        <span className="small" id={`may-${task.id}`}>
          <RevealedText text={`${task.purpose}${t('page.marks.stop')}${taskText(task)}`} />
        </span>
      </span>
      <Button
        variant="sm"
        disabled={!online}
        aria-describedby={`may-${task.id}`}
        onClick={() => actions.send({ type: 'endTask', id: task.id })}
      >
        {t('page.task.take_back')}
      </Button>
    </li>
  );
}

function PolicyLine({ preset }: { preset: NonNullable<PageState['policy']>['preset'] }): ReactNode {
  const name = t(`page.settings.presets.${preset}.name`);
  return (
    <p className="small mut">
      {t('page.agents.policy', { name })}
      {t('page.marks.stop')}
      {t(`page.settings.presets.${preset}.text`)}
    </p>
  );
}

function Remembered({ remembered }: { remembered: NonNullable<ConnectedAgent['remembered']> }): ReactNode {
  return (
    <div className="part">
      <p className="xs dim">{t('page.agents.remembered')}</p>
      <ul className="plain">
        {remembered.map(({ effect, what }) => (
          <li className="current-action" key={`${effect} ${what}`}>
            <Icon name={effectIcon({ effect, subject: null })} tone={effectTone(effect)} />
            <span className="small">
              <RevealedText text={scopeText(what)} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function scopeText(what: string): string {
  if (what === 'screen') return t('page.agents.sees.screen');
  if (what === 'titles') return t('page.agents.sees.titles');
  if (what.startsWith('area:')) return t('page.agents.sees.area');
  if (what.startsWith('app:')) return t('page.agents.sees.app', { id: what.slice('app:'.length) });
  return what.startsWith('action:')
    ? t('page.agents.sees.action', { tool: what.slice('action:'.length) })
    : t('page.agents.sees.any');
}
