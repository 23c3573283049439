/** What happened, newest first: a picture, what was done, how it ended. */
import { useState, type ReactNode } from 'react';
import type { PageState } from '../state/state.js';
import { strings } from '../strings.js';
import { ActivityRow } from './ActivityRow.js';
import { Icon } from './Icon.js';

const STEP = 20;

export function ActivityList({ state }: { state: PageState }): ReactNode {
  const [shown, setShown] = useState(STEP);
  const { activity, status } = state;
  const rest = activity.length - shown;
  return (
    <section className="region" id="activity" aria-labelledby="h-activity" tabIndex={-1}>
      <div className="region-h">
        <h2 id="h-activity">{strings.activity.heading}</h2>
        <span className={`end out ${status.recordVerified ? 'ok' : 'bad'}`}>
          <Icon name={status.recordVerified ? 'shield' : 'alert'} />
          {status.recordVerified ? strings.activity.verified : strings.activity.broken}
        </span>
      </div>
      {activity.length === 0 ? (
        <p className="panel-b panel mut">{strings.activity.empty}</p>
      ) : (
        <ol className="list">
          {activity.slice(0, shown).map((row) => (
            <ActivityRow key={row.executionId} row={row} />
          ))}
        </ol>
      )}
      {rest > 0 ? (
        <button type="button" className="lnk more-rows" onClick={() => setShown(shown + STEP)}>
          {strings.activity.more(Math.min(STEP, rest))}
        </button>
      ) : null}
    </section>
  );
}
