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
  const [taken] = await bus.call(ref, 'Component.GrabFocus', { signal });
  const focused = async (): Promise<true | null> => {
    const [states] = await bus.call(ref, 'Accessible.GetState', { signal });
    return has(stateSet(states), STATE.focused) ? true : null;
  };
  if ((await poll(focused, taken === false ? 0 : TAKES_FOCUS_WITHIN, signal)) !== null) return;
  throw new DesktopError('failed', 'The element did not take the focus. Focus its window first, or click the element.');
}
