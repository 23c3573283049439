import { INTERVAL_MS, watchesElements } from './model.js';
import type { WatchRequest } from './model.js';
import type { Snapshot } from './snapshot.js';

interface Facts {
  lastFailure: string | null;
  suspendedReason: string | null;
  interval: number;
  seen: Snapshot | null;
}

/** What an agent should know about the limits of its observation. */
export function notesOf(
  wish: WatchRequest,
  { lastFailure: trouble, suspendedReason: held, interval, seen }: Facts,
): string[] {
  const { intervalMs, requestedIntervalMs: askedMs, roles, types } = wish;
  return [
    ...(askedMs === intervalMs
      ? []
      : [`The interval is kept between ${INTERVAL_MS.min} and ${INTERVAL_MS.max} ms; ${askedMs} was asked.`]),
    ...(interval > intervalMs ? [`Reading takes long, so it is looked every ${interval} ms only.`] : []),
    ...(seen?.elements?.truncated === true
      ? ['Too large to read whole: elements that come and go are not told. Watch one window or element.']
      : []),
    ...(roles.length > 0 && !watchesElements({ types }) ? ['roles choose among elements, which are not watched.'] : []),
    ...(trouble === null ? [] : [`The last look failed: ${trouble}`]),
    ...(held === null ? [] : [`Nothing is told now: ${held}`]),
  ];
}
