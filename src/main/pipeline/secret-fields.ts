/**
 * Fields that were secret once stay secret: a password field that another text field replaced (“show password”, a changed type, a
 * form drawn anew) and fields that hold the same text. Known by their window or document, and there by label, identifier, path or place.
 * Wraps the desktop, so that trees, pictures, values, clipboard and records are masked alike.
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
import { isAncestorPath, SEARCH_LIMITS } from './target/selector.js';
import { sha256 } from './sha256.js';

interface Secret {
  id: string;
  windowId: string | null;
  /** Its address without query and fragment; null outside documents. */
  document: string | null;
  title: string;
  identifier: string;
  path: readonly number[];
  /** Relative to its window; null where it does not show. */
  place: Rect | null;
  /** Its element is gone, or does not show. */
  state: 'shows' | 'hidden' | 'gone';
}

/** A text field that shows a secret now, as the desktop has it. */
interface Exposed {
  element: Element;
  value: string;
}

/** Shows dots in place of its text, by style (`-webkit-text-security`): it is no password field to accessibility. */
const DOTS = /^[•●∙◦○■]{2,}$/u;
const isSecret = ({ states, value }: Element): boolean => states.secure || (states.editable && DOTS.test(value ?? ''));

const TEXT_ROLES = ['AXTextField', 'AXTextArea', 'AXComboBox', 'AXSearchField', 'AXSecureTextField'];
/** So short a text is in many others. */
const MIN_SECRET_LENGTH = 4;
const MAX_FIELDS = 2000;
const LATER_MS = 5000;
/** Of an application that a picture shows; one that takes longer is covered whole. */
const AREAS_MS = 1000;

export class SecretFields {
  readonly #desktop: DesktopBackend;
  readonly #known = new Map<number, Map<string, Secret>>();
  /** Digests of texts that secret fields showed, and of what was copied from them. */
  readonly #texts = new Set<string>();
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

  /** Elements as agents may see them. `whole`: all text fields of the process are looked at first. */
  async masked(elements: readonly Element[], whole: boolean, signal: AbortSignal): Promise<Element[]> {
    const secure = elements.filter(isSecret);
    const windows = secure.length === 0 ? [] : await this.#desktop.windows(signal);
    for (const one of secure) this.note(one, windows);
    const pids = [...new Set(elements.map(({ pid }) => pid))].filter((pid) => this.#known.has(pid));
    if (whole) for (const pid of pids) await this.#exposedIn(pid, signal);
    return elements.map((one) => this.#hide(one));
  }

  #hide(element: Element): Element {
    const own = this.#known.get(element.pid);
    if (own === undefined || element.states.secure) return element;
    if (own.has(element.id)) return { ...element, value: null, states: { ...element.states, secure: true } };
    const inside = [...own.values()].some(
      ({ state, path, document }) =>
        state !== 'gone' && document === addressOf(element) && isAncestorPath(path, element.path),
    );
    return inside ? { ...element, title: '', description: '', value: null } : element;
  }

  /** Finds the text fields of a process that show a secret now, and remembers them. */
  async #exposedIn(pid: number, signal: AbortSignal): Promise<Exposed[]> {
    const own = this.#known.get(pid);
    if (own === undefined) return [];
    const windows = await this.#desktop.windows(signal);
    const { elements } = await this.#desktop.find({ pid }, { roles: TEXT_ROLES }, MAX_FIELDS, SEARCH_LIMITS, signal);
    const present = new Map(elements.map((one) => [one.id, one]));
    for (const one of own.values()) if (!present.has(one.id)) one.state = await this.#stateOf(one, signal);
    for (const one of elements) this.note(one, windows);
    // A field that is found may tell of others: one that holds the same text.
    for (let found = true; found;) {
      found = false;
      for (const one of elements) {
        if (one.states.secure || own.has(one.id) || !this.#fits(one, windows, own)) continue;
        this.note({ ...one, states: { ...one.states, secure: true } }, windows);
        if ((one.value ?? '').length >= MIN_SECRET_LENGTH) this.#texts.add(sha256(one.value ?? ''));
        found = true;
      }
    }
    const exposed = elements.filter(({ id, states }) => own.has(id) && !states.secure);
    for (const { value } of exposed)
      if ((value ?? '').length >= MIN_SECRET_LENGTH) this.#texts.add(sha256(value ?? ''));
    return exposed.map((element) => ({ element, value: element.value ?? '' }));
  }

  async #stateOf({ id }: Secret, signal: AbortSignal): Promise<Secret['state']> {
    const element = await this.#desktop.element(id, signal).catch(() => null);
    signal.throwIfAborted();
    return element === null ? 'gone' : element.states.visible ? 'shows' : 'hidden';
  }

