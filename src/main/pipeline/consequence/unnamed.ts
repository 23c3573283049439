/** Where what is pressed has no name: what stands on it, and whether anything tells at all. */
import type { DesktopReader, Element } from '../../../native/desktop.js';
import type { Plan } from '../plan.js';
import { textsIn } from './surroundings.js';

const MOST_TEXTS = 3;
const BOXES: ReadonlySet<string> = new Set(['AXGroup', 'AXUnknown']);
const CONTROLS: ReadonlySet<string> = new Set(['AXButton', 'AXLink', 'AXMenuItem']);
/** What lies in one of these is a part of it. */
const WHOLES: ReadonlySet<string> = new Set([...CONTROLS, 'AXCheckBox', 'AXRadioButton', 'AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXIncrementor', 'AXSlider', 'AXScrollBar', 'AXRow', 'AXCell']); // prettier-ignore
const NEAR = 4;
/** An application draws there itself, buttons perhaps. */
const DRAWN: ReadonlySet<string> = new Set(['drawing area', 'canvas']);

/** A container that is pressed, and has no name of its own. */
export const isBox = ({ role, title }: Element): boolean => BOXES.has(role) && title === '';

/** The texts in it; null where there are more than stand on one control. */
export async function wordsIn(
  desktop: DesktopReader,
  { pid, id }: Element,
  signal: AbortSignal,
): Promise<string[] | null> {
  const { elements, whole } = await textsIn(desktop, { pid, elementId: id }, MOST_TEXTS, signal);
  const texts = elements.map(({ title, value }) => (title === '' ? (value ?? '') : title).trim());
  return whole ? [...new Set(texts.filter((text) => text !== ''))] : null;
}

/** Nothing tells what is pressed, as in an application without accessibility: it may be anything. */
export async function tellsNothing(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<boolean> {
  const { target, does = { kind: 'press' } } = plan;
  if (target.kind !== 'point' && target.kind !== 'focus' && target.kind !== 'element') return false;
  const presses =
    does.kind === 'press' || (does.kind === 'keys' && does.keys.some((key) => key === 'space' || key === ' '));
  if (!presses) return false;
  const { element } = target;
  if (element === null) return true;
  return DRAWN.has(element.nativeRole) || (isNameless(element) && isBlank(desktop, element, signal));
}

function isNameless({ role, title, description, identifier, value }: Element): boolean {
  if (!BOXES.has(role) && !CONTROLS.has(role)) return false;
  return [title, description, identifier, value ?? ''].every((text) => text.trim() === '');
}

const LIMITS = { maxDepth: 4, maxNodes: 40, timeoutMs: 1500 };

/** Nothing in it says anything either, nor what it is a part of. */
async function isBlank(desktop: DesktopReader, { pid, id }: Element, signal: AbortSignal): Promise<boolean> {
  const above = (await desktop.ancestors(id, signal)).slice(0, NEAR);
  if (above.some(({ role }) => WHOLES.has(role))) return false;
  const { nodes, truncated } = await desktop.tree({ pid, elementId: id }, LIMITS, signal);
  if (truncated.depth || truncated.nodes || truncated.time) return false;
  return nodes.every(({ element }) => isSilent(element));
}

const isSilent = ({ title, description, value }: Element): boolean =>
  [title, description, value ?? ''].every((text) => text.trim() === '');
