/** Tasks that run: on Home, and as a chip in the header. What is left of each, and a button to take it back. */
import type { ReactNode } from 'react';
import { toPlainText, type ConnectedAgent, type RunningTask } from '../../../main/protocol/index.js';
import { message } from '../../../messages/index.js';
import type { Actions } from '../../app/actions.js';
import { hrefOf } from '../../app/route.js';
import type { PageState } from '../../state/state.js';
import { say, t } from '../../strings.js';
import { ActionRow } from '../../ui/rows.js';
import { useAgentName } from '../../ui/agents.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { countdown, useNow } from '../../ui/formats.js';

interface Props {
  state: PageState;
  actions: Pick<Actions, 'send'>;
}

interface Running {
  agent: ConnectedAgent;
  task: RunningTask;
  /** Milliseconds. */
  left: number;
}

function useRunningTasks({ status, connection, role }: PageState): Running[] {
  const all = role === 'paired' ? status.agents.filter(({ task }) => task != null) : [];
  const now = useNow(connection === 'open' && all.length > 0);
  return all.flatMap((agent) => {
    const left = agent.task == null ? 0 : Date.parse(agent.task.endsAt) - now;
    return agent.task == null || left <= 0 ? [] : [{ agent, task: agent.task, left }];
  });
}

export function RunningTasks({ state, actions }: Props): ReactNode {
  const running = useRunningTasks(state);
  const nameOf = useAgentName();
  if (running.length === 0) return null;
  return (
    <section className="region" id="tasks" aria-labelledby="h-tasks">
      <div className="region-h">
        <h2 id="h-tasks">{t('page.task.heading')}</h2>
      </div>
      <ul className="list">
        {running.map(({ agent, task, left }) => (
          <ActionRow
            key={task.id}
            id={`task-${task.id}`}
            icon="click"
            name={t('page.task.of', { agent: nameOf(agent), purpose: task.purpose })}
            action={t('page.task.take_back')}
            disabled={state.connection !== 'open'}
            onPress={() => actions.send({ type: 'endTask', id: task.id })}
          >
            <p className="detail num">
              {t('page.task.left', { time: countdown(left), used: task.used, acts: task.acts })}
            </p>
            <p className="detail">
              <RevealedText text={taskText(task)} />
            </p>
          </ActionRow>
        ))}
      </ul>
    </section>
  );
}

/** What it covers, in one sentence. */
export const taskText = ({ apps, sites, effects, minutes, acts }: RunningTask): string =>
  say(
    message('task.scope', {
      apps: [...apps.map(({ name }) => name), ...sites],
      effects: effects.map((effect) => message('task.effect', { effect: effect === 'type' ? 'other' : effect })),
      minutes,
      acts,
    }),
  );

export function TaskChips({ state, actions }: Props): ReactNode {
  const nameOf = useAgentName();
  return useRunningTasks(state).map(({ agent, task, left }) => {
    const time = countdown(left);
    return (
      <span key={task.id} className="chip c-act task-chip">
        <a
          href={`${hrefOf({ view: 'home' })}#tasks`}
          title={toPlainText(t('page.task.of', { agent: nameOf(agent), purpose: task.purpose }))}
        >
          <Icon name="clock" />
          <span className="purpose">
            <RevealedText text={task.purpose} />
          </span>
          <span className="num">{t('page.task.short', { time, used: task.used, acts: task.acts })}</span>
        </a>
        <button
          type="button"
          aria-label={t('page.task.take_back_of', { purpose: toPlainText(task.purpose) })}
          title={t('page.task.take_back')}
          aria-disabled={state.connection !== 'open' || undefined}
          onClick={() => actions.send({ type: 'endTask', id: task.id })}
        >
          <Icon name="x" />
        </button>
      </span>
    );
  });
}
