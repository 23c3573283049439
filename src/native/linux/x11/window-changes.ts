import type { XConnection } from './connection.js';
import { PROPERTY_CHANGE, SUBSTRUCTURE_NOTIFY } from './event-masks.js';
import { readProperties } from './properties.js';

const SCREEN_PROPERTIES = ['_NET_CLIENT_LIST', '_NET_CLIENT_LIST_STACKING', '_NET_ACTIVE_WINDOW'];
/** Other properties change with every key press, or are not part of a window list. */
const WINDOW_PROPERTIES = [
  'WM_NAME',
  '_NET_WM_NAME',
  'WM_STATE',
  '_NET_WM_STATE',
  '_NET_FRAME_EXTENTS',
  '_GTK_FRAME_EXTENTS',
];
const LIFECYCLE_EVENTS = new Set(['CreateNotify', 'DestroyNotify', 'MapNotify', 'UnmapNotify', 'ReparentNotify']);
const MOVED = 'ConfigureNotify';

/**
 * Calls `changed` when a top-level window has appeared, gone, moved or got another title or state; with true where an
 * application may have started or ended too.
 */
export function watchWindows(
  connect: () => Promise<XConnection>,
  changed: (applications: boolean) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  const opened = connect().then(
    async (x) => {
      // The loss of the display is reported by the backend's own connection.
      if (!stopped) await select(x, changed).catch(() => {});
      return x;
    },
    () => null,
  );
  return {
    stop: async () => {
      stopped = true;
      await (await opened)?.close();
    },
  };
}

async function select(x: XConnection, changed: (applications: boolean) => void): Promise<void> {
  const properties = readProperties(x);
  const [screen, window] = await Promise.all(
    [SCREEN_PROPERTIES, WINDOW_PROPERTIES].map(
      async (names) => new Set(await Promise.all(names.map((name) => x.atom(name)))),
    ),
  );
  let known = new Set<number>();

  const watchNewClients = async (): Promise<void> => {
    const clients = new Set(await properties.numbers(x.root, '_NET_CLIENT_LIST'));
    const added = [...clients].filter((xid) => !known.has(xid));
    known = clients;
    await Promise.allSettled(
      added.map((xid) => x.send((done) => x.client.ChangeWindowAttributes(xid, { eventMask: PROPERTY_CHANGE }, done))),
    );
    // Changes before the events were selected are covered by this one.
    if (added.length > 0) changed(false);
  };

  x.onEvent((event) => {
    if (event.name === MOVED) return changed(false);
    if (LIFECYCLE_EVENTS.has(event.name)) return changed(true);
    if (event.name !== 'PropertyNotify' || event.atom === undefined) return;
    const isScreen = event.wid === x.root;
    if ((isScreen ? screen : window)?.has(event.atom) !== true) return;
    changed(isScreen);
    if (isScreen) watchNewClients().catch(() => {});
  });
  const eventMask = SUBSTRUCTURE_NOTIFY | PROPERTY_CHANGE;
  await x.send((done) => x.client.ChangeWindowAttributes(x.root, { eventMask }, done));
  await watchNewClients();
}
