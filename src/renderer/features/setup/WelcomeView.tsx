/** The introduction again, by a link. */
import type { ReactNode } from 'react';
import { FirstRun, useFirstSteps } from './FirstRun.js';
import { FirstSteps } from './FirstSteps.js';
import { hrefOf } from '../../app/route.js';
import type { ViewProps } from '../../app/actions.js';

export function WelcomeView({ state, actions }: ViewProps): ReactNode {
  const first = useFirstSteps();
  if (state.popover !== 'here') return <FirstRun state={state} actions={actions} />;
  const home = () => void (location.hash = hrefOf({ view: 'home' }));
  return <FirstSteps first={first} state={state} actions={actions} onClose={home} />;
}
