import { DesktopError } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { parseId, type Ref } from './bus.js';
import { keyboardHolder, outerDocument } from './keyboard.js';
import { ROLE } from './roles.js';
import type { Scene } from './scene.js';
import { has, STATE, stateSet } from './states.js';

const TAKES_FOCUS_WITHIN = 1000;
const PATIENCE = 5000;
const MOST_NODES = 100_000;

/** Gives an element the keyboard focus, and sees that it has it. */
export async function focusElement(scene: Scene, id: string, signal: AbortSignal): Promise<void> {
  const { bus, reader } = scene;
  const ref = parseId(id);
  const item = await reader.item(ref, signal);
  if (!item.interfaces.has('Component')) {
    throw new DesktopError('unsupported', 'The element cannot take the focus. Click it instead.');
  }
  const taken = await bus.call(ref, 'Component.GrabFocus', { signal }).then(([answer]) => answer, orUnknown);
  const focused = async (): Promise<true | null> => {
    const [states] = await bus.call(ref, 'Accessible.GetState', { signal });
    if (!has(stateSet(states), STATE.focused)) return null;
    return (await isKeptByBrowser(scene, ref, signal)) ? null : true;
  };
  if ((await poll(focused, taken === true ? TAKES_FOCUS_WITHIN : 0, signal)) !== null) return;
  if (taken === null)
    throw new DesktopError('unsupported', 'Its toolkit gives no element the focus. Click it instead.');
  throw new DesktopError('failed', 'The element did not take the focus. Focus its window first, or click the element.');
}

/** An element of a web document says that it has the focus also while the browser's own controls have the keyboard. */
async function isKeptByBrowser({ bus, reader, ancestors }: Scene, ref: Ref, signal: AbortSignal): Promise<boolean> {
  const chain = [ref, ...(await ancestors(ref, signal))];
  const roles = await Promise.all(chain.map((one) => bus.call(one, 'Accessible.GetRole', { signal })));
  const top = chain.at(-1);
  if (top === undefined || !roles.some(([role]) => role === ROLE.documentWeb)) return false;
  const limits = { maxDepth: 200, maxNodes: MOST_NODES, deadline: Date.now() + PATIENCE };
  const snapshot = await reader.snapshot(top, [], limits, signal);
  const holder = keyboardHolder(snapshot);
  return holder !== null && outerDocument(snapshot, holder) === null;
}

/** GTK 4 has no such call. */
function orUnknown(error: unknown): null {
  if (error instanceof DesktopError && error.code === 'unsupported') return null;
  throw error;
}
