/** Elements that are scrolled out of view: what scrolls them, and scrolling to them. */
import { intersect } from '../../../base/rect.js';
import { DesktopError, type Element } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Core } from '../core.js';
import { becomes } from './actions.js';
import type { ElementReader } from './element-reader.js';
import { ACTION, ROLE } from './names.js';

/** Their content is hidden because they are closed, not because of scrolling. */
const CLOSABLE: ReadonlySet<string> = new Set(['AXMenu', 'AXMenuItem', 'AXMenuBarItem', 'AXTabGroup']);

export function scrollerOf(reader: ElementReader, id: string): Element | null {
  const element = reader.element(id);
  const { frame } = element;
  if (element.states.visible || frame === null) return null;
  for (const above of reader.ancestors(id)) {
    if (CLOSABLE.has(above.role)) return null;
    if (above.role !== ROLE.scrollArea || above.frame === null || intersect(frame, above.frame) !== null) continue;
    return above.states.visible ? above : null;
  }
  return null;
}

export async function scrollIntoView(
  core: Core,
  reader: ElementReader,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const ref = core.elements.refOf(id);
  const shows = (): boolean => reader.element(id).states.visible;
  if (shows()) return;
  const offered = core.ax.actions(ref).includes(ACTION.scrollToVisible);
  if (!offered || core.ax.perform(ref, ACTION.scrollToVisible) === 'unsupported') {
    throw new DesktopError('unsupported', message('native.toolkit_no_scroll'));
  }
  if (!(await becomes(shows, signal))) throw new DesktopError('failed', message('native.scrolled_not_showing'));
}
