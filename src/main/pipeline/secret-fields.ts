/**
 * Fields that were secret once stay secret: a password field that another text field replaced (“show password”, a changed type, a
 * form drawn anew), fields that hold the same text, and whatever is below one. Known by their window or document, and there by label,
 * identifier, path or place. Wraps the desktop, so that trees, pictures, values, clipboard and records are masked alike.
 */
import {
  matches,
  type ClipboardReading,
  type DesktopBackend,
  type Element,
  type Rect,
  type Window,
} from '../../native/desktop.js';
import { within } from './call-clock.js';
import {
  addressOf,
  asSecret,
  isDotted,
  isField,
  isSameField,
  isSecret,
  MIN_SECRET_LENGTH,
  overlap,
  relativeTo,
  tells,
  TEXT_ROLES,
  windowAround,
  type Secret,
} from './secret-identity.js';
import { isAncestorPath, SEARCH_LIMITS } from './target/selector.js';
import { sha256 } from '../approvals/digest.js';

/** What a search of a process found. It holds while nothing is painted and nothing else becomes known. */
interface Searched {
  look: string | null;
  known: string;
  fields: ReadonlySet<string>;
  exposed: readonly Exposed[];
}

/** A field that shows a secret now, as the desktop has it. */
interface Exposed {
  element: Element;
  texts: readonly string[];
}

const MAX_FIELDS = 2000;
const LATER_MS = 5000;
/** Of an application that a picture shows; one that takes longer is covered whole. */
const AREAS_MS = 1000;

export class SecretFields {
  readonly #desktop: DesktopBackend;
  readonly #known = new Map<number, Map<string, Secret>>();
  /** Digests of texts that secret fields showed, and of what was copied from them. */
  readonly #texts = new Set<string>();
  /** By process. */
  readonly #searches = new Map<number, Searched>();
  #searched = '';

  constructor(desktop: DesktopBackend) {
    this.#desktop = desktop;
  }

  /** Whether this process, or any, ever had a secret field. */
  knows(pid?: number): boolean {
    return pid === undefined ? this.#known.size > 0 : this.#known.has(pid);
  }

  /** Remembers a field that is secret now. */
  note(element: Element, windows: readonly Window[]): void {
    if (!isSecret(element)) return;
    const own = this.#known.get(element.pid) ?? new Map<string, Secret>();
    const window = windowAround(element, windows);
    const before = own.get(element.id);
    const place = window === null || element.frame === null ? null : relativeTo(window.frame, element.frame);
    own.set(element.id, {
      id: element.id,
      role: element.role,
      windowId: window?.id ?? before?.windowId ?? null,
      document: addressOf(element),
      title: element.title,
      identifier: element.identifier,
      path: element.path,
      place: place ?? before?.place ?? null,
      state: element.states.visible ? 'shows' : 'hidden',
    });
    this.#known.set(element.pid, own);
  }

