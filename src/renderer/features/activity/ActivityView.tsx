/** The record, newest first, by day: loaded in pages, rendered near the window only. */
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { ActivityBlocks } from './ActivityBlocks.js';
import { RecordState } from './RecordState.js';
import { ActivityFilters } from './ActivityFilters.js';
import { Button } from '../../ui/Button.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { ViewHeader } from '../../ui/ViewHeader.js';
import type { ActivityLogStore } from '../../state/activity-log.js';
import { t } from '../../strings.js';
import type { ViewProps } from '../../app/props.js';
/** The next page is loaded when the end of the list is this near. */
const LOAD_AHEAD = '2000px 0px';

export function ActivityView({ state, actions }: ViewProps): ReactNode {
  const keeper = actions.activityLog;
  const book = useSyncExternalStore(keeper.subscribe, keeper.get);
  const top = useRef<HTMLHeadingElement>(null);
  const online = state.link === 'open';
  const empty = book.total === 0 && book.newRows.length === 0;
  return (
    <>
      <ViewHeader title={t('page.views.activity')}>
        <RecordState verified={state.status.recordVerified} />
      </ViewHeader>
      <section className="region" aria-labelledby="h-record">
        <h2 id="h-record" className="vh" ref={top} tabIndex={-1}>
          {t('page.views.activity')}
        </h2>
        <ActivityFilters filter={book.filter} agents={book.agents} onChoose={keeper.setFilter} />
        <div className="list-h">
          <span role="status" className="num">
            {book.total === null ? '' : t('page.list.count', { count: book.total })}
          </span>
          <span role="status" className="news">
            {book.newRows.length === 0 ? null : <NewRowsButton keeper={keeper} count={book.newRows.length} top={top} />}
          </span>
        </div>
        {book.damaged === 0 ? null : <p className="small bad">{t('page.list.damaged', { count: book.damaged })}</p>}
        {empty ? (
          <NoRows filtered={Object.keys(book.filter).length > 0} />
        ) : (
          <ActivityBlocks book={book} keeper={keeper} />
        )}
        <ListEnd keeper={keeper} online={online} />
      </section>
    </>
  );
}

/** New rows are not listed until the person asks, so that nothing they read moves. */
function NewRowsButton(props: {
  keeper: ActivityLogStore;
  count: number;
  top: { current: HTMLElement | null };
}): ReactNode {
  const show = () => {
    props.keeper.showNewRows();
    window.scrollTo({ top: 0, behavior: 'instant' });
    props.top.current?.focus({ preventScroll: true });
  };
  return (
    <Button look="sm fresh" icon="up" onClick={show} title={t('page.list.fresh_means')}>
      <span className="num">{t('page.list.fresh', { count: props.count })}</span>
    </Button>
  );
}

function NoRows({ filtered }: { filtered: boolean }): ReactNode {
  return <p className="panel panel-b mut">{filtered ? t('page.list.none') : t('page.activity.empty')}</p>;
}

/** The end of the list; loads the next page before the person reaches it. */
function ListEnd({ keeper, online }: { keeper: ActivityLogStore; online: boolean }): ReactNode {
  const book = useSyncExternalStore(keeper.subscribe, keeper.get);
  const mark = useRef<HTMLDivElement>(null);
  const { sections, complete, loading, problem, filter } = book;
  useEffect(() => {
    const element = mark.current;
    if (element === null || !online || complete || loading || problem !== null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) keeper.loadMore();
      },
      { rootMargin: LOAD_AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [keeper, online, complete, loading, problem, filter, sections.length]);
  return (
    <div ref={mark} className="list-end small mut">
      {problem === null ? null : (
        <>
          <p className="bad">
            {t('page.list.failed')} <RevealedText text={problem} />
          </p>
          <Button look="sm" onClick={keeper.loadMore}>
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
