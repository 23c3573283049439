import { createHash } from 'node:crypto';
import type { App, ClipboardContent, ClipboardReading, DesktopReader } from '../../../native/desktop.js';

export type ClipboardKind = 'text' | 'html' | 'image' | 'files';

interface ClipboardEntry {
  copiedAt: string;
  types: ClipboardKind[];
  /** The text, else the markup, else the paths, one a line; '' for a picture alone. */
  text: string;
  /** Only the start was kept. */
  truncated: boolean;
  /** In front when it was copied; null where nothing was, and for what agents wrote. */
  application: Pick<App, 'id' | 'name'> | null;
}

/** What is known of the clipboard beside its content, and, once the person has allowed it, what was on it. */
export interface ClipboardHistory {
  /** Keeps what is copied from now on for this agent; asked again, nothing changes. Returns since when. */
  record(agentId: string): string;
  /** Newest first: what was copied since this agent was first allowed it, whatever others were allowed before. */
  entries(agentId: string): Promise<readonly ClipboardEntry[]>;
  /** The content there is was copied where agents may not look: an excluded application, Chaperone itself, or while a pairing link was open. */
  closed(): Promise<boolean>;
  close(): void;
}

export interface ClipboardHistoryOptions {
  /** As agents may see it: masked. */
  desktop: DesktopReader;
  /** Unmasked: asked only for what is in front. */
  real: Pick<DesktopReader, 'frontmost'>;
  /** The person may exclude an application after something was copied in it. */
  excluded(app: Pick<App, 'id' | 'otherIds'>): boolean;
  now(): Date;
}

interface Change {
  number: number;
  copiedAt: string;
}

interface Source {
  app: App | null;
  closed: boolean;
}

interface Kept {
  /** Which change of the clipboard it was. */
  number: number;
  print: string;
  size: number;
  entry: ClipboardEntry;
}

const MOST = 100;
const MOST_AGENTS = 1000;
const LONGEST_ENTRY = 100_000;
const MOST_CHARACTERS = 2_000_000;
const PATIENCE_MS = 5000;
const MOST_VEILED = 200;
const UNKNOWN: Source = { app: null, closed: true };
const OWN: Source = { app: null, closed: false };

/** In memory only: it ends with the host. Passwords that are marked as such, and what was copied where agents may not look, never get in. */
export function createClipboardHistory({ desktop, real, excluded, now }: ClipboardHistoryOptions): ClipboardHistory {
  const ended = new AbortController();
  let kept: Kept[] = [];
  /** Prints of what was copied where nobody saw, or where agents may not look. A clipboard manager may put it there again later. */
  const veiled = new Set<string>();
  const since = new Map<string, { at: string; from: number }>();
  /** What was there before the first was allowed it can be told from what is copied since. */
  let known = false;
  let changes = 0;
  let source: Promise<Source> = Promise.resolve(OWN);
  let locating: Promise<unknown> = Promise.resolve();
  let located: Promise<Source> | null = null;
  let work: Promise<unknown> = Promise.resolve();
  let waiting = false;

  const patience = () => AbortSignal.any([ended.signal, AbortSignal.timeout(PATIENCE_MS)]);

  async function front(): Promise<Source> {
    const [{ app }, shown] = await Promise.all([
      real.frontmost(patience()),
      desktop.frontmost(patience()).then(
        (seen) => seen.app,
        () => null,
      ),
    ]);
    return { app, closed: app !== null && shown === null };
  }

  function keep(content: ClipboardReading, from: Source, { number, copiedAt }: Change): void {
    const types = kindsOf(content);
    if (ended.signal.aborted || content.concealed === true || types.length === 0) return;
    const print = printOf(content);
    if (from.closed) return veil(print);
    if (from === OWN) veiled.delete(print);
    if (veiled.has(print)) return;
    const whole = content.text ?? content.html ?? (content.files ?? []).join('\n');
    const text = startOf(whole, LONGEST_ENTRY);
    const application = from.app === null ? null : { id: from.app.id, name: from.app.name };
    const entry = { copiedAt, types, text, truncated: text.length < whole.length, application };
    kept = [{ number, print, size: text.length, entry }, ...kept.filter((one) => one.print !== print)].slice(0, MOST);
    while (sizeOf(kept) > MOST_CHARACTERS) kept.pop();
  }

  function veil(print: string): void {
    veiled.add(print);
    for (const oldest of veiled) if (veiled.size > MOST_VEILED) veiled.delete(oldest);
  }

  /** What is there before anything is remembered: from before this host, or from where agents may not look. */
  async function veilPresent(): Promise<void> {
    const isUnknown = async () => changes === 0 || (await source).closed;
    if (await isUnknown()) {
      const content = await desktop.readClipboard(patience()).catch(() => null);
      if (content === null) return;
      if (kindsOf(content).length > 0 && (await isUnknown())) veil(printOf(content));
    }
    known = true;
  }

  /** One look waits at a time: of changes that come faster, the last one counts. */
  function locate(): Promise<Source> {
    const mine = (located ??= locating.then(() => {
      located = null;
      return front().catch(() => UNKNOWN);
    }));
    locating = mine;
    return mine;
  }

  /** As `locate`. */
  function look(change: Change): void {
    if (waiting) return;
    waiting = true;
    work = work.then(async () => {
      waiting = false;
      const before = source;
      const content = await desktop.readClipboard(patience()).catch(() => null);
      const [then, now] = await Promise.all([before, source]);
      if (content === null) return;
      // It may be of either: what was copied meanwhile does not open what was there before, nor what could not be read then.
      keep(content, { app: now.app, closed: then.closed || now.closed || !known }, change);
      known ||= kindsOf(content).length > 0;
    });
  }

  function changed(written: ClipboardContent | null): void {
    source = written === null ? locate() : Promise.resolve(OWN);
    changes += 1;
    if (since.size === 0) return;
    const change = { number: changes, copiedAt: now().toISOString() };
    if (written === null) look(change);
    else work = work.then(() => keep(written, OWN, change));
  }

  const stop = desktop.onClipboardChange(changed);
  return {
    record(agentId) {
      if (!known) work = work.then(veilPresent);
      const begun = since.get(agentId) ?? { at: now().toISOString(), from: changes };
      since.set(agentId, begun);
      for (const oldest of since.keys()) if (since.size > MOST_AGENTS) since.delete(oldest);
      return begun.at;
    },
    async entries(agentId) {
      await work;
      const from = since.get(agentId)?.from ?? Infinity;
      const own = kept.filter(({ number }) => number > from).map(({ entry }) => entry);
      return own.filter(({ application }) => application === null || !excluded(application));
    },
    closed: async () => (await source).closed,
    close() {
      stop();
      ended.abort();
      kept = [];
      veiled.clear();
    },
  };
}

export function kindsOf({ text, html, png, files }: ClipboardContent): ClipboardKind[] {
  const kinds: [ClipboardKind, boolean][] = [
    ['text', text !== undefined && text !== ''],
    ['html', html !== undefined && html !== ''],
    ['image', png !== undefined && png.length > 0],
    ['files', files !== undefined && files.length > 0],
  ];
  return kinds.flatMap(([kind, there]) => (there ? [kind] : []));
}

/** Never half of a character. */
export function startOf(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

const sizeOf = (all: Kept[]): number => all.reduce((sum, { size }) => sum + size, 0);

function printOf({ text, html, png, files }: ClipboardContent): string {
  const hash = createHash('sha256').update(JSON.stringify([text, html, files]));
  return hash.update(png ?? '').digest('hex');
}
