/** The way back to the first steps. */
import type { ReactNode } from 'react';
import { hrefOf } from '../../app/route.js';
import { strings } from '../../strings.js';

export function FirstStepsLink(): ReactNode {
  const { again, againText } = strings.setup.steps;
  return (
    <p className="small mut">
      <a href={hrefOf({ view: 'welcome' })}>{again}</a>
      {strings.marks.colon}
      {againText}
    </p>
  );
}
