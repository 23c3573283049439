/** Scrolls to what waits for the person, and disables decision buttons for a moment. */
import { PAGE_SCROLLED } from './armed.js';
import type { Waiting } from '../../state/waiting.js';

/** The address that leads to the oldest that waits. */
export const WAITING_HREF = '#waiting';

/** Only what the home page shows now; null elsewhere, and for a question in a folded conversation. */
export function elementOf({ kind, id }: Waiting): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-${kind}="${CSS.escape(id)}"]`);
}

/** False where it is not on the screen at all, as on another view. */
export function scrollToWaiting(item: Waiting, focus: boolean): boolean {
  const element = elementOf(item) ?? unfoldConversation();
  if (element === null || !element.checkVisibility()) return false;
  element.scrollIntoView({ block: 'start', behavior: 'instant' });
  if (focus) element.focus({ preventScroll: true });
  window.dispatchEvent(new Event(PAGE_SCROLLED));
  return true;
}

/** In the popover the conversation is one line while requests wait. */
function unfoldConversation(): HTMLElement | null {
  const fold = document.querySelector<HTMLElement>('#conversation[aria-expanded="false"]');
  fold?.click();
  return fold;
}
