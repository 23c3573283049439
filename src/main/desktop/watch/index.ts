/**
 * Observations: changes on the desktop between an agent's calls. Comes in: requests of agents, and change hints of the backend. Goes
 * out: numbered events, only to the agent that asked. Built by the host, called by the observation tools. Only reads, and only the
 * masked desktop.
 */
export { createClipboardHistory, kindsOf } from './clipboard-history.js';
export type { ClipboardHistory } from './clipboard-history.js';
export { createObservations } from './observations.js';
export type { DeliveredEvent as Delivered, Observations, ObservationsOptions, Polled } from './observations.js';
export { ATTRIBUTES, INTERVAL_MS as INTERVALS, WATCH_TYPES, watchesElements } from './model.js';
export type { WatchedEvent, WatchScope as WatchPlace, WatchType, WatchRequest as Wish } from './model.js';
export type { WatchOwner as Owner } from './watch.js';
