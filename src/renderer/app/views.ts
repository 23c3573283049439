/** The views of the page by address, and those that are in the navigation. */
import type { ReactNode } from 'react';
import type { ViewRoute } from './route.js';
import { AgentsView } from '../features/agents/AgentsView.js';
import { HealthView } from '../features/health/HealthView.js';
import { ActivityView } from '../features/activity/ActivityView.js';
import { HomeView } from '../features/home/HomeView.js';
import { LiveView } from '../features/live/LiveView.js';
import { SettingsView } from '../features/settings/SettingsView.js';
import { WelcomeView } from '../features/setup/WelcomeView.js';
import type { ViewProps } from './props.js';

export type ViewName = Exclude<ViewRoute['view'], 'evidence'>;

export const NAVIGATION: readonly ViewName[] = ['home', 'activity', 'live', 'agents', 'health', 'settings'];

export const VIEWS: Readonly<Record<ViewName, (props: ViewProps) => ReactNode>> = {
  home: HomeView,
  activity: ActivityView,
  live: LiveView,
  agents: AgentsView,
  health: HealthView,
  settings: SettingsView,
  welcome: WelcomeView,
};
