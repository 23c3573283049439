/** The record, newest first, by day: loaded in pages, rendered near the window only. */
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { ActivityBlocks } from './ActivityBlocks.js';
import { RecordState } from './RecordState.js';
import { ActivityFilters } from './ActivityFilters.js';
import { Button } from '../../ui/Button.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { ViewHeader } from '../../ui/ViewHeader.js';
import type { ActivityLogStore } from '../../state/activity-log.js';
import { rowsIn } from '../../state/activity-sections.js';
import { t } from '../../strings.js';
import type { ViewProps } from '../../app/props.js';
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
  const { sections, complete, loading, problem, filter } = log;
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
      {loading ? <p>{t('page.list.loading')}</p> : null}
      {!online && !complete ? <p>{t('page.list.offline')}</p> : null}
      {complete && sections.length > 0 ? <p>{t('page.list.end')}</p> : null}
    </div>
  );
}
