/** Snapshots of elements, compared by id. */
import type { App, DesktopReader, Element } from '../../../native/desktop.js';
import type { References, ReferencesOf } from '../../pipeline/target/references.js';
import type { Attribute, ValueChange, DetectedChange, WatchRequest } from './model.js';
import { createHash } from 'node:crypto';

export interface SnapshotOptions {
  /** Masked. */
  desktop: DesktopReader;
  references: ReferencesOf;
  /** Process ids by window id, for all windows, also those agents may not see. Only compared, never shown. */
  allWindows(signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  isRunning(app: App): boolean;
}

export interface ElementsSnapshot {
  byId: ReadonlyMap<string, Element>;
  /** The tree was too large or too slow to read whole. */
  truncated: boolean;
  /** Ids of the application's windows that agents may not see now, sorted and joined. */
  hiddenWindows: string;
}

const LIMITS = { maxDepth: 100, maxNodes: 3000, timeoutMs: 3000 };

export async function readElements(
  { desktop, allWindows }: Pick<SnapshotOptions, 'desktop' | 'allWindows'>,
  { scope }: WatchRequest,
  app: App,
  signal: AbortSignal,
): Promise<ElementsSnapshot> {
  const treeScope = {
    pid: app.pid,
    ...(scope.elementId === null ? {} : { elementId: scope.elementId }),
    ...(scope.elementId !== null || scope.windowId === null ? {} : { windowId: scope.windowId }),
  };
  const { nodes, truncated } = await desktop.tree(treeScope, LIMITS, signal);
  const byId = new Map<string, Element>();
  for (const { element } of nodes) {
    const { value, title } = element;
    byId.set(element.id, {
      ...element,
      title: comparableText(title),
      value: value === null ? null : comparableText(value),
    });
  }
  const [shown, all] = await Promise.all([desktop.windows(signal), allWindows(signal)]);
  const open = new Set(shown.map(({ id }) => id));
  const hidden = [...all].filter(([id, pid]) => pid === app.pid && !open.has(id)).map(([id]) => id);
  return {
    byId,
    truncated: truncated.depth || truncated.nodes || truncated.time,
    hiddenWindows: hidden.sort().join(' '),
  };
}

/** Equal for two readings when the tree has stopped changing. */
export const shapeOf = ({ byId, truncated }: ElementsSnapshot): string => `${truncated} ${[...byId.keys()].join(' ')}`;

/** Additions and removals are reported only if both readings were complete: otherwise a missing element may still exist. */
export function compareElements(
  before: ElementsSnapshot,
  after: ElementsSnapshot,
  request: WatchRequest,
  app: App,
  references: Pick<References, 'refer'>,
): DetectedChange[] {
  const { types } = request;
  const fits = (element: Element) => hasRole(element, request.roles);
  const seen = (element: Element) => fits(element) && (!request.visibleOnly || element.states.visible);
  const change = (kind: DetectedChange['kind'], element: Element, changes?: ValueChange[]): DetectedChange => ({
    kind,
    fields: { element: elementFields(element, references) },
    app,
    ...(changes === undefined ? {} : { changes }),
  });
  const found: DetectedChange[] = [];
  const whole = !before.truncated && !after.truncated && before.hiddenWindows === after.hiddenWindows;
  if (whole && types.some((type) => type !== 'attribute_changes')) {
    for (const [id, element] of before.byId)
      if (!after.byId.has(id) && seen(element)) found.push(change('element_removed', element));
    for (const [id, element] of after.byId)
      if (!before.byId.has(id) && seen(element)) found.push(change('element_added', element));
  }
  if (types.some((type) => type !== 'tree_changes')) {
    for (const [id, element] of after.byId) {
      const was = before.byId.get(id);
      if (was === undefined || !fits(element)) continue;
      const changes = changesOf(was, element, request);
      if (changes.length > 0) found.push(change('element_modified', element, changes));
    }
  }
  return found;
}

function elementFields(element: Element, references: Pick<References, 'refer'>): Record<string, unknown> {
  const { elementId, role, frame } = references.refer(element);
  const value = element.value === null ? null : excerpt(element.value);
  return { elementId, role, title: excerpt(element.title), value, frame };
}

function changesOf(before: Element, after: Element, { attributes, visibleOnly }: WatchRequest): ValueChange[] {
  const asked: ReadonlySet<Attribute> = new Set(visibleOnly ? [...attributes, 'visible'] : attributes);
  const known = visibleOnly && !before.states.visible && !after.states.visible ? [] : [...asked];
  return known.flatMap((attribute) => {
    const [one, other] = [attributeOf(before, attribute), attributeOf(after, attribute)];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    const excerpts =
      typeof one === 'string' && typeof other === 'string' ? excerptsAroundChange(one, other) : excerptOf(one, other);
    return [{ attribute, ...excerpts }];
  });
}

const excerptOf = (before: unknown, after: unknown) => ({
  before: typeof before === 'string' ? excerpt(before) : before,
  after: typeof after === 'string' ? excerpt(after) : after,
});

function attributeOf(element: Element, attribute: Attribute): unknown {
  if (attribute === 'value' || attribute === 'title' || attribute === 'frame') return element[attribute];
  return element.states[attribute];
}

/** `AXButton`, `button` or the platform's own `push button`, in any case. */
function hasRole({ role, nativeRole }: Element, roles: readonly string[]): boolean {
  if (roles.length === 0) return true;
  const [ax, native] = [plainRole(role), plainRole(nativeRole)];
  return roles.some((one) => {
    const asked = plainRole(one);
    return asked === ax || asked === native;
  });
}

const plainRole = (role: string): string =>
  role
    .toLowerCase()
    .replace(/^ax/, '')
    .replace(/[\s_-]/g, '');

const COMPARED_CHARACTERS = 20_000;
const EXCERPT_CHARACTERS = 400;
const CONTEXT_CHARACTERS = 80;

/** A text for later comparison: its start and, if it is long, the hash of the whole. */
export function comparableText(text: string): string {
  if (text.length <= COMPARED_CHARACTERS) return text;
  return `${text.slice(0, COMPARED_CHARACTERS)}\u0000${createHash('sha256').update(text).digest('hex')}`;
}

const withoutHash = (text: string): string => text.split('\u0000')[0] ?? '';

/** The start of a text, as events carry it. */
export function excerpt(text: string): string {
  const whole = withoutHash(text);
  return whole.length <= EXCERPT_CHARACTERS ? whole : `${whole.slice(0, EXCERPT_CHARACTERS)}…`;
}

/** Both texts around the first place where they differ. */
function excerptsAroundChange(before: string, after: string): { before: string; after: string } {
  if (before.length <= EXCERPT_CHARACTERS && after.length <= EXCERPT_CHARACTERS) return { before, after };
  const [one, other] = [withoutHash(before), withoutHash(after)];
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1;
  const from = Math.max(0, same - CONTEXT_CHARACTERS);
  const part = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + EXCERPT_CHARACTERS)}${text.length > from + EXCERPT_CHARACTERS ? '…' : ''}`;
  return { before: part(one), after: part(other) };
}
