/** Parts of a view that have a heading. */
import type { ReactNode } from 'react';

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