  /** Elements as agents may see them, once the secrets of their processes have been looked for. */
  async masked(elements: readonly Element[], signal: AbortSignal): Promise<Element[]> {
    const secure = elements.filter(isSecret);
    const windows = secure.length === 0 ? [] : await this.#desktop.windows(signal);
    for (const one of secure) {
      if (!one.states.secure) await this.#noteAround(one, windows, signal);
      if (!this.#isInside(one)) this.note(one, windows);
    }
    const open = elements.filter((one) => this.#mayShowASecret(one));
    for (const pid of new Set(open.map((one) => one.pid))) {
      const fields = open.filter((one) => one.pid === pid && (isField(one) || one.states.editable));
      await this.#exposedIn(pid, signal, fields);
      // A search finds what shows; and one that was read since may hold what another showed.
      if (fields.length > 0) this.#spread(fields, await this.#desktop.windows(signal));
    }
    return elements.map((one) => this.#hide(one));
  }

  /** Of all others, nothing that a search could find would change how they are shown; in some applications it takes a second. */
  #mayShowASecret(element: Element): boolean {
    const own = this.#known.get(element.pid);
    const { role, states } = element;
    return own !== undefined && (isField(element) || role === 'AXStaticText' || states.editable || own.has(element.id));
  }

  /** An editable area of which nothing shows but dots is secret as a whole, whatever is drawn in it later. */
  async #noteAround(part: Element, windows: readonly Window[], signal: AbortSignal): Promise<void> {
    if (this.#known.get(part.pid)?.has(part.id) === true || this.#isInside(part)) return;
    const above = await this.#desktop.ancestors(part.id, signal).catch(() => []);
    signal.throwIfAborted();
    const end = above.findIndex(({ states }) => !states.editable);
    const area = above.slice(0, end < 0 ? above.length : end).at(-1);
    if (area === undefined) return;
    const { nodes } = await this.#desktop.tree({ pid: area.pid, elementId: area.id }, SEARCH_LIMITS, signal);
    const texts = nodes.filter(({ element: { role, states } }) => role === 'AXStaticText' && states.editable);
    if (texts.every(({ element }) => isDotted(element.value))) this.note(asSecret(area), windows);
  }

  /** The one place that every element passes on its way to an agent. */
  #hide(element: Element): Element {
    if (this.#isInside(element)) return { ...element, title: '', description: '', value: null };
    if (element.states.secure || this.#known.get(element.pid)?.has(element.id) !== true) return element;
    return { ...asSecret(element), value: null, ...(isField(element) ? {} : { title: '', description: '' }) };
  }

  #isInside(element: Element): boolean {
    const own = this.#known.get(element.pid);
    return [...(own?.values() ?? [])].some(
      ({ id, state, path, document }) =>
        id !== element.id && state !== 'gone' && document === addressOf(element) && isAncestorPath(path, element.path),
    );
  }

  /**
   * The text fields of a process that show a secret now. Searched again once one of its windows was painted, moved or shown, and for a
   * field that the search before did not find.
   */
  async #exposedIn(pid: number, signal: AbortSignal, fields: readonly Element[] = []): Promise<readonly Exposed[]> {
    const own = this.#known.get(pid);
    if (own === undefined) return [];
    const windows = await this.#desktop.windows(signal);
    const look = await this.#lookOf(pid, own, windows, signal);
    const before = this.#searches.get(pid);
    const holds = look !== null && before?.look === look && before.known === this.#summary(own);
    if (holds && fields.every(({ id }) => before.fields.has(id))) return before.exposed;
    this.#searches.delete(pid);
    const found = await this.#search(pid, own, windows, signal);
    this.#searches.set(pid, { look, known: this.#summary(own), ...found });
    return found.exposed;
  }

  /** null where it cannot be told, or where what the application tells may come later than it is painted: that of a page. */
  async #lookOf(
    pid: number,
    known: ReadonlyMap<string, Secret>,
    windows: readonly Window[],
    signal: AbortSignal,
  ): Promise<string | null> {
    const shown = windows.filter(({ app, visible }) => app.pid === pid && visible);
    if (shown.length === 0 || [...known.values()].some(({ document }) => document !== null)) return null;
    const paintOf = ({ id }: Window) => this.#desktop.windowPaint(id, null, signal).catch(() => null);
    const paints = await Promise.all(shown.map(paintOf));
    signal.throwIfAborted();
    if (paints.includes(null)) return null;
    return JSON.stringify(shown.map(({ id, frame }, at) => [id, frame, paints[at]?.generation]));
  }

