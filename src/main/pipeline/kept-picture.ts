import type { Capture, WindowPaint } from '../../native/desktop.js';

/** The last masked picture of a window, for as long as the window has not been painted, moved or resized. Each call has its own. */
export interface KeptPicture {
  /** `paint`: as it is now. null where the picture may be another by now. */
  find(windowId: string, paint: WindowPaint | null): Capture | null;
  /** `paint`: as it was before the picture was taken. Returns the picture. */
  keep(windowId: string, paint: WindowPaint | null, picture: Capture): Capture;
  /** null where none is kept. */
  last(): Capture | null;
  /** While a person is asked, for hours maybe: with `true`, a picture lasts only as long as something else holds it, as its card does. */
  lend(on: boolean): void;
}

export function createKeptPicture(): KeptPicture {
  let kept: { windowId: string; generation: string; picture: WeakRef<Capture>; held: Capture | null } | null = null;
  let lent = false;

  const last = (): Capture | null => kept?.held ?? kept?.picture.deref() ?? null;

  return {
    find(windowId, paint) {
      if (kept === null || kept.windowId !== windowId || kept.generation !== paint?.generation) return null;
      return last();
    },
    keep(windowId, paint, picture) {
      const held = lent ? null : picture;
      kept = paint === null ? null : { windowId, generation: paint.generation, picture: new WeakRef(picture), held };
      return picture;
    },
    last,
    lend(on) {
      lent = on;
      if (kept !== null) kept.held = on ? null : last();
    },
  };
}
