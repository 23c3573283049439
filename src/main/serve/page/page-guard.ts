import type { Protection, WindowFacts } from '../../pipeline/mask-rules.js';
import type { ProcessTable } from '../../../native/peer/types.js';

/** One connected page, by the process it connected from. */
interface OpenPage {
  /** The page was paired. */
  markPaired(): void;
  /** As the page reports; visible until it does. */
  setVisible(visible: boolean): void;
  closed(): void;
}

export interface PageGuard extends Protection {
  /** null: the kernel does not tell which process it is. */
  pageOpened(pid: number | null): OpenPage;
  /** The page is served at `http://localhost:<port>` from now on: documents of that address are ours. */
  servedAt(url: string): void;
  /** The address of the page; empty until it is served. */
  address(): string;
}

interface PageGuardOptions {
  processes: Pick<ProcessTable, 'lookup' | 'lineage'>;
  unspentLink(): boolean;
  ownPid: number;
}

interface Connected {
  /** Its browser's processes; null where it could be any. */
  line: ReadonlySet<number> | null;
  paired: boolean;
  visible: boolean;
}

const TITLE = 'Chaperone';
const CLOSED_PAGE_MS = 60_000;
const HINT =
  'This browser shows Chaperone’s page and does not tell which of its windows does, so all of them count as Chaperone’s. Ask the person to turn on accessibility in the browser (chrome://accessibility), or to close that page and decide in the popover.';
const TOO_FULL =
  'This window has so many windows in it that Chaperone cannot tell whether its own page is among them. Work in another window.';
const NAMESAKE =
  'Chaperone’s page is open in a program that the system does not name, so any window whose title has “Chaperone” in it counts as that page. Ask the person to close the page and decide in the popover, or to give this window another title.';

/**
 * Knows our own windows and browser windows that show the page: by the addresses of all documents they show, where the browser
 * tells them, else by process and title, and by what a visible page of that browser says.
 */
export function createPageGuard({ processes, unspentLink, ownPid }: PageGuardOptions): PageGuard {
  const origins = new Set<string>();
  let address = '';
  const pages = new Set<Connected>();
  /** null: a page of which the kernel did not tell whose it was. */
  const gone = new Map<number | null, number>();

  function lineOf(pid: number): Set<number> {
    const self = processes.lookup(pid);
    if (self === null) return new Set([pid]);
    const same = processes.lineage(pid).filter((one) => one.executable === self.executable);
    return new Set(same.map((one) => one.pid));
  }

  function recent(pid: number | null): boolean {
    const at = gone.get(pid);
    if (at === undefined) return false;
    if (Date.now() - at < CLOSED_PAGE_MS) return true;
    gone.delete(pid);
    return false;
  }

  const from = (pid: number) => [...pages].filter(({ line }) => line?.has(pid) === true);
  const isUnnamedOpen = () => [...pages].some(({ line }) => line === null);
  const isOurs = (url: string) => origins.has(browserOrigin(url));

  /** True when the browser does not tell its documents and a visible paired page may be in this window. */
  function isUntold({ pid, documents, normal = true }: WindowFacts): boolean {
    if (!normal || documents?.complete === true) return false;
    const watched = ({ line, paired, visible }: Connected) =>
      paired && visible && (line === null ? documents !== undefined : line.has(pid));
    return [...pages].some(watched);
  }

  /** A window with our name that may belong to a page of which the kernel does not tell whose it is. */
  function isNamesake({ title, documents }: WindowFacts): boolean {
    return documents?.complete !== true && title.includes(TITLE) && (isUnnamedOpen() || recent(null));
  }

  /** An open page may be in it, put there by whoever. */
  const isTooFull = ({ crowded }: WindowFacts): boolean => crowded === true && pages.size > 0;

  function isKnown({ pid, title, documentUrl, documents }: WindowFacts): boolean {
    if (pid === ownPid) return true;
    if ([...(documents?.urls ?? []), ...(documentUrl === null ? [] : [documentUrl])].some(isOurs)) return true;
    return (from(pid).length > 0 || recent(pid)) && title.includes(TITLE);
  }

  return {
    pageOpened(pid) {
      const page: Connected = { line: pid === null ? null : lineOf(pid), paired: false, visible: true };
      pages.add(page);
      return {
        markPaired: () => void (page.paired = true),
        setVisible: (visible) => void (page.visible = visible),
        closed() {
          pages.delete(page);
          if (page.line === null && !isUnnamedOpen()) gone.set(null, Date.now());
          for (const one of page.line ?? []) if (from(one).length === 0) gone.set(one, Date.now());
        },
      };
    },
    servedAt(url) {
      address = url;
      for (const name of ['localhost', '127.0.0.1', '[::1]']) origins.add(url.replace('localhost', name));
    },
    address: () => address,
    isProtected: (window) =>
      window !== null && (isKnown(window) || isUntold(window) || isNamesake(window) || isTooFull(window)),
    hintFor(window) {
      if (isKnown(window)) return null;
      if (isTooFull(window)) return TOO_FULL;
      return isUntold(window) ? HINT : isNamesake(window) ? NAMESAKE : null;
    },
    hidesDocument: (pid, url) => (url === null ? from(pid).length > 0 || isUnnamedOpen() : isOurs(url)),
    isPairingLinkOpen: unspentLink,
  };
}

/** As the browser compares them, whatever way the address is written. */
function browserOrigin(documentUrl: string): string {
  const address = documentUrl.replace(/^(view-source:|blob:)+/i, '');
  return URL.canParse(address) ? new URL(address).origin : '';
}
