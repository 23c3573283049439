/** The tool that reports what changed in a tree since it was read. */
import * as z from 'zod';
import { shortRole } from '../../desktop/roles.js';
import { defineAction } from '../../pipeline/define.js';
import { poll } from '../../../base/poll.js';
import type { Tree } from '../../../native/desktop.js';
import { invalidRequest } from '../parameters.js';
import type { ToolDeps } from '../tool.js';
import { processReadingPlan, readingSubject } from '../elements/query.js';
import { truncateWithCount } from '../elements/shown.js';
import { quote } from '../../../base/text.js';
import { MAX_TEXT_LENGTH, cutSchema, cutText, readTree } from './read.js';
import { compareTreeSnapshots, type TreeChanges, type SnapshotElement, type Snapshot } from './snapshots.js';
import { message } from '../../../messages/index.js';

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
