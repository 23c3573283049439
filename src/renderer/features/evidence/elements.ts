/** ax.json and the plan in result.json as a flat list of elements, with what can be outlined on the picture. Everything in them is an agent's or an application's word. */
import * as z from 'zod';
import { recordedMessageSchema } from '../../../messages/index.js';

const rectSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
type DesktopRect = z.infer<typeof rectSchema>;

export interface TreeElement {
  /** Its place in the list. */
  id: number;
  parent: number | null;
  depth: number;
  role: string;
  title: string;
  /** In points of the whole desktop; null where it has no place. */
  frame: DesktopRect | null;
  hasChildren: boolean;
  /** What an act was meant for. */
  target: boolean;
  /** Can be pressed, chosen or written into. */
  active: boolean;
}

/** More is in the file. */
export const MAX_ELEMENTS = 2_000;
const MAX_DEPTH = 100;

const nodeSchema = z.object({
  role: z.string().catch(''),
  title: z.string().catch(''),
  value: z.string().nullable().catch(null),
  frame: rectSchema.nullable().catch(null),
  actions: z.array(z.unknown()).catch([]),
  children: z.array(z.unknown()).catch([]),
});

const fileSchema = z.object({ tree: z.array(z.unknown()).optional(), elements: z.array(z.unknown()).optional() });

/** The tree of `observe`, or the list of `find`. null when it is neither. */
export function parseElements(text: string): TreeElement[] | null {
  const file = fileSchema.safeParse(JSON.parse(text));
  const roots = file.success ? (file.data.tree ?? file.data.elements) : undefined;
  if (roots === undefined) return null;
  const found: TreeElement[] = [];
  const waiting = roots.map((node) => ({ node, parent: null as number | null, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined && found.length < MAX_ELEMENTS; next = waiting.pop()) {
    const node = nodeSchema.safeParse(next.node);
    if (!node.success) continue;
    const { role, title, value, frame, actions, children } = node.data;
    const id = found.length;
    const { parent, depth } = next;
    const inside = depth < MAX_DEPTH ? children : [];
    const name = title === '' ? (value ?? '') : title;
    const active = actions.length > 0;
    found.push({ id, parent, depth, role, title: name, frame, hasChildren: inside.length > 0, target: false, active });
    for (const child of inside.toReversed()) waiting.push({ node: child, parent: id, depth: depth + 1 });
  }
  return found;
}

const elementSchema = z.object({
  role: z.string().catch(''),
  title: z.string().catch(''),
  frame: rectSchema.nullable().catch(null),
});
const windowSchema = z.object({ title: z.string().catch(''), frame: rectSchema, visible: z.boolean().catch(false) });

export const planSchema = z.object({
  target: z
    .object({
      kind: z.string(),
      element: elementSchema.nullable().optional().catch(null),
      rect: rectSchema.optional().catch(undefined),
    })
    .nullable()
    .catch(null),
  window: windowSchema.nullable().catch(null),
  ancestors: z.array(z.string()).catch([]),
  text: z.string().nullable().catch(null),
  notes: z.array(recordedMessageSchema).catch([]),
  look: z
    .object({ area: rectSchema, target: rectSchema.nullable().catch(null) })
    .nullable()
    .catch(null),
});
export type ShownPlan = z.infer<typeof planSchema>;

/** Where the target of an act lay: its window, what it was inside of, itself. */
export function elementsOfPlan(plan: ShownPlan): TreeElement[] {
  const { window, ancestors, target, look } = plan;
  const element = target?.element ?? null;
  const inside = [...ancestors].reverse().filter((title) => title !== window?.title);
  const rows = [
    ...(window === null ? [] : [{ role: 'AXWindow', title: window.title, frame: window.frame, target: false }]),
    ...inside.map((title) => ({ role: '', title, frame: null, target: false })),
    ...(element === null ? [] : [{ ...element, frame: element.frame ?? look?.target ?? null, target: true }]),
  ];
  return rows.map((row, index) => ({
    ...row,
    id: index,
    parent: index === 0 ? null : index - 1,
    depth: index,
    hasChildren: index < rows.length - 1,
    active: row.target,
  }));
}

/** The part of the desktop a picture shows, if its shape agrees; null: not known, and nothing may be drawn on it. */
export function areaOf(plan: ShownPlan | null, image: { width: number; height: number }): DesktopRect | null {
  if (plan === null) return null;
  const { window, look, target } = plan;
  const area = window?.visible === true ? window.frame : (look?.area ?? target?.rect ?? null);
  if (area === null || area.width <= 0 || area.height <= 0 || image.width <= 0 || image.height <= 0) return null;
  const across = image.width / area.width;
  const down = image.height / area.height;
  return Math.abs(across - down) <= 0.02 * across ? area : null;
}

/** In hundredths of the picture. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Outline extends Box {
  id: number;
  number: number;
  target: boolean;
}

const MAX_OUTLINES = 60;

/** The target, or what can be acted on, numbered in the order of the list. */
export function outlinesOf(elements: TreeElement[], area: DesktopRect): Outline[] {
  const wanted = elements.some((one) => one.target)
    ? elements.filter((one) => one.target)
    : elements.filter((one) => one.active);
  const outlines: Outline[] = [];
  for (const { id, frame, target } of wanted) {
    const part = frame && within(frame, area);
    if (part) outlines.push({ id, number: outlines.length + 1, target, ...part });
    if (outlines.length === MAX_OUTLINES) break;
  }
  return outlines;
}

/** In hundredths of `area`; null when nothing of it lies inside. */
export function within(frame: DesktopRect, area: DesktopRect): Box | null {
  const left = Math.max(frame.x, area.x);
  const top = Math.max(frame.y, area.y);
  const right = Math.min(frame.x + frame.width, area.x + area.width);
  const bottom = Math.min(frame.y + frame.height, area.y + area.height);
  if (!(right > left) || !(bottom > top)) return null;
  const across = 100 / area.width;
  const down = 100 / area.height;
  return {
    left: (left - area.x) * across,
    top: (top - area.y) * down,
    width: (right - left) * across,
    height: (bottom - top) * down,
  };
}
