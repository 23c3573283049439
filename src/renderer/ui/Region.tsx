/** Parts of a view that have a heading. */
import type { ReactNode } from 'react';
import { hrefOf, type ViewRoute } from '../app/route.js';
import { t } from '../strings.js';
import { Icon } from './Icon.js';

interface Props {
  /** The heading's id is `h-` and this. */
  id: string;
  heading: string;
  children: ReactNode;
}

export function Region({ id, heading, children }: Props): ReactNode {
  return (
    <section className="region" aria-labelledby={`h-${id}`}>
      <div className="region-h">
        <h2 id={`h-${id}`}>{heading}</h2>
      </div>
      {children}
    </section>
  );
}

/** In a frame. `end` stands at the end of the heading's line. */
export function Panel({ id, heading, end = null, children }: Props & { end?: ReactNode }): ReactNode {
  return (
    <section className="panel" aria-labelledby={`h-${id}`}>
      <div className="panel-h">
        <h2 id={`h-${id}`}>{heading}</h2>
        {end}
      </div>
      <div className="panel-b">{children}</div>
    </section>
  );
}

// The heading of every view but the home view, with a link back.

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
