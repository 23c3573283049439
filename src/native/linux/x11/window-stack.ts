/** All windows that can show on the screen, topmost first, whether or not they take input, with the areas that each can cover. */
import type { XGeometry, XWindowAttributes } from 'x11';
import type { Rect, StackedWindow } from '../../desktop.js';
import type { XConnection } from './connection.js';
import { type Properties, whenMissing } from './properties.js';
import type { Windows } from './windows.js';

const INPUT_OUTPUT = 1;
const VIEWABLE = 2;
/** A window may have very many children; the newest are searched first. */
const MAX_SEARCHED_WINDOWS = 200;

interface Node {
  xid: number;
  frame: Rect;
}

export function openWindowStack(
  x: XConnection,
  properties: Properties,
  windows: Windows,
): () => Promise<StackedWindow[]> {
  const childrenOf = async (xid: number): Promise<number[]> => {
    const tree = await x.query<{ children: number[] }>((r) => x.client.QueryTree(xid, r)).catch(whenMissing);
    return (tree?.children ?? []).toReversed();
  };

  /** null where it is not visible. */
  const nodeOf = async (xid: number): Promise<Node | null> => {
    const [attributes, geometry, place] = await Promise.all([
      x.query<XWindowAttributes>((r) => x.client.GetWindowAttributes(xid, r)).catch(whenMissing),
      x.query<XGeometry>((r) => x.client.GetGeometry(xid, r)).catch(whenMissing),
      x
        .query<{ destX: number; destY: number; child: number }>((r) =>
          x.client.TranslateCoordinates(xid, x.root, 0, 0, r),
        )
        .catch(whenMissing),
    ]);
    if (attributes === null || geometry === null || place === null) return null;
    if (attributes.klass !== INPUT_OUTPUT || attributes.mapState !== VIEWABLE) return null;
    return { xid, frame: { x: place.destX, y: place.destY, width: geometry.width, height: geometry.height } };
  };

  const areasOf = async ({ xid, frame }: Node): Promise<Rect[]> => {
    const shape = await x.extension('shape');
    if (shape === null) return [frame];
    const reply = await x
      .query<{ rectangles: [number, number, number, number][] }>((r) =>
        shape.GetRectangles(xid, shape.Kind.Bounding, r),
      )
      .catch(whenMissing);
    return (reply?.rectangles ?? []).map(([left, top, width, height]) => {
      return { x: frame.x + left, y: frame.y + top, width, height };
    });
  };

  const titleOf = async (xid: number): Promise<string> =>
    (await properties.text(xid, '_NET_WM_NAME')) ?? (await properties.text(xid, 'WM_NAME')) ?? '';

  const describe = async (node: Node, client: number, managed: boolean, active: number): Promise<StackedWindow> => {
    const [areas, title, pid] = await Promise.all([areasOf(node), titleOf(client), windows.pidOf(client)]);
    return { pid, title, areas, frame: node.frame, managed, focused: managed && client === active };
  };

  /** The upper bits of an id are those of the connection that created the window. */
  const connectionOf = (xid: number): number => (xid & ~x.display.resource_mask) >>> 0;

  /** Windows of other programs inside it, at any depth. */
  const foreignWindowsIn = async (top: number, client: number): Promise<StackedWindow[]> => {
    const own = new Set([connectionOf(top), connectionOf(client)]);
    const found: Promise<StackedWindow>[] = [];
    const open = [top];
    for (let searched = 0; open.length > 0 && searched < MAX_SEARCHED_WINDOWS; searched++) {
      const children = await childrenOf(open.shift() ?? 0);
      open.push(...children);
      for (const xid of children) {
        const node = own.has(connectionOf(xid)) ? null : await nodeOf(xid);
        if (node !== null) found.push(describe(node, xid, false, 0));
      }
    }
    return Promise.all(found);
  };

  return async () => {
    const [tops, managed, active, manager] = await Promise.all([
      childrenOf(x.root),
      windows.managed(),
      windows.active(),
      windows.manager(),
    ]);
    const each = await Promise.all(
      tops.map(async (top) => {
        const node = await nodeOf(top);
        if (node === null) return [];
        const client = managed.get(top) ?? top;
        const [window, foreign] = await Promise.all([
          describe(node, client, managed.has(top), active),
          foreignWindowsIn(top, client),
        ]);
        const isManagers = !window.managed && window.pid !== 0 && window.pid === manager;
        return isManagers ? foreign : [...foreign, window];
      }),
    );
    return each.flat();
  };
}
