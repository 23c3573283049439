/** What get_element_tree answers: the tree, or what changed in it since an earlier answer that the agent names. */
import * as z from 'zod';
import type { OutlineNode } from '../../desktop/outline.js';
import type { References } from '../../pipeline/target/references.js';
import { unpublished } from '../parameters.js';
import { cutSchema, cutText, nodeSchema, nodesOf, treeText, type ReadTree } from './read.js';
import { changesSince, type ChangesSince } from './since.js';
import type { Snapshots } from './snapshots.js';

export const answerSchema = z.object({
  snapshot: z.string(),
  /** Where only changes are told: the snapshot they are compared with. */
  since: unpublished(z.string().optional()),
  tree: z.string().optional(),
  changes: z.string().optional(),
  nodes: z.array(nodeSchema).optional(),
  removed: unpublished(z.array(z.string()).optional()),
  shown: z.number().int(),
  truncated: cutSchema,
  note: z.string().optional(),
});
type Answer = z.infer<typeof answerSchema>;

interface Asked {
  format: 'text' | 'nodes';
  since?: string | undefined;
}

interface Owner {
  owner: string;
  references: References;
  snapshots: Snapshots;
}

/** Whole unless the agent names what it has: clients forget old answers, and the agents of one client do not share theirs. */
export function answerOf(read: ReadTree, { format, since }: Asked, { owner, references, snapshots }: Owner): Answer {
  const { nodes, truncated, snapshot } = read;
  const compared = since === undefined ? null : changesSince(snapshots.get(owner, since), read, references);
  const why = compared !== null && 'whole' in compared ? `Told whole: ${since} ${compared.whole}.` : null;
  const notes = [read.note ?? null, why].filter((note) => note !== null);
  const rest = { shown: nodes.length, truncated, ...(notes.length === 0 ? {} : { note: notes.join(' ') }) };
  const text = treeText(nodes, references);
  if (since !== undefined && compared !== null && 'changes' in compared && compared.changes.text.length < text.length) {
    const { changes } = compared;
    const id = changes.text === '' ? since : snapshots.put(owner, snapshot);
    const told = format === 'text' ? { changes: changes.text } : changedNodes(changes, nodes, references);
    return { snapshot: id, since, ...told, ...rest };
  }
  const whole = format === 'text' ? { tree: text } : { nodes: nodesOf(nodes, references) };
  return { snapshot: snapshots.put(owner, snapshot), ...whole, ...rest };
}

function changedNodes({ removed, changed, added }: ChangesSince, nodes: OutlineNode[], references: References) {
  const told = new Set([...changed, ...added].map(({ element }) => references.refer(element).elementId));
  return { removed, nodes: nodesOf(nodes, references).filter(({ elementId }) => told.has(elementId)) };
}

export function answerText({ snapshot, since, tree, changes, nodes = [], truncated, shown, note }: Answer): string {
  const body = tree ?? changes ?? `${nodes.length} nodes`;
  return [
    ...(since === undefined ? [] : [`Since ${since}: ${body === '' ? 'nothing changed.' : ''}`.trimEnd()]),
    ...(body === '' && since !== undefined ? [] : [body]),
    ...cutText(truncated, shown),
    ...(note === undefined ? [] : [note]),
    `Snapshot ${snapshot}`,
  ].join('\n');
}