  #summary(known: ReadonlyMap<string, Secret>): string {
    return JSON.stringify([[...known.values()].map(({ id, state }) => [id, state]), this.#texts.size]);
  }

  async #search(
    pid: number,
    own: ReadonlyMap<string, Secret>,
    windows: readonly Window[],
    signal: AbortSignal,
  ): Promise<Pick<Searched, 'fields' | 'exposed'>> {
    const roles = [...new Set([...TEXT_ROLES, ...[...own.values()].map(({ role }) => role)])];
    const shown = { roles, visibleOnly: true };
    const found = await this.#desktop.find({ pid }, shown, MAX_FIELDS, SEARCH_LIMITS, signal);
    const elements = found.elements.filter((one) => isField(one) || one.states.editable || own.has(one.id));
    const present = new Set(elements.map(({ id }) => id));
    for (const one of own.values()) {
      const now = present.has(one.id) ? null : await this.#elementOf(one, signal);
      if (now !== null) elements.push(now);
      else if (!present.has(one.id)) one.state = 'gone';
    }
    for (const one of elements) this.note(own.has(one.id) ? asSecret(one) : one, windows);
    this.#spread(elements, windows);
    const exposed = elements.filter(({ id, states }) => own.has(id) && !states.secure);
    const told = await Promise.all(
      exposed.map(async (element) => ({ element, texts: await this.#textsOf(element, signal) })),
    );
    for (const { texts } of told) this.#keep(texts);
    return { fields: new Set(elements.map(({ id }) => id)), exposed: told };
  }

  /** A field that is found may tell of others: one that holds the same text. */
  #spread(fields: readonly Element[], windows: readonly Window[]): void {
    for (let more = true; more;) {
      more = false;
      for (const one of fields) {
        const own = this.#known.get(one.pid);
        if (own === undefined || one.states.secure || own.has(one.id) || !this.#fits(one, windows, own)) continue;
        this.note(asSecret(one), windows);
        this.#keep([one.value ?? '']);
        more = true;
      }
    }
  }

  #keep(texts: readonly string[]): void {
    for (const text of texts) if (text.length >= MIN_SECRET_LENGTH && !isDotted(text)) this.#texts.add(sha256(text));
  }

  /** The text of an editable area is in its parts. */
  async #textsOf({ pid, id, value }: Element, signal: AbortSignal): Promise<string[]> {
    if (value !== null && !value.includes('\uFFFC')) return [value];
    const { nodes } = await this.#desktop.tree({ pid, elementId: id }, SEARCH_LIMITS, signal);
    return nodes.flatMap(({ element }) => (element.role === 'AXStaticText' ? (element.value ?? []) : []));
  }

  #isKnownText(text: string): boolean {
    return text.length >= MIN_SECRET_LENGTH && this.#texts.has(sha256(text));
  }

