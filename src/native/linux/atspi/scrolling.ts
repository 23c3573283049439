import { contains } from '../../../base/rect.js';
import { DesktopError, type Element, type Rect } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { idOf, nullFor, parseId } from './bus.js';
import type { ElementReader } from './element-reader.js';
import { ROLE, TOP_LEVEL } from './roles.js';
import type { AccessibleTree } from './accessible-tree.js';
import type { AccessibleObject } from './accessible-object.js';
import { has, STATE } from './states.js';
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
const CLOSABLE: ReadonlySet<number> = new Set([ROLE.pageTab, ROLE.menu, ROLE.popupMenu, ROLE.menuItem, ROLE.comboBox]);

export function openScrolling({ bus, reader, ancestors }: AccessibleTree, elementReader: ElementReader): Scrolling {
  const extentsOf = (item: AccessibleObject, signal: AbortSignal): Promise<Rect | null> =>
    item.interfaces.has('Component')
      ? readExtents(bus, item.ref, signal).catch(nullWhenRefused)
      : Promise.resolve(null);

  const scrollerOf: Scrolling['scrollerOf'] = async (id, signal) => {
    const ref = parseId(id);
    const item = await reader.item(ref, signal);
    if (has(item.states, STATE.showing) || TOP_LEVEL.has(item.role)) return null;
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
    throw new DesktopError('unsupported', message('native.toolkit_no_scroll'));
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
