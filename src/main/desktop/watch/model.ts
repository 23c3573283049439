/** What can be watched, and what is told of it. */
import type { App, Window } from '../../../native/desktop.js';

export const WATCH_TYPES = [
  'element_changes',
  'window_changes',
  'application_changes',
  'attribute_changes',
  'tree_changes',
] as const;
export type WatchType = (typeof WATCH_TYPES)[number];

export const ATTRIBUTES = [
  'value',
  'title',
  'enabled',
  'focused',
  'checked',
  'selected',
  'expanded',
  'visible',
  'frame',
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

/** Where: everywhere (`app` null), or one application, one of its windows, or below one element. */
export interface WatchPlace {
  /** As it is told: `applications/123`, or '' for everywhere. */
  parent: string;
  app: App | null;
  windowId: string | null;
  elementId: string | null;
}

export interface Wish {
  place: WatchPlace;
  types: readonly WatchType[];
  visibleOnly: boolean;
  /** Roles of elements to tell of; empty for all. */
  roles: readonly string[];
  /** Attributes whose changes are told. */
  attributes: readonly Attribute[];
  /** Milliseconds between looks when nothing hints at a change; kept within {@link INTERVALS}. */
  intervalMs: number;
  /** What was asked for. */
  askedMs: number;
}

export const INTERVALS = { least: 100, most: 60_000, usual: 1000 };

export type WatchState = 'PENDING' | 'ACTIVE' | 'COMPLETED' | 'CANCELLED' | 'FAILED';

export interface Change {
  attribute: string;
  before: unknown;
  after: unknown;
}

/** One thing that happened, before it has a number. */
export interface Happening {
  kind: 'element_added' | 'element_removed' | 'element_modified' | 'window_event' | 'application_event';
  /** Of a window or application: `created`, `moved`, `launched` … */
  event?: string;
  changes?: Change[];
  fields: Record<string, unknown>;
  /** Whose it is: what the person excludes later is not told any more. */
  app: App;
}

export interface PlainEvent {
  observation: string;
  time: string;
  kind: string;
  [field: string]: unknown;
}

export interface WatchedEvent extends PlainEvent {
  /** From 1, without gaps but for what was dropped. */
  sequence: number;
}

/** An observation as its agent may see it. */
export interface ObservationInfo {
  name: string;
  state: WatchState;
  types: WatchType[];
  /** '' is everywhere. */
  parent: string;
  created: string;
  /** As it is in force: kept within bounds, and longer where looking takes long. */
  poll_interval_ms: number;
  /** Sequence of the latest event. */
  last_sequence: number;
  /** When it ends by itself unless it is asked before; null once it has ended. */
  expires: string | null;
  /** Why it ended. */
  reason: string | null;
  notes: string[];
}

export const windowNameOf = ({ app, id }: Pick<Window, 'app' | 'id'>): string =>
  `applications/${app.pid}/windows/${id}`;

export const watchesElements = ({ types }: Pick<Wish, 'types'>): boolean =>
  types.some((type) => type === 'element_changes' || type === 'attribute_changes' || type === 'tree_changes');
