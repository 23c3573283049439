import { DesktopError } from '../../desktop.js';
import { ROLE, TOP_LEVEL } from './roles.js';
import { type ObjectSnapshot, type SnapshotNode, withAncestors } from './object-reader.js';
import { has, STATE } from './states.js';
import { message } from '../../../messages/index.js';

/**
 * The element of a window that receives keys; null where none reports the focus. Every web document reports a focused element,
 * also while the browser's own address field, bubble or dialog, or another pane receives the keys. Rejects where only documents
 * report the focus, and more than one of them.
 */
export function findKeyboardFocus(snapshot: ObjectSnapshot): SnapshotNode | null {
  const focused = snapshot.nodes.filter(
    ({ item }) => has(item.states, STATE.focused) && !TOP_LEVEL.has(item.role) && item.role !== ROLE.application,
  );
  const inside = focused
    .map((node) => ({ node, document: outerDocument(snapshot, node) }))
    .filter(({ document }) => document === null || has(document.item.states, STATE.showing));
  const around = new Set(
    inside.filter(({ document }) => document !== null).flatMap(({ node }) => withAncestors(snapshot, node).slice(1)),
  );
  const own = inside.filter(({ node, document }) => document === null && !around.has(node));
  if (own.length > 0) return chosen(own.map(({ node }) => node));
  const documents = new Set(inside.map(({ document }) => document).filter((document) => document !== null));
  if (documents.size > 1) throw ambiguous([...documents].map(({ item }) => item.name));
  return chosen(inside.map(({ node }) => node));
}

/** Qt reports the focus for a text and its inner viewport; the text receives the keys. */
const chosen = (nodes: readonly SnapshotNode[]): SnapshotNode | null =>
  nodes.findLast(({ item }) => has(item.states, STATE.editable)) ?? nodes.at(-1) ?? null;

export const outerDocument = (snapshot: ObjectSnapshot, node: SnapshotNode): SnapshotNode | null =>
  withAncestors(snapshot, node).findLast(({ item }) => item.role === ROLE.documentWeb) ?? null;

function ambiguous(documents: readonly string[]): DesktopError {
  return new DesktopError('not_found', message('native.ambiguous_focus', { count: documents.length }), {
    reason: 'ambiguous_focus',
    documents,
    next: 'Name the element instead: click_element, or write_element_value for a field. Or close the other document.',
  });
}
