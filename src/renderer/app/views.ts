/** The views of the page by address, and those that are in the navigation. */
import type { ComponentType, ReactNode } from 'react';
import type { ViewRoute } from './route.js';
import { loadMarkdown } from '../features/chat/MarkdownText.js';
import { HomeView } from '../features/home/HomeView.js';
import { WelcomeView } from '../features/setup/WelcomeView.js';
import { t } from '../strings.js';
import type * as LaterViews from './later-views.js';
import { lazyView, type LazyView } from './lazy-view.js';
import type { ViewProps } from './props.js';

export type ViewName = Exclude<ViewRoute['view'], 'evidence'>;

export const NAVIGATION: readonly ViewName[] = ['home', 'activity', 'live', 'agents', 'health', 'settings'];

type Later = typeof LaterViews;
const later = async (): Promise<Later> => import('./later-views.js');

const laterView = (
  name: Exclude<ViewName, 'home' | 'welcome'>,
  pick: (views: Later) => ComponentType<ViewProps>,
): LazyView<ViewProps> =>
  lazyView(
    () => t(`page.views.${name}`),
    async () => pick(await later()),
  );

const LATER = {
  activity: laterView('activity', (views) => views.ActivityView),
  live: laterView('live', (views) => views.LiveView),
  agents: laterView('agents', (views) => views.AgentsView),
  health: laterView('health', (views) => views.HealthView),
  settings: laterView('settings', (views) => views.SettingsView),
};

export const VIEWS: Readonly<Record<ViewName, (props: ViewProps) => ReactNode>> = {
  home: HomeView,
  welcome: WelcomeView,
  ...LATER,
};

export const EvidenceView = lazyView<ViewProps & { executionId: string }>(
  () => t('page.activity.evidence'),
  async () => (await later()).EvidenceView,
);

/** All code that is not here yet, so that it is when it is wanted. */
export async function loadRest(): Promise<void> {
  await Promise.all([loadMarkdown(), ...[...Object.values(LATER), EvidenceView].map(({ load }) => load())]);
}
