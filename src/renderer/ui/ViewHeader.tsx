/** The heading of every view but the home view, with a link back. */
import type { ReactNode } from 'react';
import { hrefOf, type ViewRoute } from '../app/route.js';
import { t } from '../strings.js';
import { Icon } from './Icon.js';

const HOME: ViewRoute = { view: 'home' };

export function ViewHeader({
  title,
  back = HOME,
  children,
}: {
  title: ReactNode;
  back?: ViewRoute;
  /** Beside the title, at its end. */
  children?: ReactNode;
}): ReactNode {
  return (
    <div className="view-h">
      <a className="back" href={hrefOf(back)}>
        <Icon name="left" />
        {back.view === 'evidence' ? t('page.activity.evidence') : t(`page.views.${back.view}`)}
      </a>
      <div className="view-t">
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  );
}
