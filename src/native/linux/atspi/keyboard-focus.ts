import { DesktopError } from '../../desktop.js';
import { type AccessibilityBus, idOf, nullFor, type Ref, refOf, parseId } from './bus.js';
import { ROLE, TOP_LEVEL, has, STATE } from './accessible-object.js';
import { type ObjectSnapshot, type SnapshotNode, withAncestors } from './object-reader.js';
import { message } from '../../../messages/index.js';
import { poll } from '../../../base/poll.js';
import { readRole, readStates } from './queries.js';
import type { AccessibleTree } from './accessible-tree.js';

/**
 * The element of a window that receives keys; null where none reports the focus. Every web document reports a focused element,
 * also while the browser's own address field, bubble or dialog, or another pane receives the keys. Rejects where only documents
 * report the focus, and more than one of them.
 */
export function findKeyboardFocus(snapshot: ObjectSnapshot): SnapshotNode | null {
  const focused = snapshot.nodes.filter(
    ({ item }) => has(item.states, STATE.focused) && !TOP_LEVEL.has(item.role) && item.role !== ROLE.application,
  );
  const inside = withoutLine(snapshot, focused)
    .map((node) => ({ node, document: outerDocument(snapshot, node) }))
    .filter(({ document }) => document === null || has(document.item.states, STATE.showing));
  const around = new Set(
    inside.filter(({ document }) => document !== null).flatMap(({ node }) => withAncestors(snapshot, node).slice(1)),
  );
  const own = inside.filter(({ node, document }) => document === null && !around.has(node));
  if (own.length > 0) return chosen(snapshot, own);
  const documents = new Set(inside.map(({ document }) => document).filter((document) => document !== null));
  if (documents.size > 1) throw ambiguous([...documents].map(({ item }) => item.name));
  return chosen(snapshot, inside);
}

/** The input line of LibreOffice Calc reports the focus from the first edit of a cell on, whatever else has it. While it is edited, so is the cell. */
function withoutLine(snapshot: ObjectSnapshot, focused: readonly SnapshotNode[]): readonly SnapshotNode[] {
  const isLine = (node: SnapshotNode): boolean =>
    node.item.role === ROLE.paragraph && withAncestors(snapshot, node).some(({ item }) => item.role === ROLE.toolBar);
  const others = focused.filter((node) => !isLine(node));
  return others.length > 0 ? others : focused;
}

const ROWS: ReadonlySet<number> = new Set([ROLE.listItem, ROLE.tableCell, ROLE.tableRow, ROLE.treeItem]);

/**
 * Qt reports the focus for a text and its inner viewport; the text receives the keys. It also reports it for the current tab of each
 * bar, which counts in what has the focus, and for the current row of each list, never for the list: a row counts where nothing
 * else has the focus.
 */
function chosen(snapshot: ObjectSnapshot, found: readonly { node: SnapshotNode }[]): SnapshotNode | null {
  const nodes = found.map(({ node }) => node);
  const isPart = ({ item }: SnapshotNode): boolean => ROWS.has(item.role) || item.role === ROLE.pageTab;
  const others = new Set(nodes.filter((node) => !isPart(node)));
  const isIn = (node: SnapshotNode): boolean => withAncestors(snapshot, node).some((one) => others.has(one));
  const sure = nodes.filter(isIn);
  const rows = nodes.filter(({ item }) => ROWS.has(item.role));
  const among = [sure, rows, nodes].find((some) => some.length > 0) ?? [];
  return among.findLast(({ item }) => has(item.states, STATE.editable)) ?? among.at(-1) ?? null;
}

const outerDocument = (snapshot: ObjectSnapshot, node: SnapshotNode): SnapshotNode | null =>
  withAncestors(snapshot, node).findLast(({ item }) => item.role === ROLE.documentWeb) ?? null;

/**
 * Qt makes another object of a tree's row each time it is asked which one has the focus. While the one that it named before is at
 * the same place in the same tree, both are that row, and the first keeps being its name.
 */
export class FocusedRow {
  private kept: Ref | null = null;

  constructor(private readonly bus: Pick<AccessibilityBus, 'call' | 'property'>) {}

  async nameOf({ ref, role }: Pick<SnapshotNode['item'], 'ref' | 'role'>, signal: AbortSignal): Promise<string> {
    if (!ROWS.has(role)) return idOf(ref);
    const { kept } = this;
    const same = kept?.bus === ref.bus && (idOf(kept) === idOf(ref) || (await this.samePlace(kept, ref, signal)));
    if (!same) this.kept = ref;
    return idOf(same ? kept : ref);
  }

  private async samePlace(one: Ref, other: Ref, signal: AbortSignal): Promise<boolean> {
    const places = [one, other].map(async (ref) => {
      const [parent, [index]] = await Promise.all([
        this.bus.property(ref, 'Accessible.Parent', { signal }),
        this.bus.call(ref, 'Accessible.GetIndexInParent', { signal }),
      ]);
      const holder = refOf(parent);
      return holder === null || typeof index !== 'number' || index < 0 ? null : `${idOf(holder)} ${index}`;
    });
    const [first = null, second] = await Promise.all(
      places.map((place) => place.catch(nullFor('stale', 'unsupported', 'failed'))),
    );
    return first !== null && first === second;
  }
}

function ambiguous(documents: readonly string[]): DesktopError {
  return new DesktopError('not_found', message('native.ambiguous_focus', { count: documents.length }), {
    reason: 'ambiguous_focus',
    documents,
    next: 'Name the element instead: click_element, or write_element_value for a field. Or close the other document.',
  });
}

const FOCUS_TIMEOUT_MS = 1000;
const SNAPSHOT_TIMEOUT_MS = 5000;
const MAX_NODES = 100_000;

/** Gives an element the keyboard focus, and verifies it. */
export async function focusElement(accessibleTree: AccessibleTree, id: string, signal: AbortSignal): Promise<void> {
  const { bus, reader } = accessibleTree;
  const ref = parseId(id);
  const item = await reader.item(ref, signal);
  if (!item.interfaces.has('Component')) {
    throw new DesktopError('unsupported', message('native.cannot_focus'));
  }
  // GTK 4 has no such call.
  const taken = await bus
    .call(ref, 'Component.GrabFocus', { signal })
    .then(([answer]) => answer, nullFor('unsupported'));
  const focused = async (): Promise<true | null> => {
    if (!has(await readStates(bus, ref, signal), STATE.focused)) return null;
    return (await hasBrowserFocus(accessibleTree, ref, signal)) ? null : true;
  };
  if ((await poll(focused, taken === true ? FOCUS_TIMEOUT_MS : 0, signal)) !== null) return;
  if (taken === null) throw new DesktopError('unsupported', message('native.toolkit_no_focus'));
  throw new DesktopError('failed', message('native.focus_not_taken'));
}

/** An element of a web document reports the focus also while the browser's own controls have the keyboard. */
async function hasBrowserFocus(
  { bus, reader, ancestors }: AccessibleTree,
  ref: Ref,
  signal: AbortSignal,
): Promise<boolean> {
  const chain = [ref, ...(await ancestors(ref, signal))];
  const roles = await Promise.all(chain.map((one) => readRole(bus, one, signal)));
  const top = chain.at(-1);
  if (top === undefined || !roles.includes(ROLE.documentWeb)) return false;
  const limits = { maxDepth: 200, maxNodes: MAX_NODES, deadline: Date.now() + SNAPSHOT_TIMEOUT_MS };
  const snapshot = await reader.snapshot(top, [], limits, signal);
  const focused = findKeyboardFocus(snapshot);
  return focused !== null && outerDocument(snapshot, focused) === null;
}
