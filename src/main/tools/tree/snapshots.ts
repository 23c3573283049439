/** Keeps returned trees for a while, to report changes since then. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Element, Rect, Scope } from '../../../native/desktop.js';
import { statesOf } from '../elements/query.js';

export interface SnapshotElement {
  elementId: string;
  role: string;
  title: string;
  value: string | null;
  states: string;
  /** Relative to the root, so that moving the window changes nothing. */
  frame: string;
  path: string;
  /** The elementId of the element above it in the text; null where there is none. */
  parent: string | null;
}

export interface TreeQuery {
  parent: string | undefined;
  scope: Scope;
  maxDepth: number;
  maxNodes: number;
  timeoutMs: number;
  visibleOnly: boolean;
  roles: readonly string[] | null;
}

export interface Snapshot {
  query: TreeQuery;
  /** There was no time to read all of it. */
  late: boolean;
  /** By the backend's element id. */
  facts: ReadonlyMap<string, SnapshotElement>;
}

export type Snapshots = ReturnType<typeof createSnapshots>;

const MAX_PER_AGENT = 10;
const MAX_SNAPSHOTS = 60;
const MAX_AGE_MS = 30 * 60_000;
const MAX_CHARACTERS = 32_000_000;
/** Of an element besides its texts. */
const ELEMENT_CHARACTERS = 200;

export function createSnapshots(now: () => number = Date.now) {
  const kept = new LRUCache<string, Snapshot & { owner: string }>({
    max: MAX_SNAPSHOTS,
    ttl: MAX_AGE_MS,
    ttlResolution: 0,
    perf: { now },
    maxSize: MAX_CHARACTERS,
    sizeCalculation: sizeOf,
  });

  function dropOldestOf(owner: string): void {
    const own = [...kept.entries()].filter(([, one]) => one.owner === owner);
    const oldest = own.at(-1);
    if (oldest !== undefined && own.length >= MAX_PER_AGENT) kept.delete(oldest[0]);
  }

  return {
    put(owner: string, snapshot: Snapshot): string {
      dropOldestOf(owner);
      const id = `tree:${randomUUID().slice(0, 8)}`;
      kept.set(id, { ...snapshot, owner });
      return id;
    },
    get(owner: string, id: string): Snapshot | null {
      const found = kept.get(id);
      return found?.owner === owner ? found : null;
    },
  };
}

function sizeOf({ facts }: Snapshot): number {
  let size = ELEMENT_CHARACTERS;
  for (const { title, value } of facts.values()) size += ELEMENT_CHARACTERS + title.length + (value?.length ?? 0);
  return size;
}

export function snapshotElementOf(
  element: Element,
  { elementId, parent, origin }: { elementId: string; parent: string | null; origin: Rect | null },
): SnapshotElement {
  const { role, title, value, frame, path } = element;
  const at =
    frame === null ? '' : [frame.x - (origin?.x ?? 0), frame.y - (origin?.y ?? 0), frame.width, frame.height].join(',');
  return {
    elementId,
    role,
    title,
    value,
    states: statesOf(element).join(' '),
    frame: at,
    path: path.join('/'),
    parent,
  };
}

export interface TreeChanges {
  added: SnapshotElement[];
  removed: SnapshotElement[];
  changed: { fact: SnapshotElement; what: Record<string, { before: string | null; after: string | null }> }[];
}

const COMPARED_FIELDS = ['title', 'value', 'states', 'frame'] as const;

/** A recreated element with the same place, role and title counts as the same. */
export function compareTreeSnapshots(
  before: ReadonlyMap<string, SnapshotElement>,
  after: ReadonlyMap<string, SnapshotElement>,
): TreeChanges {
  const key = ({ role, title, path }: SnapshotElement) => JSON.stringify([role, title, path]);
  const gone = new Map([...before].filter(([id]) => !after.has(id)).map(([, fact]) => [key(fact), fact]));
  const changes: TreeChanges = { added: [], removed: [], changed: [] };
  for (const [id, fact] of after) {
    const old = before.get(id) ?? gone.get(key(fact));
    if (old === undefined) {
      changes.added.push(fact);
      continue;
    }
    if (!before.has(id)) gone.delete(key(fact));
    const what = Object.fromEntries(
      COMPARED_FIELDS.filter((name) => old[name] !== fact[name]).map((name) => [
        name,
        { before: old[name], after: fact[name] },
      ]),
    );
    if (Object.keys(what).length > 0) changes.changed.push({ fact, what });
  }
  changes.removed = [...gone.values()];
  // Moved elements come last, because long lists are cut.
  changes.changed.sort((a, b) => Number(onlyMoved(a.what)) - Number(onlyMoved(b.what)));
  return changes;
}

const onlyMoved = (what: Record<string, unknown>): boolean => Object.keys(what).join('') === 'frame';
