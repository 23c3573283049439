/** The rows of the record that the activity view has loaded, and the new ones that it does not list yet. */
import { createEmitter } from '../../base/emitter.js';
import {
  matchesFilter,
  type Activity,
  type ActivityFilter,
  type Picture,
  type UnindexedPart,
} from '../../main/protocol/index.js';
import { NoAnswer, type Ask } from '../net/host-questions.js';
import { droppedAround, restored, rowsIn, sectionsOf, type ActivitySection } from './activity-sections.js';
import type { PageState } from './state.js';
import type { PageStore } from './store.js';

const PICTURES_PER_REQUEST = 4;
const MAX_PICTURES = 1_000;
/** Until older rows are asked for again that were not indexed. */
const INDEXING_MS = 1_000;
/** The host's greeting has at most this many rows. */
const ROWS_IN_GREETING = 100;

export interface ActivityLog {
  filter: ActivityFilter;
  sections: ActivitySection[];
  /** How many rows match the filter in all; null until that is known: a long record is searched part by part. */
  total: number | null;
  /** How many of the loaded rows were changed after they were written. */
  damaged: number;
  agents: string[];
  loading: boolean;
  /** Nothing older is left. */
  complete: boolean;
  problem: string | null;
  /** Where older rows are not indexed yet. */
  older: UnindexedPart | null;
  /** Rows newer than those listed, newest first. */
  newRows: Activity[];
}

export interface ActivityLogStore {
  get(): ActivityLog;
  subscribe(listener: () => void): () => void;
  /** Loads the first page or the next older one; does nothing while one is loading. */
  loadMore(): void;
  /** Loads a section again that was dropped; does nothing while it is loading. */
  restore(id: string): void;
  setFilter(filter: ActivityFilter): void;
  /** Adds the new rows at the top of the list. */
  showNewRows(): void;
  picture(executionId: string): Picture | null;
  /** Called when pictures have arrived. */
  onPictures(listener: () => void): () => void;
  /** Requests the pictures of these rows, each once. */
  requestPictures(rows: readonly Activity[]): void;
  /** Heights as last rendered, in pixels: of sections, and of the blocks of those that are not dropped. */
  readonly heights: Map<string, number>;
}

const EMPTY: Omit<ActivityLog, 'filter'> = {
  sections: [],
  total: null,
  damaged: 0,
  agents: [],
  loading: false,
  complete: false,
  problem: null,
  older: null,
  newRows: [],
};

