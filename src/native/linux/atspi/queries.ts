/** What an application reports of one of its objects now. */
import { type AccessibilityBus, type Ref, refs } from './bus.js';
import { type StateSet, stateSet } from './states.js';

/** A role that is no number is none of the known ones. */
export async function readRole(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<unknown> {
  return (await bus.call(ref, 'Accessible.GetRole', { signal }))[0];
}

export async function readStates(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<StateSet> {
  return stateSet((await bus.call(ref, 'Accessible.GetState', { signal }))[0]);
}

export async function readChildren(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<Ref[]> {
  return refs((await bus.call(ref, 'Accessible.GetChildren', { signal }))[0]);
}
