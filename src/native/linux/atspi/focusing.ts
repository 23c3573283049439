import { DesktopError } from '../../desktop.js';
import { poll } from '../poll.js';
import { parseId } from './bus.js';
import type { Scene } from './scene.js';
import { has, STATE, stateSet } from './states.js';

const TAKES_FOCUS_WITHIN = 1000;

/** Gives an element the keyboard focus, and sees that it has it. */
export async function focusElement({ bus, reader }: Scene, id: string, signal: AbortSignal): Promise<void> {
  const ref = parseId(id);
  const item = await reader.item(ref, signal);
  if (!item.interfaces.has('Component')) {
    throw new DesktopError('unsupported', 'The element cannot take the focus. Click it instead.');
  }
  const taken = await bus.call(ref, 'Component.GrabFocus', { signal }).then(([answer]) => answer, orUnknown);
  const focused = async (): Promise<true | null> => {
    const [states] = await bus.call(ref, 'Accessible.GetState', { signal });
    return has(stateSet(states), STATE.focused) ? true : null;
  };
  if ((await poll(focused, taken === true ? TAKES_FOCUS_WITHIN : 0, signal)) !== null) return;
  if (taken === null)
    throw new DesktopError('unsupported', 'Its toolkit gives no element the focus. Click it instead.');
  throw new DesktopError('failed', 'The element did not take the focus. Focus its window first, or click the element.');
}

/** GTK 4 has no such call. */
function orUnknown(error: unknown): null {
  if (error instanceof DesktopError && error.code === 'unsupported') return null;
  throw error;
}
