/** Reads a tree in preorder, until a limit cuts it short. */
import type { Element, Tree, TreeLimits, TreeNode } from '../../desktop.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { childrenOf, roleOf } from './ancestry.js';
import { nullWhenStale } from './answers.js';
import { describeElement, type Described, type Surroundings } from './describe.js';
import { ROLE } from './names.js';
import { clipOfTopLevel, surroundingsOf, type Screen } from './surroundings.js';

interface Waiting extends Surroundings {
  /** The table's own reference. */
  ref: Ref;
  depth: number;
  parent: number;
}

interface Walk {
  core: Core;
  screen: Screen;
  limits: TreeLimits;
  /** Ids: an element that was met elsewhere is no child again, so circles end. */
  seen: Set<string>;
}

/** A call that is not answered ends it with `not_responding`: each further one would cost the time limit again. */
export function walk(core: Core, scope: Scope, screen: Screen, start: Ref, limits: TreeLimits): Tree {
  const deadline = Date.now() + limits.timeoutMs;
  const state: Walk = { core, screen, limits, seen: new Set([core.elements.idOf(start)]) };
  const nodes: TreeNode[] = [];
  const truncated = { depth: false, nodes: false, time: false };
  const first = { ref: start, ...surroundingsOf(core, scope, screen, start), depth: 0, parent: -1 };
  const waiting: Waiting[] = [first];

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (nodes.length >= limits.maxNodes) truncated.nodes = true;
    else if (nodes.length > 0 && Date.now() >= deadline) truncated.time = true;
    if (truncated.nodes || truncated.time) break;
    const read = readNode(state, next);
    if (read === null) continue;
    const { depth, parent } = next;
    const place = nodes.push({ element: read.element, depth, parent, childCount: read.childCount }) - 1;
    if (read.childCount > 0 && depth >= limits.maxDepth) truncated.depth = true;
    else for (const child of read.children.toReversed()) waiting.push({ ...child, depth: depth + 1, parent: place });
  }
  return { nodes, truncated };
}

interface ReadNode {
  element: Element;
  children: (Surroundings & { ref: Ref })[];
  childCount: number;
}

/** null for an element that went away meanwhile, other than the start. */
function readNode(state: Walk, waiting: Waiting): ReadNode | null {
  const { core, limits } = state;
  const read = (): ReadNode =>
    core.scoped((scope) => {
      const described = describeElement(core, scope, waiting.ref, waiting, limits.brief);
      const { element, below } = described;
      const all = childrenOf(core, scope, waiting.ref, element.role, described.children);
      const fresh = all.slice(0, limits.maxNodes + 1).flatMap((child, index) => unseen(state, child, index));
      const children = fresh.map(({ ref, index }) => ({
        ref,
        ...belowFor(state, scope, element, below, ref),
        path: [...waiting.path, index],
      }));
      return { element, children, childCount: Math.max(children.length, all.length - limits.maxNodes - 1) };
    });
  return waiting.depth === 0 ? read() : nullWhenStale(read);
}

function unseen({ core, seen }: Walk, child: Ref, index: number): { ref: Ref; index: number }[] {
  const id = core.elements.idOf(child);
  if (seen.has(id)) return [];
  seen.add(id);
  return [{ ref: core.elements.refOf(id), index }];
}

function belowFor(
  { core, screen }: Walk,
  scope: Scope,
  parent: Element,
  below: Described['below'],
  ref: Ref,
): Described['below'] {
  if (parent.role !== ROLE.application) return below;
  const clip = nullWhenStale(() => clipOfTopLevel(core, screen, ref, roleOf(core, scope, ref)));
  return { ...below, clip };
}
