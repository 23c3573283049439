import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Bound } from '../calls/bind.js';
import type { Ref } from '../calls/types.js';

/** Elements that have an id. Equal elements have the same one; each is kept alive while it is here. */
export type ElementTable = ReturnType<typeof createElementTable>;

interface Entry {
  id: string;
  ref: Ref;
  hash: string;
}

const MOST_ELEMENTS = 50_000;

export function createElementTable(
  { coreFoundation: cf }: Pick<Bound, 'coreFoundation'>,
  generation: number,
  most: number = MOST_ELEMENTS,
) {
  /** In the order of use. */
  const byId = new Map<string, Entry>();
  const byHash = new Map<string, Entry[]>();
  let serial = 0;

  const use = (entry: Entry): Entry => {
    byId.delete(entry.id);
    byId.set(entry.id, entry);
    return entry;
  };
  const add = (ref: Ref, hash: string): Entry => {
    cf.CFRetain(ref);
    const entry = { id: `${generation}.${++serial}`, ref, hash };
    byHash.set(hash, [...(byHash.get(hash) ?? []), entry]);
    return entry;
  };
  const forget = (entry: Entry): void => {
    byId.delete(entry.id);
    const others = (byHash.get(entry.hash) ?? []).filter((each) => each !== entry);
    if (others.length === 0) byHash.delete(entry.hash);
    else byHash.set(entry.hash, others);
    cf.CFRelease(entry.ref);
  };

  return {
    idOf(ref: Ref): string {
      const hash = String(cf.CFHash(ref));
      const known = byHash.get(hash)?.find((entry) => entry.ref === ref || cf.CFEqual(entry.ref, ref) !== 0);
      return use(known ?? add(ref, hash)).id;
    },
    /** The table's own reference, which lives until `trim`. Throws `stale` where the id is of another process or forgotten. */
    refOf(id: string): Ref {
      const entry = byId.get(id);
      if (entry === undefined) throw new DesktopError('stale', message('native.no_such_element', { id }));
      return use(entry).ref;
    },
    /** Forgets those used longest ago where there are too many. Between calls only: within one, references are in use. */
    trim(): void {
      for (const entry of byId.values()) {
        if (byId.size <= most) return;
        forget(entry);
      }
    },
    close(): void {
      for (const entry of [...byId.values()]) forget(entry);
    },
  };
}
