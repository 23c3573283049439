/** Elements compared by their ids, so that one that came in between changes nothing about the others. */
import type { App, DesktopReader, Element } from '../../../native/desktop.js';
import type { References, ReferencesOf } from '../../pipeline/target/references.js';
import type { Attribute, Change, Happening, Wish } from './model.js';
import { around, kept, shown } from './texts.js';

export interface SightOptions {
  /** As agents may see it: masked. */
  desktop: DesktopReader;
  references: ReferencesOf;
  /** Ids of all windows there are, whoever may see them, with their processes; only ever compared with what agents may see. */
  exist(signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** The process still runs. */
  alive(app: App): boolean;
}

export interface ElementsSeen {
  byId: ReadonlyMap<string, Element>;
  /** The tree was too large or too slow to read whole. */
  cut: boolean;
  /** Windows of the application that are not open to agents now, with all that is in them. */
  covered: string;
}

const LIMITS = { maxDepth: 100, maxNodes: 3000, timeoutMs: 3000 };

export async function seeElements(
  { desktop, exist }: Pick<SightOptions, 'desktop' | 'exist'>,
  { place }: Wish,
  app: App,
  signal: AbortSignal,
): Promise<ElementsSeen> {
  const scope = {
    pid: app.pid,
    ...(place.elementId === null ? {} : { elementId: place.elementId }),
    ...(place.elementId !== null || place.windowId === null ? {} : { windowId: place.windowId }),
  };
  const { nodes, truncated } = await desktop.tree(scope, LIMITS, signal);
  const byId = new Map<string, Element>();
  for (const { element } of nodes) {
    const { value, title } = element;
    byId.set(element.id, { ...element, title: kept(title), value: value === null ? null : kept(value) });
  }
  const open = new Set((await desktop.windows(signal)).map(({ id }) => id));
  const all = [...(await exist(signal))].filter(([id, pid]) => pid === app.pid && !open.has(id));
  const covered = all
    .map(([id]) => id)
    .sort()
    .join(' ');
  return { byId, cut: truncated.depth || truncated.nodes || truncated.time, covered };
}

/** Which elements there are, in order: what has come to rest when it is the same twice. */
export const shapeOf = ({ byId, cut }: ElementsSeen): string => `${cut} ${[...byId.keys()].join(' ')}`;

/** Where a reading was cut short, or a window covered, what is missing may well be there: then only changes of what both show are told. */
export function compareElements(
  before: ElementsSeen,
  after: ElementsSeen,
  wish: Wish,
  app: App,
  references: Pick<References, 'refer'>,
): Happening[] {
  const { types } = wish;
  const fits = (element: Element) => hasRole(element, wish.roles);
  const seen = (element: Element) => fits(element) && (!wish.visibleOnly || element.states.visible);
  const tell = (kind: Happening['kind'], element: Element, changes?: Change[]): Happening => ({
    kind,
    fields: { element: described(element, references) },
    app,
    ...(changes === undefined ? {} : { changes }),
  });
  const found: Happening[] = [];
  const whole = !before.cut && !after.cut && before.covered === after.covered;
  if (whole && types.some((type) => type !== 'attribute_changes')) {
    for (const [id, element] of before.byId)
      if (!after.byId.has(id) && seen(element)) found.push(tell('element_removed', element));
    for (const [id, element] of after.byId)
      if (!before.byId.has(id) && seen(element)) found.push(tell('element_added', element));
  }
  if (types.some((type) => type !== 'tree_changes')) {
    for (const [id, element] of after.byId) {
      const was = before.byId.get(id);
      if (was === undefined || !fits(element)) continue;
      const changes = changesOf(was, element, wish);
      if (changes.length > 0) found.push(tell('element_modified', element, changes));
    }
  }
  return found;
}

function described(element: Element, references: Pick<References, 'refer'>): Record<string, unknown> {
  const { elementId, role, frame } = references.refer(element);
  const value = element.value === null ? null : shown(element.value);
  return { elementId, role, title: shown(element.title), value, frame };
}

function changesOf(before: Element, after: Element, { attributes, visibleOnly }: Wish): Change[] {
  const asked: ReadonlySet<Attribute> = new Set(visibleOnly ? [...attributes, 'visible'] : attributes);
  const known = visibleOnly && !before.states.visible && !after.states.visible ? [] : [...asked];
  return known.flatMap((attribute) => {
    const [one, other] = [attributeOf(before, attribute), attributeOf(after, attribute)];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    const told = typeof one === 'string' && typeof other === 'string' ? around(one, other) : alone(one, other);
    return [{ attribute, ...told }];
  });
}

const alone = (before: unknown, after: unknown) => ({
  before: typeof before === 'string' ? shown(before) : before,
  after: typeof after === 'string' ? shown(after) : after,
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
