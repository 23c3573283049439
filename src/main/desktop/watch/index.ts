/**
 * Observations: changes on the desktop between an agent's calls. Comes in: requests of agents, and change hints of the backend. Goes
 * out: numbered events, only to the agent that asked. Built by the host, called by the observation tools. Only reads, and only the
 * masked desktop.
 */
export { createClipboardHistory, kindsOf } from './clipboard-history.js';
export type { ClipboardHistory } from './clipboard-history.js';
export { createObservations } from './observations.js';
export type { DeliveredEvent, Observations, ObservationsOptions, PollResult } from './observations.js';
export { ATTRIBUTES, INTERVAL_MS, WATCH_TYPES, watchesElements } from './model.js';
export type { WatchedEvent, WatchScope, WatchType, WatchRequest } from './model.js';
export type { WatchOwner } from './watch.js';
