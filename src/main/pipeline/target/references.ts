import * as z from 'zod';
import type { DesktopReader, Element } from '../../../native/desktop.js';
import { rectSchema, WireError } from '../../protocol/index.js';

/** An element as callers know it. `fingerprint` is role, title and frame at the time; a moved frame does not make it stale. */
export const elementRefSchema = z.object({
  elementId: z.string(),
  fingerprint: z.string(),
  role: z.string(),
  title: z.string(),
  value: z.string().nullable(),
  frame: rectSchema.nullable(),
});
export type ElementRef = z.infer<typeof elementRefSchema>;

/** What callers send back; more fields than these are welcome and ignored. */
export const givenRefSchema = z.object({
  elementId: z.string().min(1).max(2000),
  fingerprint: z.string().max(20_000).optional(),
});
export type GivenRef = z.infer<typeof givenRefSchema>;

function fingerprint({ role, title, frame }: Element): string {
  const place = frame === null ? '' : `x=${frame.x},y=${frame.y},w=${frame.width},h=${frame.height}`;
  return `${role}|${title}|${place}`;
}

interface Known {
  id: string;
  pid: number;
  role: string;
  title: string;
  path: readonly number[];
  identifier: string;
}

/** The references one agent was given: bounded, oldest forgotten first. */
export interface References {
  refer(element: Element): ElementRef;
  /** The element as it is now. A stale id is found again by application, path, role and title; none or several is a stale error. */
  resolve(desktop: DesktopReader, ref: GivenRef, signal: AbortSignal): Promise<Element>;
  /** The same for looking only: while it lives it stays the same element, whatever it is called by now. */
  follow(desktop: DesktopReader, ref: GivenRef, signal: AbortSignal): Promise<Element>;
}

/** Each agent has its own: another's id is as unknown as one that was never given, and numbers tell nothing of others' work. */
export type ReferencesOf = (agentId: string) => References;

const MOST = 20_000;
const MOST_TOGETHER = 100_000;
const MOST_AGENTS = 200;
const LIMITS = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 5000 };

/** Of too many agents the one goes first that was silent longest. */
export function createReferences(): ReferencesOf {
  const books = new Map<string, ReturnType<typeof createBook>>();
  const isFull = () =>
    books.size > MOST_AGENTS || [...books.values()].reduce((sum, book) => sum + book.size(), 0) > MOST_TOGETHER;

  return (agentId) => {
    const book = books.get(agentId) ?? createBook();
    books.delete(agentId);
    books.set(agentId, book);
    for (const silent of books.keys()) {
      if (silent === agentId || !isFull()) break;
      books.delete(silent);
    }
    return book;
  };
}

