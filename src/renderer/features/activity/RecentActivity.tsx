/** The latest actions on the home view. */
import type { ReactNode } from 'react';
import { hrefOf } from '../../app/route.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { ActivityItem } from './ActivityItem.js';
import { RecordState } from './RecordState.js';

const MAX_ROWS = 12;

export function RecentActivity({ state }: { state: PageState }): ReactNode {
  const { activity, status } = state;
  return (
    <section className="region" id="activity" aria-labelledby="h-activity" tabIndex={-1}>
      <div className="region-h">
        <h2 id="h-activity">{t('page.activity.heading')}</h2>
        <RecordState status={status} />
      </div>
      {activity.length === 0 ? (
        <p className="panel-b panel mut">{t('page.activity.empty')}</p>
      ) : (
        <ol className="list">
          {activity.slice(0, MAX_ROWS).map((row) => (
            <ActivityItem key={row.executionId} row={row} />
          ))}
        </ol>
      )}
      {activity.length === 0 ? null : (
        <a className="lnk more-rows" href={hrefOf({ view: 'activity' })}>
          {t('page.activity.all')}
        </a>
      )}
    </section>
  );
}
