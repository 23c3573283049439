/**
 * Which objects of other processes are a part of an application. Any application can name any object of the bus as its child; what it
 * names is read as its own only where a process that it started, without windows, shows it: the page of WebKitGTK, a plug of GTK.
 * Called by object-reader.ts.
 */
import type { Windows } from '../windows.js';
import type { AccessibilityBus, Ref } from './bus.js';

/** By bus name: whether the objects of `part` may be read as those of `holder`. */
export type IsEmbedded = (holder: string, part: string, signal: AbortSignal) => Promise<boolean>;

export function createIsEmbedded(
  bus: Pick<AccessibilityBus, 'pidOf'>,
  windows: Pick<Windows, 'list'>,
  lineage: (pid: number) => readonly { pid: number }[],
): IsEmbedded {
  return async (holder, part, signal) => {
    const [own, other] = await Promise.all([bus.pidOf(holder), bus.pidOf(part)]);
    if (own === 0 || other === 0) return false;
    if (own === other) return true;
    if (!lineage(other).some(({ pid }) => pid === own)) return false;
    const all = await windows.list(signal);
    return !all.some(({ pid, inside }) => pid === other || inside.some((one) => one.pid === other));
  };
}

/** Without the objects of other applications; their places stay empty, so that indexes stay true. */
export async function withoutForeign(
  isEmbedded: IsEmbedded,
  holder: Ref,
  children: readonly Ref[],
  signal: AbortSignal,
): Promise<readonly (Ref | null)[]> {
  const others = [...new Set(children.map((one) => one.bus))].filter((name) => name !== holder.bus);
  if (others.length === 0) return children;
  const embedded = await Promise.all(others.map((name) => isEmbedded(holder.bus, name, signal)));
  const parts = new Set([holder.bus, ...others.filter((_, index) => embedded[index] === true)]);
  return children.map((one) => (parts.has(one.bus) ? one : null));
}
