/** Reads a tree for output, snapshots and comparison. */
import * as z from 'zod';
import { outlineOf, type OutlineNode } from '../../desktop/outline.js';
import type { References } from '../../pipeline/target/references.js';
import { shortRole } from '../../desktop/roles.js';
import type { DesktopReader, Tree } from '../../../native/desktop.js';
import { truncateWithCount, notableStates, statesOf } from '../elements/shown.js';
import { quote } from '../../../base/text.js';
import { snapshotElementOf, type Snapshot, type TreeQuery } from './snapshots.js';

export const MAX_TEXT_LENGTH = 160;
const MAX_NODES_READ = 20_000;

export const cutSchema = z.object({ depth: z.boolean(), nodes: z.boolean(), time: z.boolean() });
export const nodeSchema = z.object({
  elementId: z.string(),
  role: z.string(),
  title: z.string(),
  value: z.string().nullable(),
  states: z.array(z.string()),
  depth: z.number().int(),
  parent: z.string().nullable(),
});

export interface ReadTree {
  nodes: OutlineNode[];
  truncated: Tree['truncated'];
  snapshot: Snapshot;
  note: string | undefined;
}

export async function readTree(
  desktop: DesktopReader,
  references: References,
  query: TreeQuery,
  signal: AbortSignal,
): Promise<ReadTree> {
  const { scope, maxDepth, maxNodes, timeoutMs, visibleOnly, roles } = query;
  const tree = await desktop.tree(scope, { maxDepth, maxNodes: MAX_NODES_READ, timeoutMs, visibleOnly }, signal);
  const all = outlineOf(tree.nodes, { visibleOnly, roles });
  const nodes = all.slice(0, maxNodes);
  const origin =
    tree.nodes[0]?.element.frame ?? nodes.find(({ element }) => element.role === 'AXWindow')?.element.frame ?? null;
  const ids = nodes.map(({ element }) => references.refer(element).elementId);
  const facts = new Map(
    nodes.map(({ element, parent }, index) => {
      const place = { elementId: ids[index] ?? '', parent: ids[parent] ?? null, origin };
      return [element.id, snapshotElementOf(element, place)];
    }),
  );
  const truncated = { ...tree.truncated, nodes: tree.truncated.nodes || all.length > nodes.length };
  return { nodes, truncated, snapshot: { query, facts, late: truncated.time }, note: tree.note };
}

export const treeText = (nodes: readonly OutlineNode[], references: References): string =>
  nodes.map((node) => ' '.repeat(node.depth) + nodeLine(node, references)).join('\n');

export function nodeLine({ element }: OutlineNode, references: References): string {
  const { title, value } = element;
  const said =
    value === null || value === '' || value === title ? [] : [`=${quote(truncateWithCount(value, MAX_TEXT_LENGTH))}`];
  const name = title === '' ? [] : [quote(truncateWithCount(title, MAX_TEXT_LENGTH))];
  // Toolkits report neither state for an application.
  const marks = element.role === 'AXApplication' ? [] : notableStates(statesOf(element));
  return [references.refer(element).elementId, shortRole(element.role), ...name, ...said, ...marks].join(' ');
}

export function nodesOf(nodes: OutlineNode[], references: References): z.infer<typeof nodeSchema>[] {
  const ids = nodes.map(({ element }) => references.refer(element).elementId);
  return nodes.map(({ element, depth, parent }, index) => ({
    elementId: ids[index] ?? '',
    role: element.role,
    title: truncateWithCount(element.title, MAX_TEXT_LENGTH),
    value: element.value === null ? null : truncateWithCount(element.value, MAX_TEXT_LENGTH),
    states: statesOf(element),
    depth,
    parent: ids[parent] ?? null,
  }));
}

export function cutText({ depth, nodes, time }: Tree['truncated'], shown: number): string[] {
  const why = [
    ...(nodes ? [`more than ${shown} (max_nodes, or name a window, an element or roles)`] : []),
    ...(depth ? ['deeper (max_depth)'] : []),
    ...(time ? ['not read in time (timeout)'] : []),
  ];
  return why.length === 0 ? [] : [`Not all of it: ${why.join('; ')}.`];
}
