/** A view whose code is not in the page's first file. Until that is here, and where it cannot be had, the view says so. */
import { useEffect, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { Button } from '../ui/Button.js';
import { loadedOnce } from '../ui/loaded.js';
import { ViewHeader } from '../ui/Region.js';
import { t } from '../strings.js';
import type { ViewProps } from './actions.js';
import type { ViewRoute } from './route.js';
import { loadMarkdown } from '../features/chat/MarkdownText.js';
import { HomeView } from '../features/home/HomeView.js';
import { WelcomeView } from '../features/setup/WelcomeView.js';
import type * as LaterViews from './later-views.js';

export interface LazyView<P extends ViewProps> {
  (props: P): ReactNode;
  /** Once it has resolved, the view is shown at once. */
  load(): Promise<void>;
}

export function lazyView<P extends ViewProps>(
  title: () => string,
  fetch: () => Promise<ComponentType<P>>,
): LazyView<P> {
  const view = loadedOnce(fetch);

  function Lazy(props: P): ReactNode {
    const { connection } = props.state;
    const View = useSyncExternalStore(view.on, view.get);
    const [failedAt, setFailedAt] = useState<typeof connection | null>(null);
    // Tried again when the host is back.
    useEffect(() => {
      let wanted = true;
      view.load().catch(() => wanted && setFailedAt(connection));
      return () => {
        wanted = false;
      };
    }, [connection]);
    if (View !== null) return <View {...props} />;
    // What failed while the host was gone says nothing of a host that answers again.
    const failed = failedAt !== null && (connection !== 'open' || failedAt === 'open');
    return (
      <>
        <ViewHeader title={title()} />
        {failed ? <NotLoaded online={connection === 'open'} /> : <Loading />}
      </>
    );
  }

  return Object.assign(Lazy, { load: view.load });
}

function Loading(): ReactNode {
  return (
    <p className="mut" role="status">
      {t('page.list.loading')}
    </p>
  );
}

/** A file that cannot be had from a host that answers belongs to another build than the page. */
function NotLoaded({ online }: { online: boolean }): ReactNode {
  return (
    <div className="panel panel-b">
      <p role="status">{online ? t('page.views.outdated') : t('page.views.offline')}</p>
      {online ? (
        <Button variant="sm begin" icon="refresh" onClick={() => location.reload()}>
          {t('page.views.reload')}
        </Button>
      ) : null}
    </div>
  );
}

/** The views of the page by address, and those that are in the navigation. */
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
