/** A tree told as what changed since an earlier answer, so that both together say what the whole would. Pure. */
import type { OutlineNode } from '../../desktop/outline.js';
import type { References } from '../../pipeline/target/references.js';
import { nodeLine, type ReadTree } from './read.js';
import type { Snapshot, SnapshotElement, TreeQuery } from './snapshots.js';

export interface ChangesSince {
  /** Without those below another one. */
  removed: string[];
  /** Their lines replace the earlier ones. */
  changed: OutlineNode[];
  added: OutlineNode[];
  text: string;
}

/** Changes, or why the tree is to be told whole. */
export type Compared = { changes: ChangesSince } | { whole: string };

export function changesSince(
  base: Snapshot | null,
  { nodes, snapshot, truncated }: Pick<ReadTree, 'nodes' | 'snapshot' | 'truncated'>,
  references: References,
): Compared {
  if (base === null) return { whole: 'is no longer kept' };
  if (keyOf(base.query) !== keyOf(snapshot.query)) return { whole: 'is of another place, or was asked for otherwise' };
  if (base.late || snapshot.late) return { whole: 'cannot be compared, because not all was read in time' };
  const [before, after] = [byElementId(base), byElementId(snapshot)];
  if (isReordered(before, after)) return { whole: 'has an order that changed' };
  const factOf = ({ element }: OutlineNode) => snapshot.facts.get(element.id);
  const isNew = (node: OutlineNode) => !before.has(factOf(node)?.elementId ?? '');
  const changed = nodes.filter((node) => {
    const now = factOf(node);
    const was = before.get(now?.elementId ?? '');
    return now !== undefined && was !== undefined && looksOf(now) !== looksOf(was);
  });
  const added = nodes.filter(isNew);
  const removed = [...before.values()]
    .filter(({ elementId, parent }) => !after.has(elementId) && (parent === null || after.has(parent)))
    .map(({ elementId }) => elementId);
  const lines = [
    ...(removed.length === 0 ? [] : [`- ${truncated.nodes ? '(gone, or beyond max_nodes) ' : ''}${removed.join(' ')}`]),
    ...changed.map((node) => `~ ${nodeLine(node, references)}`),
    ...addedLines(nodes, isNew, references),
  ];
  return { changes: { removed, changed, added, text: lines.join('\n') } };
}

const keyOf = ({ scope, maxDepth, maxNodes, visibleOnly, roles }: TreeQuery): string =>
  JSON.stringify([scope.pid, scope.windowId, scope.elementId, maxDepth, maxNodes, visibleOnly, roles]);

const byElementId = ({ facts }: Snapshot): ReadonlyMap<string, SnapshotElement> =>
  new Map([...facts.values()].map((fact) => [fact.elementId, fact]));

const looksOf = ({ role, title, value, states }: SnapshotElement): string =>
  JSON.stringify([role, title, value, states]);

/** Whether something that is in both has another parent, or another place among the others. */
function isReordered(
  before: ReadonlyMap<string, SnapshotElement>,
  after: ReadonlyMap<string, SnapshotElement>,
): boolean {
  const placesIn = (one: typeof before, other: typeof before) =>
    [...one.values()].filter(({ elementId }) => other.has(elementId)).map((fact) => `${fact.parent} ${fact.elementId}`);
  return placesIn(before, after).join('\n') !== placesIn(after, before).join('\n');
}

/** New elements, indented below a line that says where they are. */
function addedLines(
  nodes: readonly OutlineNode[],
  isNew: (node: OutlineNode) => boolean,
  references: References,
): string[] {
  const idOf = (node: OutlineNode) => references.refer(node.element).elementId;
  const lines: string[] = [];
  /** By index of the parent, -1 for none: the child told or kept last. */
  const lastChild = new Map<number, string>();
  let open: { parent: number; depth: number } | null = null;
  nodes.forEach((node) => {
    const previous = lastChild.get(node.parent);
    lastChild.set(node.parent, idOf(node));
    if (!isNew(node)) return void (open = null);
    const parent = nodes[node.parent];
    const isTop = parent === undefined || !isNew(parent);
    if (isTop && open?.parent !== node.parent) {
      const place = parent === undefined ? 'at the top' : `in ${idOf(parent)}`;
      lines.push(`+ ${place}${previous === undefined ? '' : `, after ${previous}`}:`);
      open = { parent: node.parent, depth: node.depth };
    }
    lines.push(' '.repeat(1 + node.depth - (open?.depth ?? node.depth)) + nodeLine(node, references));
  });
  return lines;
}
