/** What a secret field is, and which other fields are the same one. Pure. */
import type { Element, Rect, Window } from '../../native/desktop.js';

export interface Secret {
  id: string;
  role: string;
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

/** Shows dots in place of its text, by style (`-webkit-text-security`): it is no password field to accessibility. */
const DOTS = /^[•●∙◦○■]{2,}$/u;
/** Line breaks, and what stands for embedded elements. */
const BETWEEN = /[\s\uFFFC]/gu;
export const isDotted = (text: string | null): boolean => DOTS.test((text ?? '').replaceAll(BETWEEN, ''));
export const isSecret = ({ states, value }: Element): boolean => states.secure || (states.editable && isDotted(value));
export const asSecret = (element: Element): Element => ({ ...element, states: { ...element.states, secure: true } });

export const TEXT_ROLES = ['AXTextField', 'AXTextArea', 'AXComboBox', 'AXSearchField', 'AXSecureTextField'];
/** Others take their name from what is in them. */
export const isField = ({ role }: Pick<Element, 'role'>): boolean => TEXT_ROLES.includes(role);
/** So short a text is in many others. */
export const MIN_SECRET_LENGTH = 4;

/** A part of a secret tells of it as well. */
export const tells = (text: string, secret: string): boolean =>
  (text.length >= MIN_SECRET_LENGTH && secret.includes(text)) ||
  (secret.length >= MIN_SECRET_LENGTH && text.includes(secret));

export function isSameField(secret: Secret, element: Element, window: Window | null): boolean {
  if (secret.document !== addressOf(element)) return false;
  if (secret.windowId !== null && window !== null && secret.windowId !== window.id) return false;
  if (secret.identifier !== '' && secret.identifier === element.identifier) return true;
  if (secret.title !== '' && secret.title === element.title) return true;
  if (secret.state === 'shows') return false;
  // Where it only hides, another label is another field: of another page of the same dialog.
  if (secret.state === 'hidden' && secret.title !== '' && element.title !== '') return false;
  // So is one far away in the tree, though it lies in the same place.
  if (secret.state === 'hidden' && !isNear(secret.path, element.path)) return false;
  if (secret.path.length === element.path.length && secret.path.every((step, at) => step === element.path[at]))
    return true;
  // What else is editable may be a text around it.
  if (!isField(element) || secret.place === null || window === null || element.frame === null) return false;
  const place = relativeTo(window.frame, element.frame);
  return overlap(secret.place, place) * 2 > Math.min(area(secret.place), area(place));
}

/** What shows a text in place of its field is beside that, or in a box beside it. */
const NEAR = 3;
const isNear = (one: readonly number[], other: readonly number[]): boolean => {
  const shared = one.findIndex((step, at) => step !== other[at]);
  return shared < 0 || one.length - shared <= NEAR;
};

export function addressOf({ document }: Element): string | null {
  if (document === undefined) return null;
  const { url } = document;
  if (url === null || !URL.canParse(url)) return url ?? '';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

export function windowAround({ pid, frame }: Element, windows: readonly Window[]): Window | null {
  const own = windows.filter(({ app, visible }) => app.pid === pid && visible);
  if (frame === null) return own.length === 1 ? (own[0] ?? null) : null;
  const around = own.filter((window) => overlap(window.frame, frame) > 0);
  return around.find(({ focused }) => focused) ?? around[0] ?? null;
}

const area = ({ width, height }: Rect): number => width * height;
export const relativeTo = (origin: Rect, rect: Rect): Rect => ({ ...rect, x: rect.x - origin.x, y: rect.y - origin.y });
export function overlap(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}
