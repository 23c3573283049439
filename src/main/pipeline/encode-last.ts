import { isControlEffect, type CallState } from './dependencies.js';

/** In the background: unless the window is painted until then, the picture that was taken last is `before.png`. */
export function encodeLast({ deps, bound, picture, record }: CallState): void {
  const last = record.evidence.dir === null || !isActing(bound) ? null : picture.last();
  if (last !== null) deps.imaging.png(last).catch(() => undefined);
}

const isActing = ({ effect, offDesktop }: CallState['bound']): boolean =>
  isControlEffect(effect) && offDesktop !== true;
