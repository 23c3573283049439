/** Hides what must not be seen, before anything is written or sent. Pure: the input is never changed. */
import type { Capture, Element, Rect, Tree, TreeNode } from '../../native/desktop.js';

const FILL = 0x30;

/** `capture` with `areas` (points, global) filled in one colour. An area that is no proper rectangle hides everything. */
export function maskAreas(capture: Capture, areas: readonly Rect[]): Capture {
  const rgb = Uint8Array.from(capture.rgb);
  for (const area of areas) fill(rgb, capture, area);
  return { ...capture, rgb };
}

function fill(rgb: Uint8Array, { width, height, origin, scale }: Capture, area: Rect): void {
  if (![area.x, area.y, area.width, area.height].every(Number.isFinite)) {
    rgb.fill(FILL);
    return;
  }
  const [left, right] = span(area.x, area.width, origin.x, scale, width);
  const [top, bottom] = span(area.y, area.height, origin.y, scale, height);
  if (left >= right) return;
  for (let y = top; y < bottom; y++) rgb.fill(FILL, (y * width + left) * 3, (y * width + right) * 3);
}

/** Pixels from and to (exclusive), outwards to whole ones, clipped. */
function span(start: number, length: number, origin: number, scale: number, limit: number): [number, number] {
  const a = (start - origin) * scale;
  const b = (start + length - origin) * scale;
  const clip = (value: number) => Math.min(limit, Math.max(0, value));
  return [clip(Math.floor(Math.min(a, b))), clip(Math.ceil(Math.max(a, b)))];
}

/** A password field keeps its label and loses its value. */
export function maskElement(element: Element): Element {
  return element.states.secure ? { ...element, value: null } : element;
}

function blank(element: Element): Element {
  return { ...element, title: '', description: '', value: null };
}

/**
 * `tree` without the values of password fields and without any text below them. Where `hidden` says yes (an excluded
 * application, a window of ours), that node and all below it keep their place and lose their text.
 */
export function maskTree(tree: Tree, hidden: (element: Element) => boolean = () => false): Tree {
  const state: { blankBelow: boolean }[] = [];
  const nodes = tree.nodes.map((node): TreeNode => {
    const inherited = state[node.parent]?.blankBelow ?? false;
    const gone = inherited || hidden(node.element);
    state.push({ blankBelow: gone || node.element.states.secure });
    return { ...node, element: gone ? blank(node.element) : maskElement(node.element) };
  });
  return { ...tree, nodes };
}

const PAIRING = /#pair=[\w.~-]+/g;
const HIDDEN = '[hidden]';

/** `text` without the given secrets (whole, wherever they occur) and without pairing codes. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  const longestFirst = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  const without = longestFirst.reduce((rest, secret) => rest.split(secret).join(HIDDEN), text);
  return without.replace(PAIRING, `#pair=${HIDDEN}`);
}
