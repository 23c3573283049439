/** Elements as tools return them. */
import * as z from 'zod';
import { shortRole } from '../../desktop/roles.js';
import { quote } from '../../../base/text.js';
import type { References } from '../../pipeline/target/references.js';
import { rectSchema } from '../../protocol/index.js';
import type { Element } from '../../../native/desktop.js';
import { frameText } from '../geometry.js';

export const shownSchema = z.object({
  elementId: z.string(),
  role: z.string(),
  title: z.string(),
  value: z.string().nullable(),
  frame: rectSchema.nullable(),
  states: z.array(z.string()),
  actions: z.array(z.string()),
  description: z.string().optional().meta({ unpublished: true }),
  identifier: z.string().optional().meta({ unpublished: true }),
});
export type ShownElement = z.infer<typeof shownSchema>;

/** Longest text in a list; get_element returns all of it. */
const MAX_LISTED_LENGTH = 300;

export function createElementFormat(references: References, whole = false): (element: Element) => ShownElement {
  return (element) => {
    const { elementId, role, frame } = references.refer(element);
    const { description, identifier, actions } = element;
    const short = (text: string) => (whole ? text : truncateWithCount(text, MAX_LISTED_LENGTH));
    return {
      elementId,
      role,
      title: short(element.title),
      value: element.value === null ? null : short(element.value),
      frame,
      states: statesOf(element),
      actions,
      ...(description === '' ? {} : { description: short(description) }),
      ...(identifier === '' ? {} : { identifier }),
    };
  };
}

export const statesOf = ({ states }: Element): string[] =>
  Object.entries(states)
    .filter(([, value]) => value === true)
    .map(([name]) => name);

/** Shortens a text and adds the number of characters left out. */
export function truncateWithCount(text: string, longest: number): string {
  const characters = [...text.slice(0, longest * 2)];
  if (characters.length <= longest && text.length <= longest * 2) return text;
  const kept = characters.slice(0, longest).join('');
  return `${kept}… (+${text.length - kept.length})`;
}

export const elementLine = (one: ShownElement): string =>
  [
    `${one.elementId} ${shortRole(one.role)} ${quote(one.title)}`,
    ...(one.value === null || one.value === '' || one.value === one.title ? [] : [`=${quote(one.value)}`]),
    ...(one.frame === null ? [] : [frameText(one.frame)]),
    ...notableStates(one.states),
  ].join(' ');

/** The states that differ from an enabled, visible element. */
export function notableStates(states: readonly string[]): string[] {
  const off = [...(states.includes('enabled') ? [] : ['disabled']), ...(states.includes('visible') ? [] : ['hidden'])];
  const on = states.filter((state) => state !== 'enabled' && state !== 'visible');
  return on.length + off.length === 0 ? [] : [`[${[...off, ...on].join(' ')}]`];
}
