import { INTERVAL_MS, watchesElements, type WatchRequest } from './model.js';
import type { WatchSnapshot } from './snapshot.js';

interface Facts {
  lastFailure: string | null;
  suspendedReason: string | null;
  interval: number;
  seen: WatchSnapshot | null;
}

/** What an agent should know about the limits of its observation. */
export function notesOf(request: WatchRequest, { lastFailure, suspendedReason, interval, seen }: Facts): string[] {
  const { intervalMs, requestedIntervalMs, roles, types } = request;
  return [
    ...(requestedIntervalMs === intervalMs
      ? []
      : [
          `The interval is kept between ${INTERVAL_MS.min} and ${INTERVAL_MS.max} ms; ${requestedIntervalMs} was requested.`,
        ]),
    ...(interval > intervalMs ? [`Reading takes long, so it is repeated every ${interval} ms only.`] : []),
    ...(seen?.elements?.truncated === true
      ? ['Too large to read whole: added and removed elements are not reported. Watch one window or element.']
      : []),
    ...(roles.length > 0 && !watchesElements({ types }) ? ['`roles` has no effect: no elements are watched.'] : []),
    ...(lastFailure === null ? [] : [`The last reading failed: ${lastFailure}`]),
    ...(suspendedReason === null ? [] : [`No events are reported now: ${suspendedReason}`]),
  ];
}
