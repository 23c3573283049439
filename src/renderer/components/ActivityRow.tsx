/** One action. Opens to the tool, what was said, and where its evidence lies. */
import { useState, type ReactNode } from 'react';
import { effectIcon, effectTone } from '../page/effects.js';
import { clockTime } from '../page/time.js';
import type { Activity } from '../state/state.js';
import { strings } from '../strings.js';
import { Title } from './CardHead.js';
import { pictureUrl } from './CardPicture.js';
import { CopyLine } from './CopyLine.js';
import { Icon, type IconName } from './Icon.js';
import { Shown } from './Shown.js';

type Outcome = Activity['outcome'];

const OUTCOMES: Record<Outcome, { icon: IconName; tone: string }> = {
  confirmed: { icon: 'check', tone: 'ok' },
  unverified: { icon: 'q', tone: 'wait' },
  no_change: { icon: 'minus', tone: '' },
  denied: { icon: 'x', tone: '' },
  no_answer: { icon: 'clock', tone: '' },
  failed: { icon: 'alert', tone: 'bad' },
  running: { icon: 'play', tone: '' },
  waiting: { icon: 'hand', tone: 'wait' },
};
const UNDONE: ReadonlySet<Outcome> = new Set(['denied', 'no_answer', 'failed', 'running', 'waiting']);

export function ActivityRow({ row }: { row: Activity }): ReactNode {
  const [open, setOpen] = useState(false);
  const { icon, tone } = OUTCOMES[row.outcome];
  return (
    <li data-anchor data-fold={open ? 'open' : 'closed'}>
      <button type="button" className="row" aria-expanded={open} data-fold-button onClick={() => setOpen(!open)}>
        <Thumbnail row={row} />
        <span className="what">
          <span className="t">
            <Icon name={effectIcon(row.effect, row.subject.verb)} tone={effectTone(row.effect)} />
            <span className="trunc">
              <Title subject={titleOf(row)} />
            </span>
          </span>
          <Where row={row} />
        </span>
        <span className={`o out ${tone}`}>
          <Icon name={icon} />
          {strings.activity.outcome[row.outcome]}
        </span>
        <time className="num" dateTime={row.at}>
          {clockTime(row.at)}
        </time>
      </button>
      {open ? <Details row={row} /> : null}
    </li>
  );
}

/** Past tense for what was done, present tense for what was not. The app is on the second line. */
function titleOf(row: Activity): Activity['subject'] {
  return { ...row.subject, verb: UNDONE.has(row.outcome) ? row.subject.verb : row.subject.done, app: null };
}

function Where({ row }: { row: Activity }): ReactNode {
  const place = [row.subject.app, row.subject.place].filter((part) => part !== null).join(', ');
  const said = row.note === null ? '' : row.outcome === 'denied' ? strings.activity.said(row.note) : row.note;
  return (
    <span className="s trunc">
      <span className="agent">
        <Shown text={row.agent.name} />
        {place === '' ? '' : ', '}
      </span>
      <Shown text={[place, said].filter((part) => part !== '').join('. ')} />
    </span>
  );
}

function Thumbnail({ row }: { row: Activity }): ReactNode {
  const { thumbnail } = row;
  const icon = row.subject.app === null ? 'term' : 'win';
  return (
    <span className="thumb">
      {thumbnail === null ? <Icon name={icon} /> : <img src={pictureUrl(thumbnail)} width={64} height={40} alt="" />}
    </span>
  );
}

function Details({ row }: { row: Activity }): ReactNode {
  return (
    <div className="row-more">
      <dl className="kv">
        <dt>{strings.activity.tool}</dt>
        <dd className="mono">
          <Shown text={row.tool} />
        </dd>
        {row.note === null ? null : (
          <>
            <dt>{strings.activity.note}</dt>
            <dd>
              <Shown text={row.note} />
            </dd>
          </>
        )}
      </dl>
      {row.evidenceDir === null ? null : <CopyLine text={row.evidenceDir} />}
    </div>
  );
}
