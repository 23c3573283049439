/** A compact tree for models: elements with content, without unnamed containers. Pure. */
import type { Element, TreeNode, App, Tree, Window } from '../../native/desktop.js';

export interface OutlineNode {
  element: Element;
  /** Depth in the outline. */
  depth: number;
  /** Index of the parent in the outline; -1 where there is none. */
  parent: number;
}

interface OutlineOptions {
  visibleOnly: boolean;
  /** Exact role names; null: all. */
  roles: readonly string[] | null;
}

const BOX_ROLES: ReadonlySet<string> = new Set([
  'AXGroup', 'AXUnknown', 'AXScrollArea', 'AXSplitGroup', 'AXSplitter', 'AXScrollBar', 'AXTabGroup', 'AXMenu', 'AXRow', 'AXCell',
]); // prettier-ignore

/** Preorder in and out. Children of an omitted node move up. */
export function outlineOf(nodes: readonly TreeNode[], options: OutlineOptions): OutlineNode[] {
  const kept: OutlineNode[] = [];
  /** For each node its index in `kept`, or that of its nearest kept ancestor. */
  const places: number[] = [];
  nodes.forEach(({ element, parent }, index) => {
    const above = parent < 0 ? -1 : (places[parent] ?? -1);
    const parentNode = kept[above];
    if (
      index > 0
        ? isKept(element, parentNode?.element ?? null, options)
        : options.roles === null || fitsRole(element, options)
    ) {
      places[index] =
        kept.push({ element, depth: parentNode === undefined ? 0 : parentNode.depth + 1, parent: above }) - 1;
    } else places[index] = above;
  });
  return kept;
}

function isKept(element: Element, above: Element | null, options: OutlineOptions): boolean {
  if (options.visibleOnly && !element.states.visible) return false;
  if (options.roles !== null) return fitsRole(element, options);
  const { role, title, value, description, identifier, states } = element;
  const unlabelled = title === '' && (value ?? '').trim() === '' && description === '';
  const stateful = states.checked !== null || states.expanded !== null || states.selected === true || states.editable;
  if (unlabelled && BOX_ROLES.has(role) && !stateful) return identifier !== '' && role !== 'AXGroup';
  if (role !== 'AXStaticText') return true;
  const text = (value ?? '') === '' ? title : (value ?? '');
  // A text that repeats the title or value of its parent adds nothing.
  return text.trim() !== '' && ![above?.title.trim(), above?.value?.trim()].includes(text.trim());
}

const fitsRole = ({ role, nativeRole }: Element, { roles }: OutlineOptions): boolean =>
  roles === null || roles.includes(role) || roles.includes(nativeRole);

/** ax.json: an element and its children, nested as on screen. Frames in points. */
interface AxNode {
  role: string;
  title: string;
  value: string | null;
  description?: string;
  identifier?: string;
  frame: Element['frame'];
  states: string[];
  actions: string[];
  children: AxNode[];
}

function axNode(element: Element): AxNode {
  const { role, title, value, description, identifier, frame, states, actions } = element;
  return {
    role,
    title,
    value,
    ...(description === '' ? {} : { description }),
    ...(identifier === '' ? {} : { identifier }),
    frame,
    states: stateWords(states),
    actions,
    children: [],
  };
}

function stateWords(states: Element['states']): string[] {
  return Object.entries(states)
    .filter(([, value]) => value === true)
    .map(([name]) => name);
}

export function axTree(tree: Tree, where: { app: App; window: Window | null }): Record<string, unknown> {
  return {
    app: appSummary(where.app),
    window: where.window?.title ?? null,
    nodes: tree.nodes.length,
    truncated: tree.truncated,
    tree: nest(tree.nodes),
  };
}

export function axMatches(
  elements: Element[],
  found: { matched: number; truncated: Tree['truncated'] },
  where: { app: App; window: Window | null },
): Record<string, unknown> {
  return {
    app: appSummary(where.app),
    window: where.window?.title ?? null,
    matched: found.matched,
    truncated: found.truncated,
    elements: elements.map(axNode),
  };
}

const appSummary = (app: App) => ({ id: app.id, name: app.name, pid: app.pid });

function nest(nodes: TreeNode[]): AxNode[] {
  const axNodes = nodes.map((node) => axNode(node.element));
  const roots: AxNode[] = [];
  nodes.forEach((node, index) => {
    const own = axNodes[index];
    if (own !== undefined) (axNodes[node.parent]?.children ?? roots).push(own);
  });
  return roots;
}
