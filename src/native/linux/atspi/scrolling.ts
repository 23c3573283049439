import { contains } from '../../../base/rect.js';
import { DesktopError, type Element, type Rect } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { idOf, nullFor, parseId, type Ref, rootOf } from './bus.js';
import type { Gtk4Layout } from './gtk4-layout.js';
import { readRole } from './queries.js';
import type { ElementReader } from './element-reader.js';
import { LISTS, ROLE, TOP_LEVEL, type AccessibleObject, has, STATE } from './accessible-object.js';
import type { AccessibleTree } from './accessible-tree.js';
import { readExtents } from './toplevels.js';
import { message } from '../../../messages/index.js';

/** Elements that are scrolled out of view: what scrolls them, and scrolling to them. */
export interface Scrolling {
  scrollerOf(id: string, signal: AbortSignal): Promise<Element | null>;
  intoView(id: string, signal: AbortSignal): Promise<void>;
}

const nullWhenRefused = nullFor('unsupported', 'failed', 'stale');
const SHOWS_WITHIN_MS = 3000;
/** ATSPI_SCROLL_ANYWHERE */
const ANYWHERE = 6;

const SCROLLERS: ReadonlySet<number> = new Set([ROLE.scrollPane, ROLE.documentWeb]);
/** Their content is hidden because they are closed or not selected, not because of scrolling. */
const CLOSABLE: ReadonlySet<unknown> = new Set<unknown>([
  ROLE.pageTab,
  ROLE.menu,
  ROLE.popupMenu,
  ROLE.menuItem,
  ROLE.comboBox,
]);

export function openScrolling(accessibleTree: AccessibleTree, elementReader: ElementReader): Scrolling {
  const { bus, reader, ancestors } = accessibleTree;
  const extentsOf = (item: AccessibleObject, signal: AbortSignal): Promise<Rect | null> =>
    item.interfaces.has('Component')
      ? readExtents(bus, item.ref, signal).catch(nullWhenRefused)
      : Promise.resolve(null);

  const layoutOf = async (ref: Ref, signal: AbortSignal): Promise<Gtk4Layout | null> => {
    const root = rootOf(ref.bus);
    const { name, major } = await accessibleTree.toolkitOf(root, signal);
    if (name !== 'gtk' || major < 4) return null;
    return (await accessibleTree.context(root, await bus.pidOf(ref.bus), signal)).gtk4Layout;
  };

  /** GTK 4 tells by positions alone what is scrolled away; rows of a long list that do not show have none. */
  const gtk4ScrollerOf = async (
    layout: Gtk4Layout,
    { ref, states }: AccessibleObject,
    signal: AbortSignal,
  ): Promise<Element | null> => {
    if (!has(states, STATE.visible) || (await layout.placeOf(ref, signal)) !== null) return null;
    let scrolls = await layout.scrolledAway(ref, signal);
    for (const above of await ancestors(ref, signal)) {
      const role = await readRole(bus, above, signal);
      if (CLOSABLE.has(role)) return null;
      scrolls ||= await layout.scrolledAway(above, signal);
      if ((await layout.placeOf(above, signal)) === null) continue;
      scrolls ||= LISTS.has(role);
      if (!scrolls) return null;
      if (role === ROLE.scrollPane) return elementReader.element(idOf(above), signal);
    }
    return null;
  };

  const scrollerOf: Scrolling['scrollerOf'] = async (id, signal) => {
    const ref = parseId(id);
    const item = await reader.item(ref, signal);
    if (has(item.states, STATE.showing) || TOP_LEVEL.has(item.role)) return null;
    const layout = await layoutOf(ref, signal);
    if (layout !== null) return gtk4ScrollerOf(layout, item, signal);
    const extents = await extentsOf(item, signal);
    for (const above of await ancestors(ref, signal)) {
      const holder = await reader.item(above, signal);
      if (CLOSABLE.has(holder.role) || TOP_LEVEL.has(holder.role)) return null;
      if (!has(holder.states, STATE.showing)) continue;
      const scrolls = SCROLLERS.has(holder.role) && has(item.states, STATE.visible);
      if (!scrolls && !liesOutside(extents, await extentsOf(holder, signal))) continue;
      const scroller = await elementReader.element(idOf(above), signal);
      return scroller.states.visible && scroller.frame !== null ? scroller : null;
    }
    return null;
  };

  const intoView: Scrolling['intoView'] = async (id, signal) => {
    const ref = parseId(id);
    const body = { signature: 'u', body: [ANYWHERE], signal };
    // Toolkits without this call answer that the object does not exist; so the element is read again below.
    const [taken] = await bus.call(ref, 'Component.ScrollTo', body).catch((thrown) => [nullWhenRefused(thrown)]);
    const shows = async (): Promise<true | null> =>
      has((await reader.item(ref, signal)).states, STATE.showing) ? true : null;
    if ((await poll(shows, taken === true ? SHOWS_WITHIN_MS : 0, signal)) !== null) return;
    if (taken === true) throw new DesktopError('failed', message('native.scrolled_not_showing'));
    const { name } = await accessibleTree.toolkitOf(rootOf(ref.bus), signal);
    const outside = name === 'qt' ? await extentsOf(await reader.item(ref, signal), signal) : null;
    throw new DesktopError('unsupported', message('native.toolkit_no_scroll'), outside === null ? {} : { outside });
  };

  return { scrollerOf, intoView };
}

/** No corner of it lies in the element that should show it. */
function liesOutside(extents: Rect | null, holder: Rect | null): boolean {
  if (extents === null || holder === null) return false;
  const corners = [0, extents.width - 1].flatMap((dx) =>
    [0, extents.height - 1].map((dy) => ({ x: extents.x + dx, y: extents.y + dy })),
  );
  return !corners.some((corner) => contains(holder, corner));
}
