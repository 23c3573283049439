import type { Tree, TreeLimits } from '../../desktop.js';

/**
 * The tree without the documents that must not be shown, and all that is in them. Done by the host: what hides a document cannot be
 * sent to the helper process.
 */
export function withoutHidden(tree: Tree, hides: TreeLimits['hides']): Tree {
  if (hides === undefined) return tree;
  const places: (number | null)[] = [];
  const nodes: Tree['nodes'] = [];
  for (const node of tree.nodes) {
    const parent = node.parent < 0 ? -1 : (places[node.parent] ?? null);
    const { document } = node.element;
    const hidden = parent === null || (document !== undefined && hides(document.url));
    places.push(hidden ? null : nodes.push({ ...node, parent }) - 1);
  }
  return { ...tree, nodes };
}
