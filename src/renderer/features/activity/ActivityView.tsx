/** The record, newest first, by day: loaded in pages, rendered near the window only. */
import { useEffect, useRef, useSyncExternalStore, type ReactNode, useState } from 'react';
import { ActivityBlocks } from './ActivityBlocks.js';
import { RecordState } from './ActivityItem.js';
import { Button } from '../../ui/Button.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { ViewHeader } from '../../ui/Region.js';
import type { ActivityLogStore } from '../../state/activity-log.js';
import { rowsIn } from '../../state/activity-sections.js';
import { t, formatter } from '../../strings.js';
import type { ViewProps } from '../../app/actions.js';
import {
  EFFECTS,
  outcomeSchema,
  recordedName,
  toPlainText,
  type ActivityFilter,
} from '../../../main/protocol/index.js';

/** The next page is loaded when the end of the list is this near. */
const LOAD_AHEAD = '2000px 0px';

export function ActivityView({ state, actions }: ViewProps): ReactNode {
  const store = actions.activityLog;
  const log = useSyncExternalStore(store.subscribe, store.get);
  const top = useRef<HTMLHeadingElement>(null);
  const online = state.connection === 'open';
  const empty = log.total === 0 && log.newRows.length === 0;
  return (
    <>
      <ViewHeader title={t('page.views.activity')}>
        <RecordState status={state.status} />
      </ViewHeader>
      <section className="region" aria-labelledby="h-record">
        <h2 id="h-record" className="vh" ref={top} tabIndex={-1}>
          {t('page.views.activity')}
        </h2>
        <ActivityFilters filter={log.filter} agents={log.agents} onChoose={store.setFilter} />
        <div className="list-h">
          <span role="status" className="num">
            {log.total === null ? '' : t('page.list.count', { count: log.total })}
          </span>
          {log.total === null && log.sections.length > 0 ? (
            <span className="num">{t('page.list.count_so_far', { count: rowsIn(log.sections) })}</span>
          ) : null}
          <span role="status" className="new-rows">
            {log.newRows.length === 0 ? null : <NewRowsButton store={store} count={log.newRows.length} top={top} />}
          </span>
        </div>
        {log.damaged === 0 ? null : <p className="small bad">{t('page.list.damaged', { count: log.damaged })}</p>}
        {empty ? (
          <NoRows filtered={Object.keys(log.filter).length > 0} />
        ) : (
          <ActivityBlocks log={log} store={store} online={online} />
        )}
        <ListEnd store={store} online={online} />
      </section>
    </>
  );
}

/** New rows are not listed until the person asks, so that nothing they read moves. */
function NewRowsButton(props: {
  store: ActivityLogStore;
  count: number;
  top: { current: HTMLElement | null };
}): ReactNode {
  const show = () => {
    props.store.showNewRows();
    window.scrollTo({ top: 0, behavior: 'instant' });
    props.top.current?.focus({ preventScroll: true });
  };
  return (
    <Button variant="sm fresh" icon="up" onClick={show} title={t('page.list.fresh_means')}>
      <span className="num">{t('page.list.fresh', { count: props.count })}</span>
    </Button>
  );
}

function NoRows({ filtered }: { filtered: boolean }): ReactNode {
  return <p className="panel panel-b mut">{filtered ? t('page.list.none') : t('page.activity.empty')}</p>;
}

/** The end of the list; loads the next page before the person reaches it. */
function ListEnd({ store, online }: { store: ActivityLogStore; online: boolean }): ReactNode {
  const log = useSyncExternalStore(store.subscribe, store.get);
  const mark = useRef<HTMLDivElement>(null);
  const { sections, complete, loading, problem, filter, older } = log;
  useEffect(() => {
    const element = mark.current;
    if (element === null || !online || complete || loading || problem !== null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) store.loadMore();
      },
      { rootMargin: LOAD_AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [store, online, complete, loading, problem, filter, sections.length]);
  return (
    <div ref={mark} className="list-end small mut">
      {problem === null ? null : (
        <>
          <p className="bad">
            {t('page.list.failed')} <RevealedText text={problem} />
          </p>
          <Button variant="sm" onClick={store.loadMore}>
            {t('page.list.again')}
          </Button>
        </>
      )}
      {older === null ? null : (
        <p role="status">
          {older.percent === null ? t('page.list.unindexed') : t('page.list.indexing', { percent: older.percent })}
        </p>
      )}
      {loading && older === null ? <p>{t('page.list.loading')}</p> : null}
      {!online && !complete ? <p>{t('page.list.offline')}</p> : null}
      {complete && older === null && sections.length > 0 ? <p>{t('page.list.end')}</p> : null}
    </div>
  );
}

// The filters of the activity view. The host applies them to the whole record.

const TYPING_MS = 250;
const OUTCOMES = outcomeSchema.options.filter((one) => one !== 'running' && one !== 'waiting');

interface Props {
  filter: ActivityFilter;
  agents: string[];
  onChoose(filter: ActivityFilter): void;
}

function ActivityFilters({ filter, agents, onChoose }: Props): ReactNode {
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
      <WordsFields filter={filter} onChoose={choose} />
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

/** Searched when the person pauses, or presses Return. */
function WordsFields(props: { filter: ActivityFilter; onChoose(part: Partial<ActivityFilter>): void }): ReactNode {
  return (['app', 'text'] as const).map((one) => (
    <WordsField
      key={one}
      name={t(`page.list.${one}`)}
      hint={t(`page.list.${one}_hint`)}
      value={props.filter[one]}
      onChoose={(value) => props.onChoose({ [one]: value })}
    />
  ));
}

interface WordsProps {
  name: string;
  hint: string;
  value: string | undefined;
  onChoose(value: string): void;
}

function WordsField({ name, hint, value = '', onChoose }: WordsProps): ReactNode {
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
      <span className="vh">{name}</span>
      <input
        className="field"
        type="search"
        maxLength={200}
        placeholder={name}
        title={hint}
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
    ...(given.text ? { text: given.text } : {}),
  };
}
