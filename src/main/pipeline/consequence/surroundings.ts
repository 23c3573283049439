/** The form, dialog or document around a control, and its elements. */
import { DesktopError, type DesktopReader, type Element, type Scope, type Window } from '../../../native/desktop.js';
import { plainLetters } from './fold.js';
import { isAncestorPath, SEARCH_LIMITS } from '../target/selector.js';
import { isAmount, isCardNumber, isPaymentField, namesContext } from './naming.js';

/** An element with its ancestors, nearest first. */
export type ElementChain = readonly Element[];

const FIELDS: readonly string[] = ['AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXIncrementor', 'AXStepper', 'AXDateField', 'AXSearchField', 'AXSecureTextField']; // prettier-ignore
const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alert', 'file chooser', 'AXDialog']);
const MAX_FIELDS = 100;
const MAX_BUTTONS = 500;

export interface Surroundings {
  /** Scopes whose fields belong to the control, closest first. */
  scopes: readonly Scope[];
  /** The outermost document, else the dialog or window. */
  root: Scope;
  form: boolean;
  dialog: boolean;
}

export function surroundingsOf(chain: ElementChain, pid: number, windowId: string | null): Surroundings {
  const scopeOf = ({ id }: Element): Scope => ({ pid, elementId: id });
  const window: Scope = windowId === null ? { pid } : { pid, windowId };
  const above = chain.slice(1);
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

interface Found {
  elements: readonly Element[];
  /** True where all matches were read. */
  whole: boolean;
}

/** Where the application has no accessibility, or does not answer. */
function nullIfUnreadable(thrown: unknown): null {
  if (thrown instanceof DesktopError && (thrown.code === 'not_found' || thrown.code === 'not_responding')) return null;
  throw thrown;
}

async function findByRoles(
  desktop: DesktopReader,
  scope: Scope,
  roles: readonly string[],
  limit: number,
  visibleOnly: boolean,
  signal: AbortSignal,
): Promise<Found> {
  const selector = visibleOnly ? { roles, visibleOnly } : { roles };
  const found = await desktop.find(scope, selector, limit, SEARCH_LIMITS, signal).catch(nullIfUnreadable);
  if (found === null) return { elements: [], whole: false };
  const { elements, matched, truncated } = found;
  return { elements, whole: matched <= limit && !truncated.depth && !truncated.nodes && !truncated.time };
}

export const fieldsIn = (desktop: DesktopReader, scope: Scope, signal: AbortSignal): Promise<Found> =>
  findByRoles(desktop, scope, FIELDS, MAX_FIELDS, false, signal);

/** Includes texts that are scrolled out of view. */
export const textsIn = (desktop: DesktopReader, scope: Scope, limit: number, signal: AbortSignal): Promise<Found> =>
  findByRoles(desktop, scope, ['AXStaticText', 'AXHeading', 'AXCell'], limit, false, signal);

export const itemsIn = (desktop: DesktopReader, scope: Scope, signal: AbortSignal): Promise<Found> =>
  findByRoles(desktop, scope, ['AXRow', 'AXCell', 'AXImage'], MAX_BUTTONS, true, signal);

export const buttonsIn = (desktop: DesktopReader, scope: Scope, signal: AbortSignal): Promise<Found> =>
  findByRoles(desktop, scope, ['AXButton'], MAX_BUTTONS, true, signal);

/** Choices of a list that is closed. */
export const optionsIn = (desktop: DesktopReader, { pid, id }: Element, signal: AbortSignal): Promise<Found> =>
  findByRoles(desktop, { pid, elementId: id }, ['AXMenuItem', 'AXRow'], MAX_BUTTONS, false, signal);

/** Radio buttons, of which arrow keys choose the next one. */
export const radiosIn = (desktop: DesktopReader, scope: Scope, signal: AbortSignal): Promise<Found> =>
  findByRoles(desktop, scope, ['AXRadioButton'], MAX_BUTTONS, true, signal);

/** Items of the process's open menus, which take keys before the focused element does. */
export async function openItemsOf(
  desktop: DesktopReader,
  pid: number,
  signal: AbortSignal,
): Promise<readonly Element[]> {
  const popups = (await desktop.windows(signal)).some(
    ({ app, normal, visible }) => app.pid === pid && !normal && visible,
  );
  return popups ? (await findByRoles(desktop, { pid }, ['AXMenuItem'], MAX_BUTTONS, true, signal)).elements : [];
}

export const namesOf = ({ title, description, identifier }: Element): string[] => [title, description, identifier];

/** Whether a key with this letter may choose it: by a letter of its name, or by any where other scripts or layouts give no answer. */
export function hasLetter(control: Element, letter: string): boolean {
  const names = plainLetters(namesOf(control).join(' '));
  const told = /^\p{ASCII}$/u.test(plainLetters(letter)) && !/[^\P{L}\p{ASCII}]/u.test(names);
  return !told || names.includes(plainLetters(letter));
}

export const takesPayment = (field: Element, value = field.value ?? ''): boolean =>
  namesOf(field).some(isPaymentField) || isCardNumber(value);

const isSecret = (field: Element): boolean => field.states.secure || takesPayment(field);

/** Whether a submit from here includes a password or payment data. True where not everything could be read. */
export async function holdsSecret(
  desktop: DesktopReader,
  chain: ElementChain,
  { scopes: [closest], root, form }: Surroundings,
  signal: AbortSignal,
): Promise<boolean> {
  const scope = closest ?? root;
  const { elements, whole } = await fieldsIn(desktop, scope, signal);
  if (!whole) return true;
  const secret = elements.filter(isSecret);
  if (form || secret.length === 0) return secret.length > 0;
  // A field in another form or document is not submitted from here.
  const others = await findByRoles(desktop, scope, ['form', 'AXWebArea'], MAX_BUTTONS, false, signal);
  const own = chain[0]?.path ?? [];
  const apart = others.elements.filter(({ path }) => !isAncestorPath(path, own));
  return secret.some((field) => !apart.some(({ path }) => isAncestorPath(path, field.path)));
}

const MAX_HEADINGS = 30;
const MAX_NEAR_TEXTS = 40;
const NEAR_LEVELS = 4;

/** The part of an address that says what a page is for: its host and path. */
function placeIn(address: string | null | undefined): string {
  if (address == null || !URL.canParse(address)) return '';
  const { hostname, pathname, hash } = new URL(address);
  return /[a-z]/i.test(hostname) ? `${hostname} ${pathname} ${hash}` : `${pathname} ${hash}`;
}

/** Whether the page or window is about payment, an account, deleting or publishing: by title, address, headings, the texts and amounts near, and fields for payment data. */
export async function hasContext(
  desktop: DesktopReader,
  window: Window | null,
  chain: ElementChain,
  { root, scopes: [closest], dialog }: Surroundings,
  signal: AbortSignal,
): Promise<boolean> {
  const documents = chain.filter(({ role }) => role === 'AXWebArea').map(({ title }) => title);
  const addresses = [window?.documentUrl, chain[0]?.document?.url].map(placeIn);
  if ([window?.title ?? '', ...documents, ...addresses].some(namesContext)) return true;
  const headings = await findByRoles(desktop, root, ['AXHeading'], MAX_HEADINGS, false, signal);
  if (headings.elements.some(({ title, value }) => namesContext(title === '' ? (value ?? '') : title))) return true;
  const page = chain.findIndex(({ role }) => role === 'AXWebArea' || role === 'AXWindow');
  const top = chain.slice(1, Math.min(1 + NEAR_LEVELS, Math.max(page, 1))).at(-1);
  const block = top === undefined ? null : { pid: top.pid, elementId: top.id };
  const near = closest !== undefined && closest !== root ? closest : block;
  if ((await fieldsIn(desktop, closest ?? root, signal)).elements.some((field) => takesPayment(field))) return true;
  if (near === null) return false;
  const { elements } = await textsIn(desktop, near, MAX_NEAR_TEXTS, signal);
  const texts = elements.map(({ title, value }) => (title === '' ? (value ?? '') : title));
  return texts.some(isAmount) || (dialog && texts.some(namesContext));
}
