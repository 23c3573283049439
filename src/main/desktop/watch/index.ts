/**
 * Observations: changes on the desktop between an agent's calls. Comes in: requests of agents, and change hints of the backend. Goes
 * out: numbered events, only to the agent that asked. Built by the host, called by the observation tools. Only reads, and only the
 * masked desktop.
 */
export { createClipboardHistory, kindsOf, type ClipboardHistory } from './clipboard-history.js';
export {
  createObservations,
  type DeliveredEvent,
  type Observations,
  type ObservationsOptions,
  type PollResult,
} from './observations.js';
export {
  ATTRIBUTES,
  INTERVAL_MS,
  WATCH_TYPES,
  watchesElements,
  type WatchedEvent,
  type WatchScope,
  type WatchType,
  type WatchRequest,
} from './model.js';
export type { WatchOwner } from './watch.js';
