/**
 * Limits the length of names and values that applications report, because they appear on cards, in evidence, in results and on
 * the page. Comes in: a backend. Goes out: the same backend with limits. Called by host/ before anything else uses the backend.
 */
import { createHash } from 'node:crypto';
import type { App, DesktopBackend, DesktopReader, Element, StackedWindow, Window } from './desktop.js';

/** Characters of a name, a description or an address. */
export const MAX_NAME_CHARS = 4_096;
/** Characters of the value of an element. */
export const MAX_VALUE_CHARS = 1_000_000;
/** Characters that the values of one tree or search may have together; the rest are cut like names. */
const MAX_ALL_VALUES_CHARS = 8_000_000;
const MAX_ACTIONS = 64;

/** Lists each method by name, so that a new method of the reader must be added here to compile. */
export function withLengthLimits(desktop: DesktopBackend): DesktopBackend {
  const reader: DesktopReader = {
    ...{ platform: desktop.platform, version: desktop.version },
    permissions: desktop.permissions,
    displays: desktop.displays,
    apps: async (signal) => (await desktop.apps(signal)).map(limitApp),
    windows: async (signal) => (await desktop.windows(signal)).map(limitWindow),
    async frontmost(signal) {
      const { app, window } = await desktop.frontmost(signal);
      return { app: app && limitApp(app), window: window && limitWindow(window) };
    },
    async tree(scope, limits, signal) {
      const found = await desktop.tree(scope, limits, signal);
      const cut = createElementCutter();
      return { ...found, nodes: found.nodes.map((node) => ({ ...node, element: cut(node.element) })) };
    },
    async find(scope, selector, limit, limits, signal) {
      const found = await desktop.find(scope, selector, limit, limits, signal);
      return { ...found, elements: found.elements.map(createElementCutter()) };
    },
    element: async (id, signal) => limitElement(await desktop.element(id, signal)),
    ancestors: async (id, signal) => (await desktop.ancestors(id, signal)).map((one) => limitElement(one)),
    elementAt: async (point, signal) => limitOrNull(await desktop.elementAt(point, signal)),
    async windowAt(point, signal) {
      const window = await desktop.windowAt(point, signal);
      return window && limitWindow(window);
    },
    focusedElement: async (signal) => limitOrNull(await desktop.focusedElement(signal)),
    scrollerOf: async (id, signal) => limitOrNull(await desktop.scrollerOf(id, signal)),
    capture: desktop.capture,
    windowPaint: desktop.windowPaint,
    untilApplication: desktop.untilApplication,
    windowState: desktop.windowState,
    async findApplication(application, signal) {
      const found = await desktop.findApplication(application, signal);
      return { ...found, name: cutName(found.name) };
    },
    pointer: desktop.pointer,
    readClipboard: desktop.readClipboard,
    onClipboardChange: desktop.onClipboardChange,
    onChange: desktop.onChange,
  };
  const { automation } = desktop;
  return {
    ...desktop,
    ...(automation === undefined
      ? {}
      : {
          automation: async (signal: AbortSignal) =>
            (await automation(signal)).map((one) => ({ ...one, application: cutName(one.application) })),
        }),
    ...reader,
    stack: async (signal) => (await desktop.stack(signal)).map(limitStackedWindow),
    async launch(application, options, signal) {
      const launched = await desktop.launch(application, options, signal);
      return { ...launched, app: limitApp(launched.app) };
    },
  };
}

const limitApp = (app: App): App => ({ ...app, name: cutName(app.name) });

const limitStackedWindow = (part: StackedWindow): StackedWindow => ({ ...part, title: cutName(part.title) });

function limitWindow(window: Window): Window {
  const { title, app, documentUrl, documents } = window;
  return {
    ...window,
    title: cutName(title),
    app: limitApp(app),
    documentUrl: documentUrl === null ? null : cutAddress(documentUrl),
    ...(documents === undefined ? {} : { documents: { ...documents, urls: documents.urls.map(cutAddress) } }),
  };
}

const limitOrNull = (element: Element | null): Element | null => element && limitElement(element);

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
