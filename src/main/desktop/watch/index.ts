/**
 * Watching: what happens on the desktop between an agent's calls. Comes in: what agents want watched, and hints that something
 * changed. Goes out: numbered events, each change once, to the agent that asked and to nobody else. Built by the host, called by
 * the observation tools. Reads the desktop as agents may see it, and never touches it.
 */
export { createClipboardHistory, kindsOf, startOf } from './clipboard-history.js';
export type { ClipboardHistory } from './clipboard-history.js';
export { createObservations } from './observations.js';
export type { Delivered, Observations, ObservationsOptions, Polled } from './observations.js';
export { ATTRIBUTES, INTERVALS, WATCH_TYPES, watchesElements } from './model.js';
export type { WatchedEvent, WatchPlace, WatchType, Wish } from './model.js';
export type { Owner } from './watch.js';
