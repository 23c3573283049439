/** What can be watched, and the events that are reported. */
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
export interface WatchScope {
  /** `applications/123`, or '' for everywhere. */
  parent: string;
  app: App | null;
  windowId: string | null;
  elementId: string | null;
}

export interface WatchRequest {
  scope: WatchScope;
  types: readonly WatchType[];
  visibleOnly: boolean;
  /** Roles of elements to report; empty for all. */
  roles: readonly string[];
  /** Attributes whose changes are reported. */
  attributes: readonly Attribute[];
  /** Between readings when no change hint comes; kept within {@link INTERVAL_MS}. */
  intervalMs: number;
  requestedIntervalMs: number;
}

export const INTERVAL_MS = { min: 100, max: 60_000, default: 1000 };

export type WatchState = 'PENDING' | 'ACTIVE' | 'COMPLETED' | 'CANCELLED' | 'FAILED';

export interface ValueChange {
  attribute: string;
  before: unknown;
  after: unknown;
}

/** A change before it is numbered. */
export interface DetectedChange {
  kind: 'element_added' | 'element_removed' | 'element_modified' | 'window_event' | 'application_event';
  /** Of a window or application: `created`, `moved`, `launched` … */
  event?: string;
  changes?: ValueChange[];
  fields: Record<string, unknown>;
  /** Checked again at delivery: the person may have excluded it since. */
  app: App;
}

export interface PlainEvent {
  observation: string;
  time: string;
  kind: string;
  [field: string]: unknown;
}

export interface WatchedEvent extends PlainEvent {
  /** From 1; gaps only where events were dropped. */
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
  /** In force now: within bounds, and longer where reading is slow. */
  poll_interval_ms: number;
  /** Sequence of the latest event. */
  last_sequence: number;
  /** When it ends unless it is polled before; null once it has ended. */
  expires: string | null;
  /** Why it ended. */
  reason: string | null;
  notes: string[];
}

export const windowNameOf = ({ app, id }: Pick<Window, 'app' | 'id'>): string =>
  `applications/${app.pid}/windows/${id}`;

export const watchesElements = ({ types }: Pick<WatchRequest, 'types'>): boolean =>
  types.some((type) => type === 'element_changes' || type === 'attribute_changes' || type === 'tree_changes');