  #fits(element: Element, windows: readonly Window[], own: ReadonlyMap<string, Secret>): boolean {
    const value = element.value ?? '';
    if (value.length >= MIN_SECRET_LENGTH && this.#texts.has(sha256(value))) return true;
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
    if (own.length === 0) this.#known.delete(pid);
    if (!own.some(({ visible }) => visible)) return [];
    try {
      const exposed = await this.#exposedIn(pid, within(AREAS_MS, signal));
      return exposed.flatMap(({ element }) => element.frame ?? []);
    } catch {
      signal.throwIfAborted();
      return own.filter(({ visible }) => visible).map(({ frame }) => frame);
    }
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
      shown.push(...(await this.#exposedIn(pid, signal).catch(() => [])).map(({ value }) => value));
    const secret = texts.some(
      (text) => this.#texts.has(sha256(text ?? '')) || shown.some((value) => tells(text ?? '', value)),
    );
    if (!secret) return reading;
    for (const text of texts) this.#texts.add(sha256(text ?? ''));
    return { concealed: true };
  }
}

/** A part of a secret tells of it as well. */
const tells = (text: string, secret: string): boolean =>
  (text.length >= MIN_SECRET_LENGTH && secret.includes(text)) ||
  (secret.length >= MIN_SECRET_LENGTH && text.includes(secret));

function isSameField(secret: Secret, element: Element, window: Window | null): boolean {
  if (secret.document !== addressOf(element)) return false;
  if (secret.windowId !== null && window !== null && secret.windowId !== window.id) return false;
  if (secret.identifier !== '' && secret.identifier === element.identifier) return true;
  if (secret.title !== '' && secret.title === element.title) return true;
  if (secret.state === 'shows') return false;
  // Where it only hides, another label is another field: of another page of the same dialog.
  if (secret.state === 'hidden' && secret.title !== '' && element.title !== '') return false;
  if (secret.path.length === element.path.length && secret.path.every((step, at) => step === element.path[at]))
    return true;
  if (secret.place === null || window === null || element.frame === null) return false;
  const place = relativeTo(window.frame, element.frame);
  return overlap(secret.place, place) * 2 > Math.min(area(secret.place), area(place));
}

function addressOf({ document }: Element): string | null {
  if (document === undefined) return null;
  const { url } = document;
  if (url === null || !URL.canParse(url)) return url ?? '';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function windowAround({ pid, frame }: Element, windows: readonly Window[]): Window | null {
  const own = windows.filter(({ app, visible }) => app.pid === pid && visible);
  if (frame === null) return own.length === 1 ? (own[0] ?? null) : null;
  const around = own.filter((window) => overlap(window.frame, frame) > 0);
  return around.find(({ focused }) => focused) ?? around[0] ?? null;
}

const area = ({ width, height }: Rect): number => width * height;
const relativeTo = (origin: Rect, rect: Rect): Rect => ({ ...rect, x: rect.x - origin.x, y: rect.y - origin.y });
function overlap(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
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
    (await fields.masked([element], true, signal))[0] ?? element;
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
      const elements = await fields.masked(read, true, signal);
      return { ...tree, nodes: tree.nodes.map((node, at) => ({ ...node, element: elements[at] ?? node.element })) };
    },
    /** A search must not tell by its count what a field holds. */
    async find(scope, selector, limit, limits, signal) {
      const worded = (selector.titleContains ?? selector.valueContains ?? '') !== '' && fields.knows(scope.pid);
      const found = await desktop.find(scope, selector, worded ? Math.max(limit, MAX_FIELDS) : limit, limits, signal);
      const elements = await fields.masked(found.elements, true, signal);
      const kept = worded ? elements.filter((element) => matches(selector, element)) : elements;
      return { ...found, elements: kept.slice(0, limit), matched: found.matched - (elements.length - kept.length) };
    },
    element: async (id, signal) => one(await desktop.element(id, signal), signal),
    ancestors: async (id, signal) => fields.masked(await desktop.ancestors(id, signal), false, signal),
    elementAt: async (point, signal) => orNull(await desktop.elementAt(point, signal), signal),
    focusedElement: async (signal) => orNull(await desktop.focusedElement(signal), signal),
    scrollerOf: async (id, signal) => orNull(await desktop.scrollerOf(id, signal), signal),
    async secureAreas(signal) {
      const native = await desktop.secureAreas(signal);
      return [...native, ...(await fields.areas(native, signal))];
    },
    readClipboard: async (signal) => fields.clipboard(await desktop.readClipboard(signal), signal),
  };
  return { desktop: { ...desktop, ...masked }, close };
}
