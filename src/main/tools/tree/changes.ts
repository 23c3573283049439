/** The tool that reports what changed in a tree since it was read. */
import * as z from 'zod';
import { shortRole } from '../../desktop/roles.js';
import { defineAction } from '../../pipeline/define.js';
import { poll } from '../../../base/poll.js';
import type { Tree, DesktopReader } from '../../../native/desktop.js';
import { invalidRequest } from '../parameters.js';
import type { ToolDeps } from '../tool.js';
import { processReadingPlan, readingSubject, truncateWithCount, notableStates, statesOf } from '../elements/query.js';
import { quote } from '../../../base/text.js';
import {
  compareTreeSnapshots,
  type TreeChanges,
  type SnapshotElement,
  type Snapshot,
  snapshotElementOf,
  type TreeQuery,
} from './snapshots.js';
import { message } from '../../../messages/index.js';
import { outlineOf, type OutlineNode } from '../../desktop/outline.js';
import type { References } from '../../pipeline/target/references.js';

/** Reads a tree for output, snapshots and comparison. */
const MAX_TEXT_LENGTH = 160;
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

const MAX_CHANGES = 200;
const factSchema = z.object({
  elementId: z.string(),
  role: z.string(),
  title: z.string(),
  value: z.string().nullable(),
});
const changedSchema = factSchema.omit({ value: true }).extend({
  what: z.record(z.string(), z.object({ before: z.string().nullable(), after: z.string().nullable() })),
});

export const changesTool = ({ references, snapshots }: ToolDeps) =>
  defineAction({
    name: 'get_tree_changes',
    title: 'What changed in a tree',
    does: 'read',
    description: 'What was added, removed or changed since a snapshot of get_element_tree; waits for it if asked.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z
      .object({
        snapshot: z.string().min(1).max(100),
        timeout: z.number().min(0).max(3600).default(0).describe('Seconds to wait for a change.'),
        poll_interval: z.number().min(0.05).max(60).default(0.5).meta({ unpublished: true }),
      })
      .strict(),
    output: z.object({
      snapshot: z.string(),
      added: z.array(factSchema),
      removed: z.array(factSchema),
      changed: z.array(changedSchema),
      omitted: z.number().int(),
      truncated: cutSchema,
    }),
    subject: readingSubject,
    async plan(ctx, { snapshot: id }, signal) {
      const { query } = requireSnapshot(snapshots.get(ctx.caller.agent.id, id), id);
      return processReadingPlan(ctx.desktop, query.scope.pid, signal);
    },
    async run(ctx, { snapshot: id, timeout, poll_interval: stepSeconds }, signal) {
      const owner = ctx.caller.agent.id;
      const before = requireSnapshot(snapshots.get(owner, id), id);
      const look = async () => {
        const now = await readTree(ctx.desktop, references(owner), before.query, signal);
        return { now, changes: compareTreeSnapshots(before.facts, now.snapshot.facts) };
      };
      let seen = await look();
      const end = performance.now() + timeout * 1000;
      if (isEmpty(seen.changes) && timeout > 0) {
        const again = async () => {
          seen = await look();
          return isEmpty(seen.changes) ? null : seen;
        };
        await poll(again, end - performance.now(), signal, stepSeconds * 1000);
      }
      return limitChanges(seen.changes, snapshots.put(owner, seen.now.snapshot), seen.now.truncated);
    },
    text: (changes) => {
      const lines = [
        ...changes.added.map((one) => `+ ${factLine(one)}`),
        ...changes.removed.map((one) => `- ${factLine(one)}`),
        ...changes.changed.map((one) => `~ ${factLine({ ...one, value: null })}: ${differences(one.what)}`),
        ...(changes.omitted > 0 ? [`and ${changes.omitted} more`] : []),
        ...cutText(changes.truncated, 0),
        `Snapshot ${changes.snapshot}`,
      ];
      return lines.length === 1 ? ['Nothing changed.', ...lines].join('\n') : lines.join('\n');
    },
  });

function requireSnapshot(snapshot: Snapshot | null, id: string): Snapshot {
  if (snapshot !== null) return snapshot;
  throw invalidRequest(
    message('error.unknown_snapshot', { id }),
    'unknown_snapshot',
    'Read the tree again with get_element_tree.',
  );
}

const isEmpty = ({ added, removed, changed }: TreeChanges): boolean =>
  added.length + removed.length + changed.length === 0;

function limitChanges(changes: TreeChanges, snapshot: string, truncated: Tree['truncated']) {
  const short = (text: string | null) => (text === null ? null : truncateWithCount(text, MAX_TEXT_LENGTH));
  const named = ({ elementId, role, title }: SnapshotElement) => ({
    elementId,
    role,
    title: truncateWithCount(title, MAX_TEXT_LENGTH),
  });
  const plain = (one: SnapshotElement) => ({ ...named(one), value: short(one.value) });
  const { added, removed, changed } = changes;
  const omitted = (list: readonly unknown[]) => Math.max(0, list.length - MAX_CHANGES);
  return {
    snapshot,
    added: added.slice(0, MAX_CHANGES).map(plain),
    removed: removed.slice(0, MAX_CHANGES).map(plain),
    changed: changed.slice(0, MAX_CHANGES).map(({ fact, what }) => ({
      ...named(fact),
      what: Object.fromEntries(
        Object.entries(what).map(([name, { before, after }]) => [name, { before: short(before), after: short(after) }]),
      ),
    })),
    omitted: omitted(added) + omitted(removed) + omitted(changed),
    truncated,
  };
}

const factLine = ({ elementId, role, title, value }: z.infer<typeof factSchema>): string =>
  [
    `${elementId} ${shortRole(role)} ${quote(title)}`,
    ...(value === null || value === '' || value === title ? [] : [`=${quote(value)}`]),
  ].join(' ');

const differences = (what: Record<string, { before: string | null; after: string | null }>): string =>
  Object.entries(what)
    .map(([name, { before, after }]) => `${name} ${quote(before ?? '')} → ${quote(after ?? '')}`)
    .join(', ');