function createBook(): References & { size(): number } {
  const known = new Map<string, Known>();
  const numbers = new Map<string, string>();
  let last = 0;

  function refer(element: Element): ElementRef {
    const { id, pid, role, title, path, identifier } = element;
    const name = numbers.get(id) ?? `e:${(last += 1)}`;
    numbers.set(id, name);
    known.delete(name);
    known.set(name, { id, pid, role, title, path, identifier });
    for (const [oldest, old] of known) {
      if (known.size <= MOST) break;
      known.delete(oldest);
      numbers.delete(old.id);
    }
    return {
      elementId: name,
      fingerprint: fingerprint(element),
      role,
      title,
      value: element.value,
      frame: element.frame,
    };
  }

  /** The name goes on to the element that took the place of the old one. */
  function rename(name: string, from: Known, to: Element): void {
    if (numbers.get(from.id) === name) numbers.delete(from.id);
    if (!numbers.has(to.id)) numbers.set(to.id, name);
    const { id, pid, role, title, path, identifier } = to;
    known.set(name, { id, pid, role, title, path, identifier });
  }

  function entryOf(ref: GivenRef): Known {
    const entry = known.get(ref.elementId);
    if (entry !== undefined) return entry;
    throw new WireError(
      'DESKTOP_ELEMENT_NOT_FOUND',
      `${ref.elementId} is no element this host gave you (references end with you, or with the host).`,
      { reason: 'unknown_reference', next: 'Look it up again, as with find_elements.' },
    );
  }

  const living = (desktop: DesktopReader, { id }: Known, signal: AbortSignal) =>
    desktop.element(id, signal).catch((thrown: unknown) => (isStale(thrown) ? null : Promise.reject(thrown)));

  async function resolve(desktop: DesktopReader, ref: GivenRef, signal: AbortSignal): Promise<Element> {
    const entry = entryOf(ref);
    const same = await living(desktop, entry, signal);
    if (same !== null && same.role === entry.role && same.title === entry.title) return same;
    return again(desktop, ref, entry, same, signal);
  }

  async function follow(desktop: DesktopReader, ref: GivenRef, signal: AbortSignal): Promise<Element> {
    const entry = entryOf(ref);
    const same = await living(desktop, entry, signal);
    return same !== null && same.role === entry.role ? same : again(desktop, ref, entry, null, signal);
  }

  /** `renamed` still lives, but says something else now. */
  async function again(
    desktop: DesktopReader,
    ref: GivenRef,
    entry: Known,
    renamed: Element | null,
    signal: AbortSignal,
  ): Promise<Element> {
    const selector = {
      role: entry.role,
      titleContains: entry.title,
      ...(entry.identifier === '' ? {} : { identifier: entry.identifier }),
    };
    const found = await desktop.find({ pid: entry.pid }, selector, 50, LIMITS, signal);
    const fits = found.elements.filter((element) => element.title === entry.title);
    const placed = fits.filter((element) => element.path.join('/') === entry.path.join('/'));
    const candidates = placed.length > 0 ? placed : fits;
    const only = candidates[0];
    if (candidates.length === 1 && only !== undefined) {
      if (renamed === null) rename(ref.elementId, entry, only);
      return only;
    }
    const now = renamed === null || tellable(renamed) === '' ? '' : ` It is called “${tellable(renamed)}” by now.`;
    const what = tellable(entry) === '' ? entry.role : `“${entry.title}” (${entry.role})`;
    throw new WireError(
      'DESKTOP_ELEMENT_NOT_FOUND',
      `${ref.elementId} is stale: ${candidates.length === 0 ? 'nothing' : `${candidates.length} elements`} now fit${candidates.length === 0 ? 's' : ''} ${what}.${now}`,
      {
        reason: candidates.length === 0 ? 'stale' : 'ambiguous',
        candidates: (candidates.length === 0 && renamed !== null ? [renamed] : candidates)
          .slice(0, 10)
          .map(candidateOf(refer)),
      },
    );
  }

  return { refer, resolve, follow, size: () => known.size };
}

/** What an error may tell of an element that nobody was asked to disclose: where it is and what it is called, not what it holds. */
export function candidateOf(refer: References['refer']): (element: Element) => Omit<ElementRef, 'value'> {
  return (element) => {
    const { value: _value, ...told } = refer(element);
    const title = tellable(element);
    return { ...told, title, fingerprint: fingerprint({ ...element, title }) };
  };
}

/** Their titles are the words of an application's own making; the titles of texts, rows, cells, links and windows are what they hold. */
const CALLED: ReadonlySet<string> = new Set([
  'AXButton', 'AXCheckBox', 'AXRadioButton', 'AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXMenuButton', 'AXMenuItem', 'AXMenuBarItem',
  'AXSlider', 'AXIncrementor', 'AXDisclosureTriangle', 'AXSwitch', 'AXColorWell', 'AXDateField', 'AXTab', 'AXTabButton', 'AXToolbar', 'AXMenu',
]); // prettier-ignore

const tellable = ({ role, title }: Pick<Element, 'role' | 'title'>): string => (CALLED.has(role) ? title : '');

function isStale(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && (thrown.code === 'stale' || thrown.code === 'not_found');
}