  async #elementOf({ id }: Secret, signal: AbortSignal): Promise<Element | null> {
    const element = await this.#desktop.element(id, signal).catch(() => null);
    signal.throwIfAborted();
    return element;
  }

  #fits(element: Element, windows: readonly Window[], own: ReadonlyMap<string, Secret>): boolean {
    if (this.#isKnownText(element.value ?? '')) return true;
    const window = windowAround(element, windows);
    return [...own.values()].some((secret) => isSameField(secret, element, window));
  }

  /** Areas of secrets that the desktop itself does not take for such. */
  async areas(native: readonly Rect[], signal: AbortSignal): Promise<Rect[]> {
    if (native.length === 0 && !this.knows()) return [];
    const windows = await this.#desktop.windows(signal);
    await this.#learnFrom(native, windows, signal);
    const areas = [...this.#known.keys()].map((pid) => this.#areasIn(pid, windows, signal));
    return (await Promise.all(areas)).flat();
  }

  async #areasIn(pid: number, windows: readonly Window[], signal: AbortSignal): Promise<Rect[]> {
    const own = windows.filter(({ app }) => app.pid === pid);
    if (own.length === 0) this.#forget(pid);
    if (!own.some(({ visible }) => visible)) return [];
    try {
      const exposed = await this.#exposedIn(pid, within(AREAS_MS, signal));
      return exposed.flatMap(({ element }) => element.frame ?? []);
    } catch {
      signal.throwIfAborted();
      return own.filter(({ visible }) => visible).map(({ frame }) => frame);
    }
  }

  #forget(pid: number): void {
    this.#known.delete(pid);
    this.#searches.delete(pid);
  }

  /** Reads the applications whose password fields a picture shows for the first time. */
  async #learnFrom(native: readonly Rect[], windows: readonly Window[], signal: AbortSignal): Promise<void> {
    const key = JSON.stringify([native, windows.map(({ id, frame }) => [id, frame])]);
    if (native.length === 0 || key === this.#searched) return;
    const pids = new Set(
      windows.filter(({ frame }) => native.some((area) => overlap(frame, area) > 0)).map(({ app }) => app.pid),
    );
    for (const pid of pids) {
      const found = await this.#desktop
        .find({ pid }, { roles: TEXT_ROLES }, MAX_FIELDS, SEARCH_LIMITS, within(AREAS_MS, signal))
        .catch(() => null);
      signal.throwIfAborted();
      for (const one of found?.elements ?? []) this.note(one, windows);
    }
    this.#searched = key;
  }

  /** Without a text that a secret field shows, or showed when it was copied. */
  async clipboard(reading: ClipboardReading, signal: AbortSignal): Promise<ClipboardReading> {
    const texts = [reading.text, reading.html].filter((one) => one !== undefined && one !== '');
    if (this.#known.size === 0 || texts.length === 0) return reading;
    const shown: string[] = [];
    for (const pid of this.#known.keys())
      shown.push(...(await this.#exposedIn(pid, signal).catch(() => [])).flatMap(({ texts }) => texts));
    const secret = texts.some(
      (text) => this.#texts.has(sha256(text ?? '')) || shown.some((value) => tells(text ?? '', value)),
    );
    if (!secret) return reading;
    for (const text of texts) this.#texts.add(sha256(text ?? ''));
    return { concealed: true };
  }
}

type Masked =
  | 'tree'
  | 'find'
  | 'element'
  | 'ancestors'
  | 'elementAt'
  | 'focusedElement'
  | 'scrollerOf'
  | 'secureAreas'
  | 'readClipboard';

/** The desktop with fields masked that were secret once, and what stops it. */
export function withSecretFields(desktop: DesktopBackend): { desktop: DesktopBackend; close(): void } {
  const fields = new SecretFields(desktop);
  const one = async (element: Element, signal: AbortSignal): Promise<Element> =>
    (await fields.masked([element], signal))[0] ?? element;
  const orNull = async (element: Element | null, signal: AbortSignal) =>
    element === null ? null : one(element, signal);
  // What was copied is looked at while the field may still show it.
  const close = desktop.onClipboardChange((written) => {
    if (written !== null || !fields.knows()) return;
    const signal = AbortSignal.timeout(LATER_MS);
    const looked = desktop.readClipboard(signal).then((reading) => fields.clipboard(reading, signal));
    looked.catch(() => undefined);
  });
  const masked: Pick<DesktopBackend, Masked> = {
    async tree(scope, limits, signal) {
      const tree = await desktop.tree(scope, limits, signal);
      const read = tree.nodes.map(({ element }) => element);
      const elements = await fields.masked(read, signal);
      return { ...tree, nodes: tree.nodes.map((node, at) => ({ ...node, element: elements[at] ?? node.element })) };
    },
    /** A search must not tell by its count what a field holds. */
    async find(scope, selector, limit, limits, signal) {
      const worded = (selector.titleContains ?? selector.valueContains ?? '') !== '' && fields.knows(scope.pid);
      const found = await desktop.find(scope, selector, worded ? Math.max(limit, MAX_FIELDS) : limit, limits, signal);
      const elements = await fields.masked(found.elements, signal);
      const kept = worded ? elements.filter((element) => matches(selector, element)) : elements;
      return { ...found, elements: kept.slice(0, limit), matched: found.matched - (elements.length - kept.length) };
    },
    element: async (id, signal) => one(await desktop.element(id, signal), signal),
    ancestors: async (id, signal) => fields.masked(await desktop.ancestors(id, signal), signal),
    elementAt: async (point, signal) => orNull(await desktop.elementAt(point, signal), signal),
    focusedElement: async (signal) => orNull(await desktop.focusedElement(signal), signal),
    scrollerOf: async (id, signal) => orNull(await desktop.scrollerOf(id, signal), signal),
    async secureAreas(signal, target) {
      const native = await desktop.secureAreas(signal, target);
      return [...native, ...(await fields.areas(native, signal))];
    },
    readClipboard: async (signal) => fields.clipboard(await desktop.readClipboard(signal), signal),
  };
  return { desktop: { ...desktop, ...masked }, close };
}
