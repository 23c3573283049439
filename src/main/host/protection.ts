import type { Protection } from '../action/ports.js';
import type { ProcessTable } from '../../native/peer/types.js';

export interface PageGuard extends Protection {
  /** A page connected from this process; call the result when it has gone. */
  pageOpened(pid: number): () => void;
}

export interface PageGuardOptions {
  processes: Pick<ProcessTable, 'lookup' | 'lineage'>;
  /** All addresses of the page. */
  origins: () => readonly string[];
  unspentLink(): boolean;
  ownPid: number;
}

const TITLE = 'Chaperone';
const REMEMBER_MS = 60_000;

/** Knows our own windows and browser windows that show the page: by address where the browser tells it, else by process and title. */
export function createPageGuard({ processes, origins, unspentLink, ownPid }: PageGuardOptions): PageGuard {
  const browsers = new Map<number, number>();
  const gone = new Map<number, number>();

  function lineOf(pid: number): number[] {
    const self = processes.lookup(pid);
    if (self === null) return [pid];
    return processes
      .lineage(pid)
      .filter((one) => one.executable === self.executable)
      .map((one) => one.pid);
  }

  function recent(pid: number): boolean {
    const at = gone.get(pid);
    if (at === undefined) return false;
    if (Date.now() - at < REMEMBER_MS) return true;
    gone.delete(pid);
    return false;
  }

  return {
    pageOpened(pid) {
      const line = lineOf(pid);
      for (const one of line) browsers.set(one, (browsers.get(one) ?? 0) + 1);
      return () => {
        for (const one of line) {
          const left = (browsers.get(one) ?? 1) - 1;
          if (left > 0) browsers.set(one, left);
          else {
            browsers.delete(one);
            gone.set(one, Date.now());
          }
        }
      };
    },
    isProtected(window) {
      if (window === null) return false;
      if (window.pid === ownPid) return true;
      const origin = originOf(window.documentUrl);
      if (origin !== null && origins().includes(origin)) return true;
      return (browsers.has(window.pid) || recent(window.pid)) && window.title.includes(TITLE);
    },
    blind: unspentLink,
  };
}

/** As the browser compares them, whatever way the address is written. */
function originOf(documentUrl: string | null): string | null {
  const address = documentUrl?.replace(/^view-source:/i, '') ?? '';
  return URL.canParse(address) ? new URL(address).origin : null;
}
