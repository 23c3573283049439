/** One action, as a link to its evidence. */
import { memo, type ReactNode } from 'react';
import { cardTone, effectIcon } from '../../ui/effects.js';
import { hrefOf } from '../../app/route.js';
import { clockTime } from '../../ui/formats.js';
import type { Activity, Status } from '../../../main/protocol/index.js';
import { useAgentName } from '../../ui/agents.js';
import { say, sayRefusal, t } from '../../strings.js';
import type { Message } from '../../../messages/index.js';
import { TitleText } from '../requests/CardHead.js';
import { pictureUrl } from '../requests/CardPicture.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { OUTCOMES, useOutcome, isDone } from '../../app/actions.js';
import type { PageState } from '../../state/state.js';

const MAX_ROWS = 12;

/** The latest actions on the home view. */
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

type Picture = Activity['thumbnail'];

interface Props {
  row: Activity;
  /** Loaded after the row. */
  picture?: Picture;
  /** Its place in a longer list, from 1. */
  place?: { number: number; of: number };
}

export const ActivityItem = memo(function ActivityItem({ row, picture = null, place }: Props): ReactNode {
  const outcome = useOutcome(row);
  const { icon, tone } = OUTCOMES[outcome];
  return (
    <li data-anchor aria-posinset={place?.number} aria-setsize={place?.of}>
      <a className="row" href={hrefOf({ view: 'evidence', executionId: row.executionId })}>
        <Thumbnail picture={row.thumbnail ?? picture} app={row.subject.app} />
        <span className="what">
          <span className="t">
            <Icon name={effectIcon(row)} tone={cardTone(row)} />
            <span className="trunc">
              <TitleText subject={row.subject} past={isDone(row)} here />
            </span>
          </span>
          <Where row={row} />
        </span>
        <span className={`o out ${tone}`}>
          <Icon name={icon} />
          {t(`page.activity.outcome.${outcome}`)}
        </span>
        <time className="num" dateTime={row.at}>
          {clockTime(row.at)}
        </time>
      </a>
    </li>
  );
}, sameRow);

/** A new total of a long list alone renders nothing again. */
function sameRow(one: Props, other: Props): boolean {
  return one.row === other.row && one.picture === other.picture && one.place?.number === other.place?.number;
}

function Where({ row }: { row: Activity }): ReactNode {
  const nameOf = useAgentName();
  const desktop = row.desktop === undefined ? null : t('page.activity.own_desktop');
  const place = [row.subject.app, row.subject.place, desktop]
    .filter((part) => part !== null)
    .join(t('page.marks.comma'));
  const said = noteText(row);
  return (
    <span className="s trunc">
      <span className="agent">
        <RevealedText text={nameOf(row.agent)} />
        {place === '' && said === '' ? '' : t('page.marks.comma')}
      </span>
      <RevealedText text={[place, said].filter((part) => part !== '').join(t('page.marks.stop'))} />
    </span>
  );
}

/** The note's text; none for an action that waits, because its outcome says it. */
function noteText({ note, outcome }: Activity): string {
  if (note === null || outcome === 'waiting') return '';
  return outcome === 'denied' ? denialText(note) : say(note);
}

/** The person's own words in quotes; what the host says in their place without. */
function denialText(note: Message): string {
  return sayRefusal(note) ?? t('page.activity.said', { note });
}

function Thumbnail({ picture, app }: { picture: Picture; app: string | null }): ReactNode {
  return (
    <span className="thumb">
      {picture === null ? (
        <Icon name={app === null ? 'terminal' : 'window'} />
      ) : (
        <img src={pictureUrl(picture)} width={64} height={40} alt="" decoding="async" />
      )}
    </span>
  );
}

/** Whether the record is unchanged, as far as the host has checked it. */
export function RecordState({ status }: { status: Status }): ReactNode {
  const { recordVerified: verified, recordChecking: percent } = status;
  if (percent !== undefined) return <span className="end out mut">{t('page.activity.checking', { percent })}</span>;
  return (
    <span className={`end out ${verified ? 'ok' : 'bad'}`}>
      <Icon name={verified ? 'shield' : 'alert'} />
      {verified ? t('page.activity.verified') : t('page.activity.broken')}
    </span>
  );
}
