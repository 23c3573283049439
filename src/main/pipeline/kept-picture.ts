import type { Capture, WindowPaint } from '../../native/desktop.js';

/** The last masked picture of a window, for as long as the window has not been painted, moved or resized. Each call has its own. */
export type KeptPicture = ReturnType<typeof createKeptPicture>;

export function createKeptPicture() {
  let kept: { windowId: string; generation: string; picture: Capture } | null = null;
  return {
    /** `paint`: as it is now. null where the picture may be another by now. */
    find(windowId: string, paint: WindowPaint | null): Capture | null {
      if (kept === null || kept.windowId !== windowId || kept.generation !== paint?.generation) return null;
      return kept.picture;
    },
    /** `paint`: as it was before the picture was taken. Returns the picture. */
    keep(windowId: string, paint: WindowPaint | null, picture: Capture): Capture {
      kept = paint === null ? null : { windowId, generation: paint.generation, picture };
      return picture;
    },
    /** null where none is kept. */
    last: (): Capture | null => kept?.picture ?? null,
    forget(): void {
      kept = null;
    },
  };
}
