import { DesktopError } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { nullFor, parseId, type Ref } from './bus.js';
import { readRole, readStates } from './queries.js';
import { findKeyboardFocus, outerDocument } from './keyboard-focus.js';
import { ROLE } from './roles.js';
import type { AccessibleTree } from './accessible-tree.js';
import { has, STATE } from './states.js';
import { message } from '../../../messages/index.js';

const FOCUS_TIMEOUT_MS = 1000;
const SNAPSHOT_TIMEOUT_MS = 5000;
const MAX_NODES = 100_000;

/** Gives an element the keyboard focus, and verifies it. */
export async function focusElement(accessibleTree: AccessibleTree, id: string, signal: AbortSignal): Promise<void> {
  const { bus, reader } = accessibleTree;
  const ref = parseId(id);
  const item = await reader.item(ref, signal);
  if (!item.interfaces.has('Component')) {
    throw new DesktopError('unsupported', message('native.cannot_focus'));
  }
  // GTK 4 has no such call.
  const taken = await bus
    .call(ref, 'Component.GrabFocus', { signal })
    .then(([answer]) => answer, nullFor('unsupported'));
  const focused = async (): Promise<true | null> => {
    if (!has(await readStates(bus, ref, signal), STATE.focused)) return null;
    return (await hasBrowserFocus(accessibleTree, ref, signal)) ? null : true;
  };
  if ((await poll(focused, taken === true ? FOCUS_TIMEOUT_MS : 0, signal)) !== null) return;
  if (taken === null) throw new DesktopError('unsupported', message('native.toolkit_no_focus'));
  throw new DesktopError('failed', message('native.focus_not_taken'));
}

/** An element of a web document reports the focus also while the browser's own controls have the keyboard. */
async function hasBrowserFocus(
  { bus, reader, ancestors }: AccessibleTree,
  ref: Ref,
  signal: AbortSignal,
): Promise<boolean> {
  const chain = [ref, ...(await ancestors(ref, signal))];
  const roles = await Promise.all(chain.map((one) => readRole(bus, one, signal)));
  const top = chain.at(-1);
  if (top === undefined || !roles.includes(ROLE.documentWeb)) return false;
  const limits = { maxDepth: 200, maxNodes: MAX_NODES, deadline: Date.now() + SNAPSHOT_TIMEOUT_MS };
  const snapshot = await reader.snapshot(top, [], limits, signal);
  const focused = findKeyboardFocus(snapshot);
  return focused !== null && outerDocument(snapshot, focused) === null;
}
