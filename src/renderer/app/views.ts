/** Which views there are, by address. What is not listed here shows the home page and is not in the navigation. */
import type { ReactNode } from 'react';
import type { Route } from './route.js';
import { Agents } from '../features/agents/Agents.js';
import { Health } from '../features/health/Health.js';
import { Activity } from '../features/activity/Activity.js';
import { Evidence } from '../features/evidence/Evidence.js';
import { Home } from '../features/home/Home.js';
import { Live } from '../features/live/Live.js';
import { Settings } from '../features/settings/Settings.js';
import { Welcome } from '../features/setup/Welcome.js';
import type { ViewProps } from './props.js';

type View = (props: ViewProps) => ReactNode;
export type PlainView = Exclude<Route['view'], 'evidence'>;

/** In the order of the navigation. */
const NAMES: readonly PlainView[] = ['home', 'activity', 'live', 'agents', 'health', 'settings'];

export const VIEWS: { readonly home: View } & { readonly [V in PlainView]?: View } = {
  home: Home,
  activity: Activity,
  live: Live,
  agents: Agents,
  health: Health,
  settings: Settings,
  welcome: Welcome,
};

export const viewNames: readonly PlainView[] = NAMES.filter((name) => VIEWS[name] !== undefined);

/** One action's evidence. */
export const EVIDENCE: ((props: ViewProps & { executionId: string }) => ReactNode) | null = Evidence;

/** The view an address shows, which is the home page where that view does not exist. */
export function shownView({ view }: Route): Route['view'] {
  if (view === 'evidence') return EVIDENCE === null ? 'home' : view;
  return VIEWS[view] === undefined ? 'home' : view;
}
