/** Controls without a name: the texts on them, and whether anything identifies them. */
import type { DesktopReader, Element } from '../../../native/desktop.js';
import type { Plan } from '../plan.js';
import { textsIn } from './surroundings.js';

const MAX_TEXTS = 3;
const BOX_ROLES: ReadonlySet<string> = new Set(['AXGroup', 'AXUnknown']);
const CONTROL_ROLES: ReadonlySet<string> = new Set(['AXButton', 'AXLink', 'AXMenuItem']);
/** Roles whose descendants are parts of the control. */
const CONTROL_PART_ROLES: ReadonlySet<string> = new Set([...CONTROL_ROLES, 'AXCheckBox', 'AXRadioButton', 'AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXIncrementor', 'AXSlider', 'AXScrollBar', 'AXRow', 'AXCell']); // prettier-ignore
const MAX_ANCESTORS = 4;
/** Areas that the application draws itself, perhaps with buttons. */
const SELF_DRAWN_ROLES: ReadonlySet<string> = new Set(['drawing area', 'canvas']);

/** A container without a name. */
export const isBox = ({ role, title }: Element): boolean => BOX_ROLES.has(role) && title === '';

/** The texts in the element; null where there are too many for one control. */
export async function textsOnControl(
  desktop: DesktopReader,
  { pid, id }: Element,
  signal: AbortSignal,
): Promise<string[] | null> {
  const { elements, whole } = await textsIn(desktop, { pid, elementId: id }, MAX_TEXTS, signal);
  const texts = elements.map(({ title, value }) => (title === '' ? (value ?? '') : title).trim());
  return whole ? [...new Set(texts.filter((text) => text !== ''))] : null;
}

/** Nothing identifies what is pressed, as in an application without accessibility. */
export async function isUnidentifiable(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<boolean> {
  const { target, does = { kind: 'press' } } = plan;
  if (target.kind !== 'point' && target.kind !== 'focus' && target.kind !== 'element') return false;
  const presses =
    does.kind === 'press' || (does.kind === 'keys' && does.keys.some((key) => key === 'space' || key === ' '));
  if (!presses) return false;
  const { element } = target;
  if (element === null) return true;
  return SELF_DRAWN_ROLES.has(element.nativeRole) || (isNameless(element) && isBlank(desktop, element, signal));
}

function isNameless({ role, title, description, identifier, value }: Element): boolean {
  if (!BOX_ROLES.has(role) && !CONTROL_ROLES.has(role)) return false;
  return [title, description, identifier, value ?? ''].every((text) => text.trim() === '');
}

const LIMITS = { maxDepth: 4, maxNodes: 40, timeoutMs: 1500 };

/** Neither it, its descendants nor an enclosing control have any text. */
async function isBlank(desktop: DesktopReader, { pid, id }: Element, signal: AbortSignal): Promise<boolean> {
  const above = (await desktop.ancestors(id, signal)).slice(0, MAX_ANCESTORS);
  if (above.some(({ role }) => CONTROL_PART_ROLES.has(role))) return false;
  const { nodes, truncated } = await desktop.tree({ pid, elementId: id }, LIMITS, signal);
  if (truncated.depth || truncated.nodes || truncated.time) return false;
  return nodes.every(({ element }) => isSilent(element));
}

const isSilent = ({ title, description, value }: Element): boolean =>
  [title, description, value ?? ''].every((text) => text.trim() === '');
