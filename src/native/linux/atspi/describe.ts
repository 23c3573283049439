import { DesktopError, type Element, type ElementStates, type Point, type Rect } from '../../desktop.js';
import { readActions } from './actions.js';
import { type AccessibilityBus, idOf, nullFor, refOf } from './bus.js';
import { chosenInList, shownChoice } from './options.js';
import {
  axRole,
  LABELLED,
  nativeRole,
  NUMERIC,
  PRESSED,
  ROLE,
  TEXTUAL,
  type AccessibleObject,
  attributeMap,
  describeStates,
  has,
  STATE,
} from './accessible-object.js';
import { readObjectText } from './text.js';
import { readExtents } from './toplevels.js';
import type { AppContext } from './app-context.js';
import { IN_MENUS } from './accessible-tree.js';
import { isGtk3 } from './toolkit.js';

const LABELLED_BY = 2;
/** A value that the object refuses is left out; an application that does not answer is an error. */
const nullWhenRefused = nullFor('unsupported', 'failed');

interface Described {
  /** A password field, or in one. */
  secure: boolean;
  /** Without actions and identifier. */
  brief?: boolean;
  /** Where the same reading has read it already. */
  frame?: Rect | undefined;
}

/** The whole element: position, value, actions and identifier are read from the application now. */
export async function describeObject(
  bus: AccessibilityBus,
  app: AppContext,
  item: AccessibleObject,
  path: number[],
  { secure, brief = false, frame: known }: Described,
  signal: AbortSignal,
): Promise<Element> {
  const attributes = brief || !isBrowser(app) ? null : attributesOf(bus, item, signal);
  const shown = attributes === null || secure ? null : shownTextOf(bus, item, attributes, signal);
  // Asked before the value: a caret that has moved tells that the value is the new one, too.
  const selected = brief && !secure ? selectionOf(bus, item, signal).catch(nullWhenRefused) : null;
  const [frame, value, text, actions, identifier, title, selection] = await Promise.all([
    known ?? frameOf(bus, app, item, signal).catch(nullWhenRefused),
    secure ? null : valueOf(bus, app, item, signal).catch(nullWhenRefused),
    shown?.catch(nullWhenRefused) ?? null,
    brief ? [] : readActions(bus, item, signal, app.toolkit).catch(nullWhenRefused),
    brief ? '' : (attributes?.then(idIn) ?? identifierOf(bus, app, item, signal)),
    titleOf(bus, item, signal),
    selected,
  ]);
  return {
    id: idOf(item.ref),
    pid: app.pid,
    role: axRole(item.role, has(item.states, STATE.multiLine), path.length),
    nativeRole: nativeRole(item.role),
    title,
    description: item.description,
    value: value ?? text,
    frame,
    states: shownStates(app, item, secure, frame),
    actions: [...new Set(actions ?? [])],
    path,
    identifier,
    ...(selection === null ? {} : { selection }),
  };
}

async function selectionOf(
  bus: AccessibilityBus,
  { ref, states, role, interfaces }: AccessibleObject,
  signal: AbortSignal,
): Promise<{ from: number; to: number } | null> {
  if (role === ROLE.passwordText || !interfaces.has('Text')) return null;
  if (!has(states, STATE.focused) || !has(states, STATE.editable)) return null;
  const [caret, [count]] = await Promise.all([
    bus.property(ref, 'Text.CaretOffset', { signal }),
    bus.call(ref, 'Text.GetNSelections', { signal }),
  ]);
  if (count === 1) {
    const [from, to] = await bus.call(ref, 'Text.GetSelection', { signature: 'i', body: [0], signal });
    if (typeof from === 'number' && typeof to === 'number' && from !== to) return { from, to };
  }
  return typeof caret === 'number' && caret >= 0 ? { from: caret, to: caret } : null;
}

function shownStates(app: AppContext, item: AccessibleObject, secure: boolean, frame: Rect | null): ElementStates {
  const states = describeStates(item.role, item.states, secure);
  return isShownByPlace(app, item) && frame === null ? { ...states, visible: false } : states;
}

