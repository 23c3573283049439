import * as z from 'zod';
import type { DesktopReader, Element } from '../../../native/desktop.js';
import { rectSchema, WireError } from '../../protocol/index.js';
import { nullIfGone } from '../failures.js';
import { message } from '../../../messages/index.js';

/** An element as callers know it. `fingerprint` is role, title and frame at the time; a moved frame does not make it stale. */
export const elementRefSchema = z.object({
  elementId: z.string(),
  fingerprint: z.string(),
  role: z.string(),
  title: z.string(),
  value: z.string().nullable(),
  frame: rectSchema.nullable(),
});
type ElementRef = z.infer<typeof elementRefSchema>;

/** What callers send back; other fields are ignored. */
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

/** The references that one agent was given: bounded, oldest dropped first. */
export interface References {
  refer(element: Element): ElementRef;
  /** The element as it is now. A stale id is looked up again by application, path, role and title; no match, or several, is an error. */
  resolve(desktop: DesktopReader, ref: GivenRef, signal: AbortSignal): Promise<Element>;
  /** Like `resolve`, for reading only: an element that still exists stays the same, even with another title. */
  follow(desktop: DesktopReader, ref: GivenRef, signal: AbortSignal): Promise<Element>;
}

/** Each agent has its own ids, so an id of another agent is unknown and numbers reveal nothing about other agents. */
export type ReferencesOf = (agentId: string) => References;

const MAX_REFERENCES_PER_AGENT = 20_000;
const MAX_REFERENCES = 100_000;
const MAX_AGENTS = 200;
const LIMITS = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 5000 };

/** Drops the least recently used agent's references first. */
export function createReferences(): ReferencesOf {
  const books = new Map<string, ReturnType<typeof createAgentReferences>>();
  const isFull = () =>
    books.size > MAX_AGENTS || [...books.values()].reduce((sum, book) => sum + book.size(), 0) > MAX_REFERENCES;

  return (agentId) => {
    const book = books.get(agentId) ?? createAgentReferences();
    books.delete(agentId);
    books.set(agentId, book);
    for (const silent of books.keys()) {
      if (silent === agentId || !isFull()) break;
      books.delete(silent);
    }
    return book;
  };
}

function createAgentReferences(): References & { size(): number } {
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
      if (known.size <= MAX_REFERENCES_PER_AGENT) break;
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

  /** The name is passed on to the element that replaced the old one. */
  function rename(name: string, from: Known, to: Element): void {
    if (numbers.get(from.id) === name) numbers.delete(from.id);
    if (!numbers.has(to.id)) numbers.set(to.id, name);
    const { id, pid, role, title, path, identifier } = to;
    known.set(name, { id, pid, role, title, path, identifier });
  }

  function entryOf(ref: GivenRef): Known {
    const entry = known.get(ref.elementId);
    if (entry !== undefined) return entry;
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.unknown_element', { id: ref.elementId }), {
      reason: 'unknown_reference',
      next: 'Look it up again, as with find_elements.',
    });
  }

  const findAlive = (desktop: DesktopReader, { id }: Known, signal: AbortSignal) =>
    desktop.element(id, signal).catch(nullIfGone);

  async function resolve(desktop: DesktopReader, ref: GivenRef, signal: AbortSignal): Promise<Element> {
    const entry = entryOf(ref);
    const same = await findAlive(desktop, entry, signal);
    if (same !== null && same.role === entry.role && same.title === entry.title) return same;
    return findAgain(desktop, ref, entry, same, signal);
  }

  async function follow(desktop: DesktopReader, ref: GivenRef, signal: AbortSignal): Promise<Element> {
    const entry = entryOf(ref);
    const same = await findAlive(desktop, entry, signal);
    return same !== null && same.role === entry.role ? same : findAgain(desktop, ref, entry, null, signal);
  }

  /** `renamed` still exists, but with another title. */
  async function findAgain(
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
    const now =
      renamed === null || disclosableTitle(renamed) === ''
        ? ''
        : ` It is called “${disclosableTitle(renamed)}” by now.`;
    const what = disclosableTitle(entry) === '' ? entry.role : `“${entry.title}” (${entry.role})`;
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

/** What an error may say of an element whose content was not disclosed: its place and label, not its value. */
export function candidateOf(refer: References['refer']): (element: Element) => Omit<ElementRef, 'value'> {
  return (element) => {
    const { value: _value, ...told } = refer(element);
    const title = disclosableTitle(element);
    return { ...told, title, fingerprint: fingerprint({ ...element, title }) };
  };
}

/** Roles whose title is a label of the application. The titles of texts, rows, cells, links and windows are content. */
const LABELLED_ROLES: ReadonlySet<string> = new Set([
  'AXButton', 'AXCheckBox', 'AXRadioButton', 'AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXMenuButton', 'AXMenuItem', 'AXMenuBarItem',
  'AXSlider', 'AXIncrementor', 'AXDisclosureTriangle', 'AXSwitch', 'AXColorWell', 'AXDateField', 'AXTab', 'AXTabButton', 'AXToolbar', 'AXMenu',
]); // prettier-ignore

const disclosableTitle = ({ role, title }: Pick<Element, 'role' | 'title'>): string =>
  LABELLED_ROLES.has(role) ? title : '';