export function createActivityLog(store: PageStore, ask: Ask): ActivityLogStore {
  let log: ActivityLog = { ...EMPTY, filter: {} };
  let next: number | null = null;
  /** The highest number listed, or 0 where the list was empty. */
  let newestListed: number | null = null;
  /** Rises with every reset; answers of an earlier generation are dropped. */
  let generation = 0;
  const changes = createEmitter<void>();
  const pictures = createPictures(ask);
  const heights = new Map<string, number>();

  function change(to: Partial<ActivityLog>): void {
    log = { ...log, ...to };
    changes.emit();
  }

  function reset(filter: ActivityFilter): void {
    generation += 1;
    next = null;
    newestListed = null;
    heights.clear();
    change({ ...EMPTY, agents: log.agents, filter });
  }

  function loadMore(): void {
    if (log.loading || log.complete || store.get().role !== 'paired') return;
    const mine = generation;
    const first = newestListed === null;
    change({ loading: true, problem: null });
    ask('activityPage', { before: next, filter: log.filter }).then(
      (answer) => {
        if (mine !== generation) return;
        next = answer.next;
        if (first) newestListed = answer.rows[0]?.seq ?? 0;
        const all = [...log.sections, ...sectionsOf(answer.rows)];
        const sections = droppedAround(all, all.length - 1);
        const damaged = log.damaged + answer.damaged;
        const total = first ? answer.total : log.total;
        const { older = null } = answer;
        const mustWait = answer.rows.length === 0 && older?.percent !== undefined && older.percent !== null;
        change({
          sections,
          total: total ?? (answer.next === null ? rowsIn(sections) + damaged : null),
          damaged,
          agents: answer.agents,
          loading: mustWait,
          complete: answer.next === null || older?.percent === null,
          older,
        });
        if (mustWait) setTimeout(() => askAgain(mine), INDEXING_MS);
        onStateChange(store.get());
      },
      (failure: unknown) => {
        if (mine !== generation) return;
        const lost = failure instanceof NoAnswer && failure.code === 'lost';
        change({ loading: false, problem: lost ? null : messageOf(failure) });
      },
    );
  }

  function askAgain(mine: number): void {
    if (mine !== generation) return;
    change({ loading: false });
    loadMore();
  }

  /** Handles new rows, a new greeting, and the loss of the pairing. */
  function onStateChange(state: PageState): void {
    if (state.greeted && state.role !== 'paired') {
      pictures.clear();
      if (newestListed !== null || log.loading) reset({});
      return;
    }
    if (newestListed === null) return;
    const listed = newestListed;
    // A record shorter than the listed one is another host's.
    if (state.activity.length > 0 && Math.max(...state.activity.map((row) => row.seq)) < listed) {
      reset(log.filter);
      return loadMore();
    }
    const newRows = state.activity.filter((row) => row.seq > listed && matchesFilter(log.filter, row));
    if (!sameRows(newRows, log.newRows)) change({ newRows });
  }

  function showNewRows(): void {
    const known = store.get().activity;
    const oldest = known.at(-1);
    const listed = newestListed ?? 0;
    // Where all rows of a full greeting are new, rows in between may be missing.
    if (oldest === undefined || (oldest.seq > listed && known.length >= ROWS_IN_GREETING)) {
      reset(log.filter);
      return loadMore();
    }
    newestListed = Math.max(listed, ...known.map((row) => row.seq));
    const { newRows, total } = log;
    change({
      sections: [...sectionsOf(newRows), ...log.sections],
      total: total === null ? null : total + newRows.length,
      newRows: [],
    });
  }

  let previous = store.get();
  store.subscribe(() => {
    const state = store.get();
    const isChanged =
      state.activity !== previous.activity || state.role !== previous.role || state.greeted !== previous.greeted;
    previous = state;
    if (isChanged) onStateChange(state);
  });

  return {
    get: () => log,
    subscribe: changes.on,
    loadMore,
    restore: createRestore(ask, { heights, get: () => log, set: (sections) => change({ sections }) }),
    setFilter(filter) {
      reset(filter);
      loadMore();
    },
    showNewRows,
    picture: pictures.get,
    onPictures: pictures.onChange,
    requestPictures: pictures.request,
    heights,
  };
}

interface RestoreOptions {
  heights: ReadonlyMap<string, number>;
  get(): ActivityLog;
  set(sections: ActivitySection[]): void;
}

function createRestore(ask: Ask, { heights, get, set }: RestoreOptions): ActivityLogStore['restore'] {
  const asking = new Set<string>();
  return (id) => {
    const { sections, filter } = get();
    const section = sections.find((one) => one.id === id);
    if (section?.rows !== null || asking.has(id)) return;
    asking.add(id);
    ask('activityPage', { before: section.newest.seq + 1, filter })
      .then(
        ({ rows }) => {
          if (get().filter === filter) set(restored(get().sections, id, rows, heights));
        },
        // It is asked for again when the list moves, or the connection is back.
        () => undefined,
      )
      .finally(() => asking.delete(id));
  };
}

/** Requests a few pictures at a time: many at once would delay rendering. */
function createPictures(ask: Ask) {
  const found = new Map<string, Picture | null>();
  const changes = createEmitter<void>();
  const queue: string[] = [];
  let isAsking = false;

  async function askForAll(): Promise<void> {
    for (;;) {
      const executionIds = queue.splice(0, PICTURES_PER_REQUEST);
      if (executionIds.length === 0) return;
      try {
        const answer = await ask('thumbnails', { executionIds });
        for (const { executionId, picture } of answer.pictures) found.set(executionId, picture);
        for (const id of found.keys()) if (found.size > MAX_PICTURES) found.delete(id);
        changes.emit();
      } catch {
        executionIds.forEach((id) => found.delete(id));
      }
    }
  }

  return {
    get: (executionId: string): Picture | null => found.get(executionId) ?? null,
    onChange: changes.on,
    clear(): void {
      found.clear();
      queue.length = 0;
    },
    request(rows: readonly Activity[]): void {
      const without = rows.filter((row) => row.thumbnail === null && row.evidenceDir !== null);
      const unasked = without.map((row) => row.executionId).filter((id) => !found.has(id));
      for (const id of unasked) found.set(id, null);
      queue.push(...unasked);
      if (isAsking) return;
      isAsking = true;
      void askForAll().finally(() => (isAsking = false));
    },
  };
}

function sameRows(one: Activity[], other: Activity[]): boolean {
  return one.length === other.length && one.every((row, index) => row === other[index]);
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
