/** Cuts names and values that applications report. */
import { createHash } from 'node:crypto';
import type {
  App,
  AutomationGrant,
  Element,
  FindResult,
  InstalledApp,
  Launched,
  StackedWindow,
  Tree,
  Window,
} from './desktop.js';

/** Characters of a name, a description or an address. */
export const MAX_NAME_CHARS = 4_096;
/** Characters of the value of an element. */
export const MAX_VALUE_CHARS = 1_000_000;
/** Characters that the values of one tree or search may have together; the rest are cut like names. */
const MAX_ALL_VALUES_CHARS = 8_000_000;
const MAX_ACTIONS = 64;

export const each =
  <T>(cut: (one: T) => T) =>
  (all: readonly T[]): T[] =>
    all.map((one) => cut(one));

export const limitApp = (app: App): App => ({ ...app, name: cutName(app.name) });
export const limitInstalled = (app: InstalledApp): InstalledApp => ({ ...app, name: cutName(app.name) });
export const limitLaunched = (launched: Launched): Launched => ({ ...launched, app: limitApp(launched.app) });
export const limitTitle = (part: StackedWindow): StackedWindow => ({ ...part, title: cutName(part.title) });
export const limitGrant = (one: AutomationGrant): AutomationGrant => ({
  ...one,
  application: cutName(one.application),
});
export const limitFound = (found: FindResult): FindResult => ({
  ...found,
  elements: found.elements.map(createElementCutter()),
});

type Front = { app: App | null; window: Window | null };
export const limitFrontmost = ({ app, window }: Front): Front => ({
  app: app && limitApp(app),
  window: window && limitWindow(window),
});

export function limitTree(found: Tree): Tree {
  const cut = createElementCutter();
  return { ...found, nodes: found.nodes.map((node) => ({ ...node, element: cut(node.element) })) };
}

export function limitWindow(window: Window): Window {
  const { title, app, documentUrl, documents } = window;
  return {
    ...window,
    title: cutName(title),
    app: limitApp(app),
    documentUrl: documentUrl === null ? null : cutAddress(documentUrl),
    ...(documents === undefined ? {} : { documents: { ...documents, urls: documents.urls.map(cutAddress) } }),
  };
}

export const limitOrNull = (element: Element | null): Element | null => element && limitElement(element);

export function limitElement(element: Element, longestValue = MAX_VALUE_CHARS): Element {
  const { value, document, leadsTo } = element;
  return {
    ...element,
    role: cutName(element.role),
    nativeRole: cutName(element.nativeRole),
    title: cutName(element.title),
    description: cutName(element.description),
    identifier: cutName(element.identifier),
    value: value === null ? null : cutText(value, longestValue),
    actions: element.actions.slice(0, MAX_ACTIONS).map(cutName),
    ...(document === undefined ? {} : { document: { url: document.url === null ? null : cutAddress(document.url) } }),
    ...(leadsTo === undefined ? {} : { leadsTo: cutAddress(leadsTo) }),
  };
}

function createElementCutter(): (element: Element) => Element {
  let left = MAX_ALL_VALUES_CHARS;
  return (element) => {
    const limited = limitElement(element, left > 0 ? MAX_VALUE_CHARS : MAX_NAME_CHARS);
    left -= limited.value?.length ?? 0;
    return limited;
  };
}

const cutName = (text: string): string => cutText(text, MAX_NAME_CHARS);

/** States how much is left out, with a digest of the whole text, so that different texts stay different. */
function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const kept = text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${kept}… (+${text.length - kept.length} #${digest})`;
}

/** Keeps the host of the address, however long the part before it is. */
function cutAddress(url: string): string {
  if (url.length <= MAX_NAME_CHARS) return url;
  const prefix = /^(?:view-source:|blob:)+/i.exec(url)?.[0] ?? '';
  const address = url.slice(prefix.length);
  const parsed = URL.canParse(address) ? new URL(address) : null;
  if (parsed === null || parsed.origin === 'null') return cutText(url, MAX_NAME_CHARS);
  const once = prefix.slice(0, prefix.indexOf(':') + 1);
  const { origin, pathname, search, hash } = parsed;
  return `${once}${origin}${cutText(pathname + search + hash, MAX_NAME_CHARS)}`;
}
