import { expect, it, vi } from 'vitest';
import type { AccessibilityBus } from '../../../src/native/linux/atspi/bus.js';
import { openPageWaiter } from '../../../src/native/linux/atspi/documents.js';
import { ROLE, STATE } from '../../../src/native/linux/atspi/accessible-object.js';
import { snapshotOf, type Part } from '../../support/snapshots.js';

const text: Part = { name: 'words' };
const page = (...parts: Part[]): Part => ({ name: 'page', role: ROLE.documentWeb, states: [STATE.showing], parts });
const windowOf = (name: string, document: Part): Part => ({ name, role: ROLE.frame, parts: [document] });
const browser = (...windows: Part[]) => snapshotOf({ name: 'browser', role: ROLE.application, parts: windows });

/** A browser that tells no address of any page. */
const bus = { call: () => Promise.resolve([{}]) } as unknown as AccessibilityBus;

it.each([
  ['a page without content in a window with a title', browser(windowOf('Shop', page())), 1],
  ['no page at all', browser({ name: 'Shop', role: ROLE.frame }), 1],
  ['nothing: the spare window has no title', browser(windowOf('Shop', page(text)), windowOf('', page())), 0],
  ['a spare window alone, whose page shows nothing yet', browser(windowOf('', page())), 1],
  ['nothing: the window without a title has content', browser(windowOf('', page(text))), 0],
])('waits for %s', async (_what, first, times) => {
  const later = vi.fn(() => Promise.resolve(browser(windowOf('Shop', page(text)))));
  const signal = new AbortController().signal;
  const { note } = await openPageWaiter(bus).waitForPages(first, later, Date.now() + 60_000, signal);
  expect([later.mock.calls.length, note]).toEqual([times, null]);
});
