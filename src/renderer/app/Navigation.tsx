/** Links between the views: a row under the header, and in the popover a fixed row at the bottom. */
import type { Actions } from './actions.js';
import type { ReactNode } from 'react';
import { hrefOf, type ViewRoute } from './route.js';
import type { ViewName } from './views.js';
import { t } from '../strings.js';
import { Button } from '../ui/Button.js';
import { Icon, type IconName } from '../ui/Icon.js';

interface Props {
  id: string;
  items: readonly ViewName[];
  current: ViewRoute['view'];
  /** Things about this installation that need the person. */
  issues: number;
}

export function Navigation({ id, items, current, issues }: Props): ReactNode {
  const troubled = items.includes('health') ? 'health' : 'settings';
  return (
    <nav className="nav" id={id} aria-label={t('page.views.label')}>
      <ul>
        {items.map((view) => (
          <li key={view}>
            <a href={hrefOf({ view })} aria-current={isCurrent(view, current) ? 'page' : undefined}>
              {t(`page.views.${view}`)}
              {view === troubled && issues > 0 ? <Issues count={issues} /> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Issues({ count }: { count: number }): ReactNode {
  return (
    <>
      <span className="count num" aria-hidden="true">
        {count}
      </span>
      <span className="vh">{t('page.views.issues', { count })}</span>
    </>
  );
}

interface FootProps {
  items: readonly ViewName[];
  current: ViewRoute['view'];
  actions: Pick<Actions, 'send'>;
}

const ICONS: readonly [view: ViewName, icon: IconName][] = [
  ['activity', 'clock'],
  ['settings', 'settings'],
];

export function PopoverFoot({ items, current, actions }: FootProps): ReactNode {
  return (
    <nav className="pop-f" id="views" aria-label={t('page.views.foot')}>
      <Button variant="quiet" icon="external" onClick={() => actions.send({ type: 'openBrowser' })}>
        {t('page.views.open_browser')}
      </Button>
      <span className="end">
        {ICONS.filter(([view]) => items.includes(view)).map(([view, icon]) => {
          const on = isCurrent(view, current);
          return (
            <a
              key={view}
              className="btn quiet icon"
              href={hrefOf({ view: on ? 'home' : view })}
              aria-current={on ? 'page' : undefined}
              aria-label={t(`page.views.${view}`)}
              title={t(`page.views.${view}`)}
            >
              <Icon name={icon} />
            </a>
          );
        })}
      </span>
    </nav>
  );
}

/** The evidence of an action belongs to the activity view. */
function isCurrent(view: ViewName, current: ViewRoute['view']): boolean {
  return view === (current === 'evidence' ? 'activity' : current);
}
