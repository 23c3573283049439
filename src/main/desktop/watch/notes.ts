import { INTERVALS, watchesElements } from './model.js';
import type { Wish } from './model.js';
import type { Seen } from './look.js';

interface Facts {
  trouble: string | null;
  held: string | null;
  interval: number;
  seen: Seen | null;
}

/** What an agent should know about how it is watched. */
export function notesOf(wish: Wish, { trouble, held, interval, seen }: Facts): string[] {
  const { intervalMs, askedMs, roles, types } = wish;
  return [
    ...(askedMs === intervalMs
      ? []
      : [`The interval is kept between ${INTERVALS.least} and ${INTERVALS.most} ms; ${askedMs} was asked.`]),
    ...(interval > intervalMs ? [`Reading takes long, so it is looked every ${interval} ms only.`] : []),
    ...(seen?.elements?.cut === true
      ? ['Too large to read whole: elements that come and go are not told. Watch one window or element.']
      : []),
    ...(roles.length > 0 && !watchesElements({ types }) ? ['roles choose among elements, which are not watched.'] : []),
    ...(trouble === null ? [] : [`The last look failed: ${trouble}`]),
    ...(held === null ? [] : [`Nothing is told now: ${held}`]),
  ];
}
