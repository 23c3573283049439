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

type KnownElement = Pick<Element, 'id' | 'pid' | 'role' | 'title' | 'path' | 'identifier'>;

const pickKnown = ({ id, pid, role, title, path, identifier }: Element): KnownElement => ({
  id,
  pid,
  role,
  title,
  path,
  identifier,
});

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
  const agents = new Map<string, ReturnType<typeof createAgentReferences>>();
  const isFull = () =>
    agents.size > MAX_AGENTS || [...agents.values()].reduce((sum, entries) => sum + entries.size(), 0) > MAX_REFERENCES;

  return (agentId) => {
    const entries = agents.get(agentId) ?? createAgentReferences();
    agents.delete(agentId);
    agents.set(agentId, entries);
    for (const leastRecent of agents.keys()) {
      if (leastRecent === agentId || !isFull()) break;
      agents.delete(leastRecent);
    }
    return entries;
  };
}

function createAgentReferences(): References & { size(): number } {
  const known = new Map<string, KnownElement>();
  const names = new Map<string, string>();
  let last = 0;

  function refer(element: Element): ElementRef {
    const { id, role, title, value, frame } = element;
    const name = names.get(id) ?? `e:${(last += 1)}`;
    names.set(id, name);
    known.delete(name);
    known.set(name, pickKnown(element));
    for (const [oldest, old] of known) {
      if (known.size <= MAX_REFERENCES_PER_AGENT) break;
      known.delete(oldest);
      names.delete(old.id);
    }
    return { elementId: name, fingerprint: fingerprint(element), role, title, value, frame };
  }

  /** The name is passed on to the element that replaced the old one. */
  function rename(name: string, from: KnownElement, to: Element): void {
    if (names.get(from.id) === name) names.delete(from.id);
    if (!names.has(to.id)) names.set(to.id, name);
    known.set(name, pickKnown(to));
  }

  function entryOf(ref: GivenRef): KnownElement {
    const entry = known.get(ref.elementId);
    if (entry !== undefined) return entry;
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.unknown_element', { id: ref.elementId }), {
      reason: 'unknown_reference',
      next: 'Look it up again, as with find_elements.',
    });
  }

  const findAlive = (desktop: DesktopReader, { id }: KnownElement, signal: AbortSignal) =>
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
    entry: KnownElement,
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
    const newTitle = renamed === null ? '' : disclosableTitle(renamed);
    const { title, role } = entry;
    const none = candidates.length === 0;
    const stale = message('error.stale_element', {
      id: ref.elementId,
      fit: none ? 'none' : 'other',
      count: candidates.length,
      element: disclosableTitle(entry) === '' ? role : message('error.titled_role', { title, role }),
      renamed: newTitle === '' ? 'other' : 'yes',
      title: newTitle,
    });
    const listed = none && renamed !== null ? [renamed] : candidates.slice(0, 10);
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', stale, {
      reason: none ? 'stale' : 'ambiguous',
      candidates: listed.map(candidateOf(refer)),
    });
  }

  return { refer, resolve, follow, size: () => known.size };
}

/** What an error may say of an element whose content was not disclosed: its place and label, not its value. */
export function candidateOf(refer: References['refer']): (element: Element) => Omit<ElementRef, 'value'> {
  return (element) => {
    const { value: _value, ...shown } = refer(element);
    const title = disclosableTitle(element);
    return { ...shown, title, fingerprint: fingerprint({ ...element, title }) };
  };
}

/** Roles whose title is a label of the application. The titles of texts, rows, cells, links and windows are content. */
const LABELLED_ROLES: ReadonlySet<string> = new Set([
  'AXButton', 'AXCheckBox', 'AXRadioButton', 'AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXMenuButton', 'AXMenuItem', 'AXMenuBarItem',
  'AXSlider', 'AXIncrementor', 'AXDisclosureTriangle', 'AXSwitch', 'AXColorWell', 'AXDateField', 'AXTab', 'AXTabButton', 'AXToolbar', 'AXMenu',
]); // prettier-ignore

const disclosableTitle = ({ role, title }: Pick<Element, 'role' | 'title'>): string =>
  LABELLED_ROLES.has(role) ? title : '';