/** Whether it is shown only where it has a position, whatever its states say. */
const isShownByPlace = (app: AppContext, { role }: AccessibleObject): boolean =>
  app.gtk4Layout !== null || (app.opensMenus && IN_MENUS.has(role));

/** Then it is not shown. */
export const hasNoPlace = async (
  bus: AccessibilityBus,
  app: AppContext,
  item: AccessibleObject,
  signal: AbortSignal,
): Promise<boolean> => isShownByPlace(app, item) && (await frameOf(bus, app, item, signal)) === null;

export async function frameOf(
  bus: AccessibilityBus,
  app: AppContext,
  item: AccessibleObject,
  signal: AbortSignal,
): Promise<Rect | null> {
  // A GTK 3 application logs a warning when its root is asked for a position.
  if (item.role === ROLE.application || !item.interfaces.has('Component') || !has(item.states, STATE.showing))
    return null;
  const place =
    app.gtk4Layout === null
      ? await readExtents(bus, item.ref, signal)
      : ((await app.gtk4Layout.placeOf(item.ref, signal))?.frame ?? null);
  if (place !== null && app.origins !== null) return within(await app.origins.of(item.ref, signal), place);
  if (place === null || (app.scaling.mixed && (await isOfPage(bus, item, signal)))) return place;
  return app.scaling.toScreen(place);
}

const within = (origin: Point | null, { x, y, width, height }: Rect): Rect | null =>
  origin === null ? null : { x: x + origin.x, y: y + origin.y, width, height };

export async function valueOf(
  bus: AccessibilityBus,
  app: AppContext,
  item: AccessibleObject,
  signal: AbortSignal,
): Promise<string | null> {
  if (item.role === ROLE.passwordText) return null;
  if (app.toolkit.name === 'gecko' && item.role === ROLE.spinButton && !has(item.states, STATE.editable)) {
    // The number of a part of a date is always 0.
    const said = (await attributesOf(bus, item, signal)).get('valuetext');
    if (typeof said === 'string') return said;
  }
  if (app.toolkit.name === 'qt' && (await isDateText(bus, item, signal))) return readObjectText(bus, item.ref, signal);
  if (NUMERIC.has(item.role) && item.interfaces.has('Value')) {
    const number = await bus.property(item.ref, 'Value.CurrentValue', { signal });
    return typeof number === 'number' ? String(number) : null;
  }
  if (item.role === ROLE.comboBox && !has(item.states, STATE.editable)) return shownChoice(bus, item, signal);
  if (item.role === ROLE.listBox && isBrowser(app) && item.interfaces.has('Selection'))
    return (await chosenInList(bus, item, signal)).join('\n');
  const readable = item.interfaces.has('Text') && (TEXTUAL.has(item.role) || has(item.states, STATE.editable));
  if (readable) {
    const text = await readObjectText(bus, item.ref, signal, isGtk3(app.toolkit) && item.role === ROLE.label);
    // The placeholder of an embedded element is not part of the text.
    return has(item.states, STATE.editable) ? text : text.replaceAll('\uFFFC', '').trim();
  }
  if (item.role === ROLE.label || item.role === ROLE.static) return item.name;
  return null;
}

const isBrowser = ({ toolkit: { name } }: AppContext): boolean => name === 'chromium' || name === 'gecko';

/** What shows on a control of a page whose author gave it another name. */
async function shownTextOf(
  bus: AccessibilityBus,
  item: AccessibleObject,
  attributes: Promise<ReadonlyMap<string, unknown>>,
  signal: AbortSignal,
): Promise<string | null> {
  if (!PRESSED.has(item.role) || item.role === ROLE.comboBox || !item.interfaces.has('Text')) return null;
  if ((await attributes).get('explicit-name') !== 'true') return null;
  const text = (await readObjectText(bus, item.ref, signal)).replaceAll('\uFFFC', '').trim();
  return text === '' || text === item.name.trim() ? null : text;
}

