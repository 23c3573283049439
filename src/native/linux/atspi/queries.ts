/** What an application reports of one of its objects now. */
import { type AccessibilityBus, type Ref, refOf, refs } from './bus.js';
import { type StateSet, stateSet } from './states.js';

/** Containers with more children than this are never asked for all of them. */
export const MAX_LISTED_CHILDREN = 5000;

/** A role that is no number is none of the known ones. */
export async function readRole(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<unknown> {
  return (await bus.call(ref, 'Accessible.GetRole', { signal }))[0];
}

export async function readStates(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<StateSet> {
  return stateSet((await bus.call(ref, 'Accessible.GetState', { signal }))[0]);
}

/**
 * All of them; at most `atMost` where there are more. A container that makes its children when it is asked for them would make
 * millions.
 */
export async function readChildren(
  bus: AccessibilityBus,
  ref: Ref,
  signal: AbortSignal,
  atMost = MAX_LISTED_CHILDREN,
): Promise<Ref[]> {
  const count = await bus.property(ref, 'Accessible.ChildCount', { signal });
  // A number that does not fit in 32 bits is below zero.
  if (typeof count === 'number' && count >= 0 && count <= atMost) return listChildren(bus, ref, { signal });
  const children = await Promise.all(Array.from({ length: atMost }, (_, index) => childAt(bus, ref, index, signal)));
  return children.filter((child) => child !== null);
}

/** For a container of which it is known that it has not too many. */
export async function listChildren(
  bus: AccessibilityBus,
  ref: Ref,
  options: { signal: AbortSignal; timeout?: number },
): Promise<Ref[]> {
  return refs((await bus.call(ref, 'Accessible.GetChildren', options))[0]);
}

export async function childAt(
  bus: AccessibilityBus,
  ref: Ref,
  index: number,
  signal: AbortSignal,
): Promise<Ref | null> {
  return refOf((await bus.call(ref, 'Accessible.GetChildAtIndex', { signature: 'i', body: [index], signal }))[0]);
}
