import type { Capture, Pixels } from '../../desktop.js';

/** One of the largest screens. */
const MAX_BYTES = 24 * 1024 * 1024;
/** Without pictures for so long, none is kept. */
const IDLE_MS = 1_000;

type SharedPicture = ReturnType<typeof sharePicture>;

/** Pictures that are given out again where nothing in them was painted since: always the same object, which nobody changes. `idle`: called when none is kept any more. */
export function createKeptPictures(idle: () => void = () => {}) {
  const kept = new Map<string, SharedPicture & { generation: string }>();
  let timer: NodeJS.Timeout | null = null;

  const drop = (name: string): void => {
    kept.get(name)?.drop();
    kept.delete(name);
  };
  const dropAll = (): void => [...kept.keys()].forEach(drop);

  const close = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    dropAll();
    idle();
  };

  const used = (): void => {
    if (timer === null) timer = setTimeout(close, IDLE_MS).unref();
    else timer.refresh();
  };

  const makeRoom = (bytes: number): void => {
    let left = MAX_BYTES - bytes;
    for (const [name, { picture }] of [...kept].toReversed()) {
      left -= picture.rgb.length;
      if (left < 0) drop(name);
    }
  };

  return {
    /** `generation`: of what it shows, as of now. null where the picture is of another one. */
    find(name: string, generation: string): Capture | null {
      used();
      const known = kept.get(name);
      if (known?.generation !== generation) return null;
      // The last one asked for is the last of the map.
      kept.delete(name);
      kept.set(name, known);
      return known.giveOut();
    },
    /** In the place of an older one with this name. Returns what is to be given out. */
    keep(name: string, generation: string, picture: Capture): Capture {
      used();
      drop(name);
      if (picture.rgb.length > MAX_BYTES) return picture;
      makeRoom(picture.rgb.length);
      const shared = sharePicture(picture);
      kept.set(name, { generation, ...shared });
      return shared.giveOut();
    },
    dropWhere(isOld: (picture: Capture) => boolean): void {
      for (const [name, { picture }] of [...kept]) if (isOld(picture)) drop(name);
    },
    /** As after a while without pictures. */
    close,
  };
}

function sharePicture(own: Capture) {
  const { release } = own.rgb;
  let users = 0;
  let dropped = false;
  const freeUnused = (): void => {
    if (users === 0 && dropped) release?.();
  };
  const rgb: Pixels = own.rgb.subarray();
  if (release !== undefined)
    rgb.release = () => {
      users -= 1;
      freeUnused();
    };
  const picture = { ...own, rgb };
  return {
    picture,
    giveOut(): Capture {
      users += 1;
      return picture;
    },
    /** Its memory is used again once it is dropped, and released as often as it was given out. */
    drop(): void {
      dropped = true;
      freeUnused();
    },
  };
}
