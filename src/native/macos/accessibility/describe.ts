/** One element as callers see it. */
import { intersect } from '../../../base/rect.js';
import type { Element, ElementStates, Rect } from '../../desktop.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import type { Value } from '../foundation/values.js';
import {
  CHECKABLE_ROLES,
  CHECKABLE_SUBROLES,
  OWN_SURFACES,
  ROLE,
  ROLES_WITHOUT_VALUE,
  ATTRIBUTE,
  SUBROLE,
  TEXT_ROLES,
} from './names.js';
import { elementOf, frameOf, isAbsent, listOf, shownOf, textOf, truthOf } from './answers.js';

/** Read with one call. The value is not among them: it is asked for once the element is known not to be a password field. */
const ATTRIBUTES = [
  ATTRIBUTE.role, ATTRIBUTE.subrole, ATTRIBUTE.title, ATTRIBUTE.titleElement, ATTRIBUTE.description, ATTRIBUTE.help, ATTRIBUTE.enabled,
  ATTRIBUTE.focused, ATTRIBUTE.frame, ATTRIBUTE.position, ATTRIBUTE.size, ATTRIBUTE.children, ATTRIBUTE.selected, ATTRIBUTE.expanded,
  ATTRIBUTE.disclosing, ATTRIBUTE.markChar, ATTRIBUTE.identifier, ATTRIBUTE.domIdentifier,
] as const; // prettier-ignore

type Attributes = ReadonlyMap<(typeof ATTRIBUTES)[number], Value>;

/** What is above an element. */
export interface Surroundings {
  path: readonly number[];
  /** All displays. */
  area: Rect;
  /** Where it can show: its window, cut by each scroll area above; null where that does not show. */
  clip: Rect | null;
  /** The innermost web page it is in. */
  document: { url: string | null } | null;
}

export interface Described {
  element: Element;
  /** Borrowed for the scope. */
  children: Ref[];
  /** Of its children, but for the path. */
  below: Omit<Surroundings, 'path'>;
}

/** `brief`: without actions and identifier, which cost another call. */
export function describeElement(
  core: Core,
  scope: Scope,
  ref: Ref,
  { path, area, clip: outside, document: outer }: Surroundings,
  brief = false,
): Described {
  const { ax, elements } = core;
  const read = readAttributes(core, scope, ref);
  const role = textOf(read.get(ATTRIBUTE.role)) ?? 'AXUnknown';
  const subrole = textOf(read.get(ATTRIBUTE.subrole));
  const secure = isSecure(role, read.get(ATTRIBUTE.subrole));
  const value = secure || ROLES_WITHOUT_VALUE.has(role) ? null : ax.attribute(scope, ref, ATTRIBUTE.value);
  const frame = frameOf(read.get(ATTRIBUTE.frame), read.get(ATTRIBUTE.position), read.get(ATTRIBUTE.size));
  const document = role === ROLE.webArea ? documentOf(ax, scope, ref) : outer;
  const clip = OWN_SURFACES.has(role) && outside !== null ? area : outside;
  const shown = frame === null || clip === null ? null : intersect(frame, clip);
  const element: Element = {
    id: elements.idOf(ref),
    pid: ax.pidOf(ref),
    role,
    nativeRole: subrole === null ? role : `${role}:${subrole}`,
    title: titleOf(core, scope, role, read, value),
    description: textOf(read.get(ATTRIBUTE.description)) ?? textOf(read.get(ATTRIBUTE.help)) ?? '',
    value: shownOf(value),
    frame,
    states: {
      ...statesOf(role, subrole, read, value),
      visible: shown !== null,
      editable: TEXT_ROLES.has(role) && ax.settable(ref, ATTRIBUTE.value),
      secure,
    },
    actions: brief ? [] : ax.actions(ref).filter((name) => !name.includes('\n')),
    path: [...path],
    identifier: brief ? '' : identifierOf(read),
    ...(document === null ? {} : { document }),
  };
  const below = { area, clip: clipBelow(role, clip, shown), document };
  return { element, children: listOf(read.get(ATTRIBUTE.children)), below };
}

function readAttributes({ ax }: Core, scope: Scope, ref: Ref): Attributes {
  const values = ax.attributes(scope, ref, ATTRIBUTES);
  return new Map(ATTRIBUTES.map((name, index) => [name, values[index] ?? { kind: 'error', code: 0 }]));
}

const identifierOf = (read: Attributes): string =>
  textOf(read.get(ATTRIBUTE.identifier)) ?? textOf(read.get(ATTRIBUTE.domIdentifier)) ?? '';

/** Of a web area. */
export function documentOf(ax: Core['ax'], scope: Scope, ref: Ref): { url: string | null } {
  return { url: textOf(ax.attribute(scope, ref, ATTRIBUTE.url)) };
}

