/** What an Allow of a task gives. Each change goes to the host, which shows the request anew, under another digest. */
import type { ReactNode } from 'react';
import { TASK_EFFECTS, type Card, type RequestedTask, type TaskEdit } from '../../../main/protocol/index.js';
import { message } from '../../../messages/index.js';
import type { Actions } from '../../app/actions.js';
import { say, t } from '../../strings.js';
import { useLoaded, valueOf } from '../../ui/loaded.js';
import { RevealedText } from '../../ui/RevealedText.js';

interface Props {
  card: Card;
  task: RequestedTask;
  online: boolean;
  actions: Actions;
}

const MINUTES = [5, 10, 15, 30, 60, 120];

export function TaskFields({ card, task: { asked, scope }, online, actions }: Props): ReactNode {
  const load = async () => (await actions.ask('taskApps', { id: card.id })).apps;
  const offered = valueOf(useLoaded(online ? load : null, card.id)) ?? [];
  const known = [...new Map([...asked.apps, ...scope.apps].map((app) => [app.id, app])).values()];
  const { sites, effects, minutes, acts } = scope;
  const now: TaskEdit = { apps: scope.apps.map(({ id }) => id), sites, effects, minutes, acts };
  const change = (to: Partial<TaskEdit>) =>
    void actions.send({ type: 'editTask', id: card.id, digest: card.digest, task: { ...now, ...to } });
  const add = offered.filter(({ id }) => known.every((app) => app.id !== id));
  return (
    <div className="task-fields" role="group" aria-label={t('page.task.edit')}>
      <Ticks
        legend={t('page.task.apps')}
        all={known.map(({ id, name, program }) => [id, program === null ? t('page.task.starts', { app: name }) : name])}
        chosen={now.apps}
        atLeast={1}
        onChange={(apps) => change({ apps })}
      />
      <Ticks
        legend={t('page.task.sites')}
        all={asked.sites.map((site) => [site, site])}
        chosen={sites}
        atLeast={0}
        onChange={(left) => change({ sites: left })}
      />
      <Ticks
        legend={t('page.task.effects')}
        all={TASK_EFFECTS.map((effect) => [effect, say(effectText(effect))])}
        chosen={effects}
        atLeast={1}
        onChange={(left) => change({ effects: left })}
      />
      <TimeAndMore asked={asked.minutes} now={now} add={add} onChange={change} />
    </div>
  );
}

interface MoreProps {
  asked: number;
  now: TaskEdit;
  /** Applications that may be added. */
  add: readonly { id: string; name: string }[];
  onChange(to: Partial<TaskEdit>): void;
}

function TimeAndMore({ asked, now: { apps, minutes }, add, onChange }: MoreProps): ReactNode {
  const choices = [...new Set([...MINUTES, asked, minutes])].sort((one, other) => one - other);
  return (
    <div className="task-more">
      <label className="task-pick">
        <span>{t('page.task.minutes')}</span>
        <select
          className="field"
          value={minutes}
          onChange={(event) => onChange({ minutes: Number(event.target.value) })}
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {t('page.task.for_minutes', { minutes: each })}
            </option>
          ))}
        </select>
      </label>
      {add.length === 0 ? null : (
        <select
          className="field"
          aria-label={t('page.task.add')}
          value=""
          onChange={(event) => onChange({ apps: [...apps, event.target.value] })}
        >
          <option value="">{t('page.task.add')}</option>
          {add.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

const effectText = (effect: (typeof TASK_EFFECTS)[number]) =>
  message('task.effect', { effect: effect === 'type' ? 'other' : effect });

interface TicksProps<T extends string> {
  legend: string;
  all: readonly (readonly [id: T, name: string])[];
  chosen: readonly T[];
  /** So many stay ticked. */
  atLeast: number;
  onChange(chosen: T[]): void;
}

function Ticks<T extends string>({ legend, all, chosen, atLeast, onChange }: TicksProps<T>): ReactNode {
  if (all.length === 0) return null;
  const toggled = (id: T) => (chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset className="ticks">
      <legend>{legend}</legend>
      {all.map(([id, name]) => (
        <label key={id} className="tick">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            disabled={chosen.includes(id) && chosen.length <= atLeast}
            onChange={() => onChange(toggled(id))}
          />
          <RevealedText text={name} />
        </label>
      ))}
    </fieldset>
  );
}