async function titleOf(bus: AccessibilityBus, item: AccessibleObject, signal: AbortSignal): Promise<string> {
  if (item.name !== '' || !LABELLED.has(item.role)) return item.name;
  const [relations] = (await bus.call(item.ref, 'Accessible.GetRelationSet', { signal }).catch(nullWhenRefused)) ?? [];
  if (!Array.isArray(relations)) return '';
  for (const relation of relations) {
    const [kind, targets]: unknown[] = Array.isArray(relation) ? relation : [];
    const label = kind === LABELLED_BY && Array.isArray(targets) ? refOf(targets[0]) : null;
    if (label === null || label.bus !== item.ref.bus) continue;
    const name = await bus.property(label, 'Accessible.Name', { signal }).catch(nullWhenRefused);
    if (typeof name === 'string' && name !== '') return name;
    // The label of a GTK 4 menu item has a text and no name.
    return (await readObjectText(bus, label, signal).catch(nullWhenRefused)) ?? '';
  }
  return '';
}

export async function identifierOf(
  bus: AccessibilityBus,
  app: AppContext,
  item: AccessibleObject,
  signal: AbortSignal,
): Promise<string> {
  if (isBrowser(app)) return idIn(await attributesOf(bus, item, signal));
  const { ref, identifier } = item;
  if (identifier !== undefined) return identifier;
  if (!app.identifiers) return '';
  try {
    const id = await bus.property(ref, 'Accessible.AccessibleId', { signal });
    return typeof id === 'string' ? id : '';
  } catch (error) {
    if (!(error instanceof DesktopError) || (error.code !== 'unsupported' && error.code !== 'failed')) throw error;
    app.identifiers = false;
    return '';
  }
}

/** Browsers give the `id` of an HTML element as an attribute. */
function idIn(attributes: ReadonlyMap<string, unknown>): string {
  const id = attributes.get('id');
  return typeof id === 'string' ? id : '';
}

/** Qt's field of a date or a time is a number that can only be 0, with a text. */
export async function isDateText(
  bus: Pick<AccessibilityBus, 'call' | 'property'>,
  { ref, role, interfaces }: AccessibleObject,
  signal: AbortSignal,
): Promise<boolean> {
  if (role !== ROLE.spinButton || !interfaces.has('EditableText') || !interfaces.has('Value')) return false;
  // A number field of Firefox that has no limit refuses to tell one.
  const limits = ['Value.MinimumValue', 'Value.MaximumValue'].map((name) =>
    bus.property(ref, name, { signal }).catch(nullWhenRefused),
  );
  if ((await Promise.all(limits)).some((limit) => limit !== 0)) return false;
  return /\D/.test(await readObjectText(bus, ref, signal));
}

/** Chromium tells nothing else of a colour field: a button that is an `input` of a page, with nothing on it. */
export async function isColourField(
  bus: AccessibilityBus,
  item: AccessibleObject,
  signal: AbortSignal,
): Promise<boolean> {
  if (item.role !== ROLE.pushButton || !item.interfaces.has('Text')) return false;
  const attributes = await attributesOf(bus, item, signal);
  return attributes.get('tag') === 'input' && (await readObjectText(bus, item.ref, signal)) === '';
}

/** The browser's own controls have the attribute `class` and no HTML tag. */
async function isOfPage(bus: AccessibilityBus, item: AccessibleObject, signal: AbortSignal): Promise<boolean> {
  const attributes = await attributesOf(bus, item, signal);
  return !attributes.has('class') || attributes.has('tag');
}

async function attributesOf(
  bus: AccessibilityBus,
  { ref, attributes }: AccessibleObject,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, unknown>> {
  if (attributes !== undefined) return attributes;
  return attributeMap((await bus.call(ref, 'Accessible.GetAttributes', { signal }).catch(nullWhenRefused))?.[0]);
}
