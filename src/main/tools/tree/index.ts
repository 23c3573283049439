/** The tool that reads whole element trees. */
import * as z from 'zod';
import { parseRole } from '../../desktop/roles.js';
import { defineAction } from '../../pipeline/define.js';
import type { ReadContext } from '../../pipeline/context.js';
import { alias, unpublished } from '../parameters.js';
import { parentSchema } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { findSearchPlace, processReadingPlan, readingPlan, readingSubject } from '../elements/query.js';
import { createTargets } from '../elements/target.js';
import {
  changesTool,
  readTree,
  cutSchema,
  cutText,
  nodeSchema,
  nodesOf,
  treeText,
  type ReadTree,
  nodeLine,
} from './changes.js';
import type { TreeQuery, Snapshots, Snapshot, SnapshotElement } from './snapshots.js';
import type { OutlineNode } from '../../desktop/outline.js';
import type { References } from '../../pipeline/target/references.js';

// A tree told as what changed since an earlier answer, so that both together say what the whole would. Pure.

interface ChangesSince {
  /** Without those below another one. */
  removed: string[];
  /** Their lines replace the earlier ones. */
  changed: OutlineNode[];
  added: OutlineNode[];
  text: string;
}

/** Changes, or why the tree is to be told whole. */
type Compared = { changes: ChangesSince } | { whole: string };

function changesSince(
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

export function treeTools(deps: ToolDeps): Tool[] {
  return toolGroup('element', { core: [treeTool(deps)], more: [changesTool(deps)] });
}

const treeTool = (deps: ToolDeps) => {
  const { snapshots } = deps;
  const targets = createTargets(deps);
  return defineAction({
    name: 'get_element_tree',
    title: 'Read elements as a tree',
    step: 'now',
    does: 'read',
    description: 'The elements of an application, window or element as indented text, each with its elementId.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z
      .object({
        parent: parentSchema,
        name: alias(z.string().max(500)),
        element_id: z.string().min(1).max(500).optional().describe('Only what is below it.'),
        max_depth: z.number().int().min(0).max(200).default(60),
        max_nodes: z.number().int().min(1).max(5000).default(500),
        timeout: z.number().min(0.1).max(60).default(10),
        visible_only: z.boolean().default(true),
        roles: z.array(z.string().min(1).max(200)).max(50).optional(),
        format: z.enum(['text', 'nodes']).default('text'),
        since: z.string().min(1).max(100).optional().describe('A snapshot you have: returns what changed since.'),
        activate: alias(z.literal(false)),
      })
      .strict(),
    output: answerSchema,
    subject: readingSubject,
    async plan(ctx, { parent, name, element_id: id }, signal) {
      if (id === undefined) return readingPlan(ctx.desktop, deps.ageOf, parent ?? name, signal);
      const { pid } = await targets.findToRead(ctx, { element_id: id, parent: parent ?? name }, signal);
      return processReadingPlan(ctx.desktop, pid, signal);
    },
    async run(ctx, given, signal) {
      const references = deps.references(ctx.caller.agent.id);
      const parent = given.parent ?? given.name;
      const query: TreeQuery = {
        parent,
        scope: await scopeFor(ctx, parent, given.element_id, signal),
        maxDepth: given.max_depth,
        maxNodes: given.max_nodes,
        timeoutMs: given.timeout * 1000,
        visibleOnly: given.visible_only,
        roles: given.roles?.flatMap(parseRole) ?? null,
      };
      const read = await readTree(ctx.desktop, references, query, signal);
      return answerOf(read, given, { owner: ctx.caller.agent.id, references, snapshots });
    },
    text: answerText,
  });

  async function scopeFor(
    ctx: ReadContext,
    parent: string | undefined,
    id: string | undefined,
    signal: AbortSignal,
  ): Promise<TreeQuery['scope']> {
    if (id === undefined) return (await findSearchPlace(ctx.desktop, parent, ctx.plan?.window ?? null, signal)).scope;
    const element = await targets.findToRead(ctx, { element_id: id, parent }, signal);
    return { pid: element.pid, elementId: element.id };
  }
};

// What get_element_tree answers: the tree, or what changed in it since an earlier answer that the agent names.

const answerSchema = z.object({
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
function answerOf(read: ReadTree, { format, since }: Asked, { owner, references, snapshots }: Owner): Answer {
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

function answerText({ snapshot, since, tree, changes, nodes = [], truncated, shown, note }: Answer): string {
  const body = tree ?? changes ?? `${nodes.length} nodes`;
  return [
    ...(since === undefined ? [] : [`Since ${since}: ${body === '' ? 'nothing changed.' : ''}`.trimEnd()]),
    ...(body === '' && since !== undefined ? [] : [body]),
    ...cutText(truncated, shown),
    ...(note === undefined ? [] : [note]),
    `Snapshot ${snapshot}`,
  ].join('\n');
}
