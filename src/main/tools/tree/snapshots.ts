/** Trees that were shown, kept for a while so that what changed since can be told. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Element, Rect, Scope } from '../../../native/desktop.js';
import { statesOf } from '../elements/shown.js';

export interface Fact {
  elementId: string;
  role: string;
  title: string;
  value: string | null;
  states: string;
  /** Relative to where the tree starts, so that moving a window moves nothing in it. */
  frame: string;
  path: string;
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
  /** By the backend's own id. */
  facts: ReadonlyMap<string, Fact>;
}

export interface Snapshots {
  put(owner: string, snapshot: Snapshot): string;
  get(owner: string, id: string): Snapshot | null;
}

const MOST_EACH = 10;
const MOST = 60;
const KEPT_MS = 30 * 60_000;

export function createSnapshots(now: () => number = Date.now): Snapshots {
  const kept = new LRUCache<string, Snapshot & { owner: string }>({
    max: MOST,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now },
  });

  function dropOldestOf(owner: string): void {
    const own = [...kept.entries()].filter(([, one]) => one.owner === owner);
    const oldest = own.at(-1);
    if (oldest !== undefined && own.length >= MOST_EACH) kept.delete(oldest[0]);
  }

  return {
    put(owner, snapshot) {
      dropOldestOf(owner);
      const id = `tree:${randomUUID()}`;
      kept.set(id, { ...snapshot, owner });
      return id;
    },
    get(owner, id) {
      const found = kept.get(id);
      return found?.owner === owner ? found : null;
    },
  };
}

export function factOf(element: Element, elementId: string, origin: Rect | null): Fact {
  const { role, title, value, frame, path } = element;
  const at =
    frame === null ? '' : [frame.x - (origin?.x ?? 0), frame.y - (origin?.y ?? 0), frame.width, frame.height].join(',');
  return { elementId, role, title, value, states: statesOf(element).join(' '), frame: at, path: path.join('/') };
}

export interface Changes {
  added: Fact[];
  removed: Fact[];
  changed: { fact: Fact; what: Record<string, { before: string | null; after: string | null }> }[];
}

const COMPARED = ['title', 'value', 'states', 'frame'] as const;

/** An element that was built anew in its place, with role and title, is the one before. */
export function compare(before: ReadonlyMap<string, Fact>, after: ReadonlyMap<string, Fact>): Changes {
  const key = ({ role, title, path }: Fact) => JSON.stringify([role, title, path]);
  const gone = new Map([...before].filter(([id]) => !after.has(id)).map(([, fact]) => [key(fact), fact]));
  const changes: Changes = { added: [], removed: [], changed: [] };
  for (const [id, fact] of after) {
    const old = before.get(id) ?? gone.get(key(fact));
    if (old === undefined) {
      changes.added.push(fact);
      continue;
    }
    if (!before.has(id)) gone.delete(key(fact));
    const what = Object.fromEntries(
      COMPARED.filter((name) => old[name] !== fact[name]).map((name) => [
        name,
        { before: old[name], after: fact[name] },
      ]),
    );
    if (Object.keys(what).length > 0) changes.changed.push({ fact, what });
  }
  changes.removed = [...gone.values()];
  // What only moved comes last: lists are cut.
  changes.changed.sort((a, b) => Number(onlyMoved(a.what)) - Number(onlyMoved(b.what)));
  return changes;
}

const onlyMoved = (what: Record<string, unknown>): boolean => Object.keys(what).join('') === 'frame';