/** Also where the element could not say what kind of text field it is. */
export function isSecure(role: string, subrole: Value | undefined): boolean {
  if (role === SUBROLE.secureTextField || textOf(subrole) === SUBROLE.secureTextField) return true;
  const known = subrole?.kind === 'text' || isAbsent(subrole);
  return !known && (TEXT_ROLES.has(role) || role === 'AXUnknown');
}

/** Of its label where it has none itself; of a static text, what it says. */
function titleOf({ ax }: Core, scope: Scope, role: string, read: Attributes, value: Value | null): string {
  const own = textOf(read.get(ATTRIBUTE.title));
  if (own !== null && own !== '') return own;
  const label = elementOf(read.get(ATTRIBUTE.titleElement));
  if (label !== null) return labelText(ax, scope, label);
  return role === ROLE.staticText ? (shownOf(value) ?? '') : '';
}

const LABEL = [ATTRIBUTE.role, ATTRIBUTE.title] as const;

/** The value of a static text only: any other element may be a field with a secret. */
function labelText(ax: Core['ax'], scope: Scope, label: Ref): string {
  const [role, title] = ax.attributes(scope, label, LABEL);
  const said = textOf(role) === ROLE.staticText ? textOf(ax.attribute(scope, label, ATTRIBUTE.value)) : null;
  return said ?? textOf(title) ?? '';
}

function statesOf(
  role: string,
  subrole: string | null,
  read: Attributes,
  value: Value | null,
): Omit<ElementStates, 'visible' | 'editable' | 'secure'> {
  const checkable = CHECKABLE_ROLES.has(role) || (subrole !== null && CHECKABLE_SUBROLES.has(subrole));
  const marked = role === ROLE.menuItem && (textOf(read.get(ATTRIBUTE.markChar)) ?? '') !== '' ? true : null;
  const disclosed = role === ROLE.disclosureTriangle ? truthOf(value) : null;
  return {
    enabled: truthOf(read.get(ATTRIBUTE.enabled)) ?? true,
    focused: truthOf(read.get(ATTRIBUTE.focused)) ?? false,
    checked: checkable ? truthOf(value) : marked,
    selected: truthOf(read.get(ATTRIBUTE.selected)),
    expanded: truthOf(read.get(ATTRIBUTE.expanded)) ?? truthOf(read.get(ATTRIBUTE.disclosing)) ?? disclosed,
  };
}

/** Content of a scroll area shows within it; that of other elements may reach beyond them. */
function clipBelow(role: string, clip: Rect | null, shown: Rect | null): Rect | null {
  return role === ROLE.scrollArea ? shown : clip;
}

/** More than any interface has; a tree whose parents form a circle ends here. */
const MOST_ANCESTORS = 200;

/** The children of an element, each once. Windows and menu bar hang below the application. */
export function childrenOf(core: Core, scope: Scope, ref: Ref, role: string, listed: readonly Ref[]): Ref[] {
  const more = role === ROLE.application ? listOf(core.ax.attribute(scope, ref, ATTRIBUTE.windows)) : [];
  if (more.length === 0) return [...listed];
  const known = [...listed];
  const { CFEqual } = core.bound.coreFoundation;
  for (const window of more) if (!known.some((each) => CFEqual(each, window) !== 0)) known.push(window);
  return known;
}

/** Nearest first, the application last; borrowed for the scope. */
export function ancestorsOf(core: Core, scope: Scope, ref: Ref): Ref[] {
  const found: Ref[] = [];
  for (let at = parentOf(core, scope, ref); at !== null && found.length < MOST_ANCESTORS;) {
    found.push(at);
    at = parentOf(core, scope, at);
  }
  return found;
}

/** Child indexes from the application. Empty for the application itself. */
export function pathOf(core: Core, scope: Scope, ref: Ref, ancestors: readonly Ref[]): number[] {
  return [ref, ...ancestors]
    .slice(0, -1)
    .map((child, index) => indexIn(core, scope, ancestors[index] ?? child, child))
    .toReversed();
}

export function roleOf({ ax }: Core, scope: Scope, ref: Ref): string {
  return textOf(ax.attribute(scope, ref, ATTRIBUTE.role)) ?? 'AXUnknown';
}

const parentOf = ({ ax }: Core, scope: Scope, ref: Ref): Ref | null =>
  elementOf(ax.attribute(scope, ref, ATTRIBUTE.parent));

/** -1 where the parent does not list it. */
function indexIn(core: Core, scope: Scope, parent: Ref, child: Ref): number {
  const listed = listOf(core.ax.attribute(scope, parent, ATTRIBUTE.children));
  const all = childrenOf(core, scope, parent, roleOf(core, scope, parent), listed);
  return all.findIndex((each) => core.bound.coreFoundation.CFEqual(each, child) !== 0);
}
