/** What is around a control: the form, dialog or document it is in, and what that holds. */
import type { DesktopReader, Element, Scope } from '../../../native/desktop.js';
import { SEARCH } from '../target/selector.js';
import { isCardNumber, isPaymentField } from './naming.js';

/** An element with its ancestors, nearest first. */
export type Line = readonly Element[];

const FIELDS: readonly string[] = ['AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXIncrementor', 'AXStepper', 'AXDateField', 'AXSearchField', 'AXSecureTextField']; // prettier-ignore
const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alert', 'file chooser', 'AXDialog']);
const MOST_FIELDS = 100;
const MOST_BUTTONS = 500;

export interface Surroundings {
  /** Where fields belong to the control, the closest first. */
  scopes: readonly Scope[];
  /** The whole of what is shown as one: the outermost document, else the dialog or window. */
  root: Scope;
  form: boolean;
  dialog: boolean;
}

export function surroundingsOf(line: Line, pid: number, windowId: string | null): Surroundings {
  const scopeOf = ({ id }: Element): Scope => ({ pid, elementId: id });
  const window: Scope = windowId === null ? { pid } : { pid, windowId };
  const above = line.slice(1);
  const form = above.find(isForm);
  const dialog = above.find((one) => one.role === 'AXSheet' || DIALOGS.has(one.nativeRole));
  const bar = above.find(({ role }) => role === 'AXToolbar');
  const documents = above.filter(({ role }) => role === 'AXWebArea');
  const top = above.find(({ role }) => role === 'AXWindow');
  const closest = [form, dialog, documents[0], documents.length === 0 ? undefined : bar]
    .filter((one) => one !== undefined)
    .toSorted((a, b) => b.path.length - a.path.length);
  const root = documents.at(-1) ?? dialog ?? top;
  const whole = root === undefined ? window : scopeOf(root);
  return {
    scopes: [...closest.map(scopeOf), whole],
    root: whole,
    form: form !== undefined,
    dialog: dialog !== undefined,
  };
}

const isForm = ({ nativeRole }: Element): boolean => nativeRole === 'form';

export interface Found {
  elements: readonly Element[];
  /** Nothing is missing. */
  whole: boolean;
}

async function find(
  desktop: DesktopReader,
  scope: Scope,
  roles: readonly string[],
  limit: number,
  visibleOnly: boolean,
  signal: AbortSignal,
): Promise<Found> {
  const selector = visibleOnly ? { roles, visibleOnly } : { roles };
  const { elements, matched, truncated } = await desktop.find(scope, selector, limit, SEARCH, signal);
  return { elements, whole: matched <= limit && !truncated.depth && !truncated.nodes && !truncated.time };
}

export const fieldsIn = (desktop: DesktopReader, scope: Scope, signal: AbortSignal): Promise<Found> =>
  find(desktop, scope, FIELDS, MOST_FIELDS, false, signal);

/** Also what is scrolled out of sight. */
export const textsIn = (desktop: DesktopReader, scope: Scope, limit: number, signal: AbortSignal): Promise<Found> =>
  find(desktop, scope, ['AXStaticText', 'AXHeading', 'AXCell'], limit, false, signal);

export const itemsIn = (desktop: DesktopReader, scope: Scope, signal: AbortSignal): Promise<Found> =>
  find(desktop, scope, ['AXRow', 'AXCell', 'AXImage'], MOST_BUTTONS, true, signal);

export const buttonsIn = (desktop: DesktopReader, scope: Scope, signal: AbortSignal): Promise<Found> =>
  find(desktop, scope, ['AXButton'], MOST_BUTTONS, true, signal);

/** Of the menus that a process has open: they take the keys before what has the focus. */
export async function openItemsOf(
  desktop: DesktopReader,
  pid: number,
  signal: AbortSignal,
): Promise<readonly Element[]> {
  const popups = (await desktop.windows(signal)).some(
    ({ app, normal, visible }) => app.pid === pid && !normal && visible,
  );
  return popups ? (await find(desktop, { pid }, ['AXMenuItem'], MOST_BUTTONS, true, signal)).elements : [];
}

const namesOf = ({ title, description, identifier }: Element): string[] => [title, description, identifier];
export const takesPayment = (field: Element, value = field.value ?? ''): boolean =>
  namesOf(field).some(isPaymentField) || isCardNumber(value);
const isSecret = (field: Element): boolean => field.states.secure || takesPayment(field);

/** Whether what is submitted from here holds a password or the data of a payment. What cannot be read may. */
export async function holdsSecret(
  desktop: DesktopReader,
  line: Line,
  { scopes: [closest], root, form }: Surroundings,
  signal: AbortSignal,
): Promise<boolean> {
  const scope = closest ?? root;
  const { elements, whole } = await fieldsIn(desktop, scope, signal);
  if (!whole) return true;
  const secret = elements.filter(isSecret);
  if (form || secret.length === 0) return secret.length > 0;
  // A field in a form or document of its own is submitted from there only.
  const others = await find(desktop, scope, ['form', 'AXWebArea'], MOST_BUTTONS, false, signal);
  const own = line[0]?.path ?? [];
  const apart = others.elements.filter(({ path }) => !isAbove(path, own));
  return secret.some((field) => !apart.some(({ path }) => isAbove(path, field.path)));
}

const isAbove = (path: readonly number[], other: readonly number[]): boolean =>
  path.length < other.length && path.every((step, depth) => other[depth] === step);
