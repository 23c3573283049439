/** A view whose code is not in the page's first file. Until that is here, and where it cannot be had, the view says so. */
import { useEffect, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { Button } from '../ui/Button.js';
import { loadedOnce } from '../ui/loaded.js';
import { ViewHeader } from '../ui/Region.js';
import { t } from '../strings.js';
import type { ViewProps } from './props.js';

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
