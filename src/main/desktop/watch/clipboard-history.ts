import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { sliceText } from '../../../base/text.js';
import type { App, ClipboardContent, ClipboardReading, DesktopReader } from '../../../native/desktop.js';

type ClipboardKind = 'text' | 'html' | 'image' | 'files';

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

/** Past contents of the clipboard, kept for an agent once the person has allowed it; and where the present content came from. */
export interface ClipboardHistory {
  /** Keeps what is copied from now on for this agent. Idempotent; returns the start time. */
  record(agentId: string): string;
  /** Newest first, only what was copied since this agent's `record`. */
  entries(agentId: string): Promise<readonly ClipboardEntry[]>;
  /** The present content was copied in an excluded application, in Chaperone itself, or while a pairing link was open. */
  isRestricted(): Promise<boolean>;
  close(): void;
}

interface ClipboardHistoryOptions {
  /** Masked. */
  desktop: DesktopReader;
  /** Unmasked; used for the frontmost application only. */
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
  restricted: boolean;
}

interface KeptEntry {
  /** Which change of the clipboard it was. */
  number: number;
  fingerprint: string;
  size: number;
  entry: ClipboardEntry;
}

const MAX_ENTRIES = 100;
const MAX_AGENTS = 1000;
const MAX_ENTRY_CHARACTERS = 100_000;
const MAX_CHARACTERS = 2_000_000;
const READ_TIMEOUT_MS = 5000;
const MAX_RESTRICTED = 200;
const UNKNOWN_SOURCE: Source = { app: null, restricted: true };
const AGENT_SOURCE: Source = { app: null, restricted: false };

/** In memory only. Never holds passwords marked as such, or content copied where agents may not read. */
export function createClipboardHistory({ desktop, real, excluded, now }: ClipboardHistoryOptions): ClipboardHistory {
  const ended = new AbortController();
  let kept: KeptEntry[] = [];
  /** Fingerprints of content copied where agents may not read, or from an unknown source. A clipboard manager may set it again later. */
  const restricted = new LRUCache<string, true>({ max: MAX_RESTRICTED });
  const since = new LRUCache<string, { at: string; from: number }>({ max: MAX_AGENTS });
  /** The content from before the first grant has a fingerprint, so later content can be told from it. */
  let known = false;
  let changes = 0;
  let source: Promise<Source> = Promise.resolve(AGENT_SOURCE);
  let work: Promise<unknown> = Promise.resolve();
  let waiting = false;

  const readSignal = () => AbortSignal.any([ended.signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);

  const locate = createSourceLocator(desktop, real, readSignal);

  function keep(content: ClipboardReading, from: Source, { number, copiedAt }: Change): void {
    const types = kindsOf(content);
    if (ended.signal.aborted || content.concealed === true || types.length === 0) return;
    const fingerprint = fingerprintOf(content);
    if (from.restricted) return markRestricted(fingerprint);
    if (from === AGENT_SOURCE) restricted.delete(fingerprint);
    if (restricted.has(fingerprint)) return;
    const whole = content.text ?? content.html ?? (content.files ?? []).join('\n');
    const text = sliceText(whole, MAX_ENTRY_CHARACTERS);
    const application = from.app === null ? null : { id: from.app.id, name: from.app.name };
    const entry = { copiedAt, types, text, truncated: text.length < whole.length, application };
    kept = [
      { number, fingerprint, size: text.length, entry },
      ...kept.filter((one) => one.fingerprint !== fingerprint),
    ].slice(0, MAX_ENTRIES);
    while (sizeOf(kept) > MAX_CHARACTERS) kept.pop();
  }

  function markRestricted(fingerprint: string): void {
    restricted.set(fingerprint, true);
  }

  /** Treats the present content as restricted if it is older than this host or came from where agents may not read. */
  async function markPresentContent(): Promise<void> {
    const isUnknown = async () => changes === 0 || (await source).restricted;
    if (await isUnknown()) {
      const content = await desktop.readClipboard(readSignal()).catch(() => null);
      if (content === null) return;
      if (kindsOf(content).length > 0 && (await isUnknown())) markRestricted(fingerprintOf(content));
    }
    known = true;
  }

  /** At most one reading waits; of faster changes the last one counts. */
  function readLater(change: Change): void {
    if (waiting) return;
    waiting = true;
    work = work.then(async () => {
      waiting = false;
      const before = source;
      const content = await desktop.readClipboard(readSignal()).catch(() => null);
      const [then, now] = await Promise.all([before, source]);
      if (content === null) return;
      // The content may be of either change: it is restricted if either source was, or if the earlier content is unknown.
      keep(content, { app: now.app, restricted: then.restricted || now.restricted || !known }, change);
      known ||= kindsOf(content).length > 0;
    });
  }

  function changed(written: ClipboardContent | null): void {
    source = written === null ? locate() : Promise.resolve(AGENT_SOURCE);
    changes += 1;
    if (since.size === 0) return;
    const change = { number: changes, copiedAt: now().toISOString() };
    if (written === null) readLater(change);
    else work = work.then(() => keep(written, AGENT_SOURCE, change));
  }

  const stop = desktop.onClipboardChange(changed);
  return {
    record(agentId) {
      if (!known) work = work.then(markPresentContent);
      const begun = since.get(agentId) ?? { at: now().toISOString(), from: changes };
      since.set(agentId, begun);
      return begun.at;
    },
    async entries(agentId) {
      await work;
      const from = since.get(agentId)?.from ?? Infinity;
      const own = kept.filter(({ number }) => number > from).map(({ entry }) => entry);
      return own.filter(({ application }) => application === null || !excluded(application));
    },
    isRestricted: async () => (await source).restricted,
    close() {
      stop();
      ended.abort();
      kept = [];
      restricted.clear();
    },
  };
}

/** Finds the application that a change of the clipboard came from. */
function createSourceLocator(
  desktop: DesktopReader,
  real: Pick<DesktopReader, 'frontmost'>,
  readSignal: () => AbortSignal,
): () => Promise<Source> {
  let locating: Promise<unknown> = Promise.resolve();
  let located: Promise<Source> | null = null;

  async function front(): Promise<Source> {
    const [{ app }, shown] = await Promise.all([
      real.frontmost(readSignal()),
      desktop.frontmost(readSignal()).then(
        (seen) => seen.app,
        () => null,
      ),
    ]);
    return { app, restricted: app !== null && shown === null };
  }

  /** At most one query waits; of faster changes the last one counts. */
  return function locate(): Promise<Source> {
    const mine = (located ??= locating.then(() => {
      located = null;
      return front().catch(() => UNKNOWN_SOURCE);
    }));
    locating = mine;
    return mine;
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

const sizeOf = (all: KeptEntry[]): number => all.reduce((sum, { size }) => sum + size, 0);

function fingerprintOf({ text, html, png, files }: ClipboardContent): string {
  const hash = createHash('sha256').update(JSON.stringify([text, html, files]));
  return hash.update(png ?? '').digest('hex');
}
