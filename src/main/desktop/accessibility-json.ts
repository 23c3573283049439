import type { App, Element, Tree, TreeNode, Window } from '../../native/desktop.js';

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
