/** The filters of the activity view. The host applies them to the whole record. */
import { useEffect, useState, type ReactNode } from 'react';
import {
  EFFECTS,
  outcomeSchema,
  recordedName,
  toPlainText,
  type ActivityFilter,
} from '../../../main/protocol/index.js';
import { formatter, t } from '../../strings.js';
const TYPING_MS = 250;
const OUTCOMES = outcomeSchema.options.filter((one) => one !== 'running' && one !== 'waiting');

interface Props {
  filter: ActivityFilter;
  agents: string[];
  onChoose(filter: ActivityFilter): void;
}

export function ActivityFilters({ filter, agents, onChoose }: Props): ReactNode {
  const choose = (part: Partial<Record<keyof ActivityFilter, string>>) => onChoose(cleaned({ ...filter, ...part }));
  const filtered = Object.keys(filter).length > 0;
  return (
    <form
      className="filters"
      role="search"
      aria-label={t('page.list.filters')}
      onSubmit={(event) => event.preventDefault()}
    >
      <Choice
        label={t('page.list.agent')}
        any={t('page.list.any_agent')}
        value={filter.agent}
        onChoose={(agent) => choose({ agent })}
      >
        {withChosen(agents, filter.agent).map((name) => [name, toPlainText(recordedName(formatter, name))])}
      </Choice>
      <Choice
        label={t('page.list.kind')}
        any={t('page.list.any_kind')}
        value={filter.effect}
        onChoose={(effect) => choose({ effect })}
      >
        {EFFECTS.map((effect) => [effect, t(`page.kinds.${effect}`)])}
      </Choice>
      <Choice
        label={t('page.list.outcome')}
        any={t('page.list.any_outcome')}
        value={filter.outcome}
        onChoose={(outcome) => choose({ outcome })}
      >
        {OUTCOMES.map((outcome) => [outcome, t(`page.activity.outcome.${outcome}`)])}
      </Choice>
      <AppField value={filter.app ?? ''} onChoose={(app) => choose({ app })} />
      {filtered ? <ClearButton onClear={() => onChoose({})} /> : null}
    </form>
  );
}

function ClearButton({ onClear }: { onClear(): void }): ReactNode {
  return (
    <button type="button" className="lnk" onClick={() => onClear()}>
      {t('page.list.clear')}
    </button>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string | undefined;
  onChoose(value: string): void;
  children: readonly (readonly [value: string, name: string])[];
}

function Choice({ label, any, value, onChoose, children }: ChoiceProps): ReactNode {
  return (
    <label>
      <span className="vh">{label}</span>
      <select className="field" value={value ?? ''} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{any}</option>
        {children.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Searches when the person pauses, or presses Return. */
function AppField({ value, onChoose }: { value: string; onChoose(value: string): void }): ReactNode {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (value === '') setTyped('');
  }, [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => onChoose(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChoose]);
  return (
    <label className="app-field">
      <span className="vh">{t('page.list.app')}</span>
      <input
        className="field"
        type="search"
        maxLength={200}
        placeholder={t('page.list.app')}
        title={t('page.list.app_hint')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}

function withChosen(agents: string[], chosen: string | undefined): string[] {
  return chosen === undefined || agents.includes(chosen) ? agents : [chosen, ...agents];
}

/** An empty choice is none. */
function cleaned(given: Partial<Record<keyof ActivityFilter, string>>): ActivityFilter {
  const effect = EFFECTS.find((one) => one === given.effect);
  const outcome = OUTCOMES.find((one) => one === given.outcome);
  return {
    ...(given.agent ? { agent: given.agent } : {}),
    ...(effect ? { effect } : {}),
    ...(outcome ? { outcome } : {}),
    ...(given.app ? { app: given.app } : {}),
  };
}
