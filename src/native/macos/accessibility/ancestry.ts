/** From an element up to its application: ancestors, and the path by which it is reached from there. */
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import { ATTRIBUTE, ROLE } from './names.js';
import { elementOf, listOf, textOf } from './plain.js';
import type { Scope } from '../foundation/scope.js';

/** More than any interface has; a tree whose parents form a circle ends here. */
const MOST_ANCESTORS = 200;

/** The children of an element, each once. Windows and menu bar hang below the application. */
export function childrenOf(core: Core, scope: Scope, ref: Ref, role: string, listed: readonly Ref[]): Ref[] {
  const more = role === ROLE.application ? listOf(core.ax.attribute(scope, ref, ATTRIBUTE.windows)) : [];
  if (more.length === 0) return [...listed];
  const known = [...listed];
  const { CFEqual } = core.bound.coreFoundation;
  for (const window of more) if (!known.some((each) => CFEqual(each, window) !== 0)) known.push(window);
  return known;
}

/** Nearest first, the application last; borrowed for the scope. */
export function ancestorsOf(core: Core, scope: Scope, ref: Ref): Ref[] {
  const found: Ref[] = [];
  for (let at = parentOf(core, scope, ref); at !== null && found.length < MOST_ANCESTORS;) {
    found.push(at);
    at = parentOf(core, scope, at);
  }
  return found;
}

/** Child indexes from the application. Empty for the application itself. */
export function pathOf(core: Core, scope: Scope, ref: Ref, ancestors: readonly Ref[]): number[] {
  return [ref, ...ancestors]
    .slice(0, -1)
    .map((child, index) => indexIn(core, scope, ancestors[index] ?? child, child))
    .toReversed();
}

export function roleOf({ ax }: Core, scope: Scope, ref: Ref): string {
  return textOf(ax.attribute(scope, ref, ATTRIBUTE.role)) ?? 'AXUnknown';
}

const parentOf = ({ ax }: Core, scope: Scope, ref: Ref): Ref | null =>
  elementOf(ax.attribute(scope, ref, ATTRIBUTE.parent));

/** -1 where the parent does not list it. */
function indexIn(core: Core, scope: Scope, parent: Ref, child: Ref): number {
  const listed = listOf(core.ax.attribute(scope, parent, ATTRIBUTE.children));
  const all = childrenOf(core, scope, parent, roleOf(core, scope, parent), listed);
  return all.findIndex((each) => core.bound.coreFoundation.CFEqual(each, child) !== 0);
}
