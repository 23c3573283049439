import type { XConnection } from './connection.js';
import { readProperties } from './properties.js';

const PROPERTY_CHANGE = 0x400000;
const SUBSTRUCTURE_NOTIFY = 0x80000;

const OF_THE_SCREEN = ['_NET_CLIENT_LIST', '_NET_CLIENT_LIST_STACKING', '_NET_ACTIVE_WINDOW'];
/** The others change with every key press, or say nothing that a window list tells. */
const OF_A_WINDOW = [
  'WM_NAME',
  '_NET_WM_NAME',
  'WM_STATE',
  '_NET_WM_STATE',
  '_NET_FRAME_EXTENTS',
  '_GTK_FRAME_EXTENTS',
];
const COME_OR_GO = new Set(['CreateNotify', 'DestroyNotify', 'MapNotify', 'UnmapNotify', 'ReparentNotify']);
const MOVED = 'ConfigureNotify';

/** Calls `changed` when a top-level window has come, gone, moved or got another title or state; true: perhaps an application has, too. */
export function watchWindows(
  connect: () => Promise<XConnection>,
  changed: (applications: boolean) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  const opened = connect().then(
    async (x) => {
      // A display that goes away is told of by the backend's own connection.
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
    [OF_THE_SCREEN, OF_A_WINDOW].map(async (names) => new Set(await Promise.all(names.map((name) => x.atom(name))))),
  );
  let known = new Set<number>();

  const follow = async (): Promise<void> => {
    const clients = new Set(await properties.numbers(x.root, '_NET_CLIENT_LIST'));
    const fresh = [...clients].filter((xid) => !known.has(xid));
    known = clients;
    await Promise.allSettled(
      fresh.map((xid) => x.tell((done) => x.client.ChangeWindowAttributes(xid, { eventMask: PROPERTY_CHANGE }, done))),
    );
    // What it did before we listened is known now.
    if (fresh.length > 0) changed(false);
  };

  x.onEvent((event) => {
    if (event.name === MOVED) return changed(false);
    if (COME_OR_GO.has(event.name)) return changed(true);
    if (event.name !== 'PropertyNotify' || event.atom === undefined) return;
    const ofScreen = event.wid === x.root;
    if ((ofScreen ? screen : window)?.has(event.atom) !== true) return;
    changed(ofScreen);
    if (ofScreen) follow().catch(() => {});
  });
  const eventMask = SUBSTRUCTURE_NOTIFY | PROPERTY_CHANGE;
  await x.tell((done) => x.client.ChangeWindowAttributes(x.root, { eventMask }, done));
  await follow();
}
