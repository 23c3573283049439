/** Recognises an application's file dialog by the roles of its elements. */
import type { DesktopReader, Tree, Window } from '../../../native/desktop.js';

export const FILE_DIALOG_LIMITS = { maxDepth: 40, maxNodes: 3000, timeoutMs: 8000 };
const ROOT_TIMEOUT_MS = 1000;
const DIALOG_ROLES: ReadonlySet<string> = new Set(['file chooser', 'dialog']);

/** GTK's dialog shows its path field only on request; Qt's always shows it. */
export type FileDialogKind = 'gtk' | 'qt';

/** The tree of a file dialog; null for other windows, of which only the root is read. */
export async function fileDialogTree(
  desktop: DesktopReader,
  { id, app }: Window,
  signal: AbortSignal,
): Promise<Tree | null> {
  const scope = { pid: app.pid, windowId: id };
  const { nodes } = await desktop.tree(scope, { maxDepth: 1, maxNodes: 1, timeoutMs: ROOT_TIMEOUT_MS }, signal);
  if (!DIALOG_ROLES.has(nodes[0]?.element.nativeRole ?? '')) return null;
  const tree = await desktop.tree(scope, FILE_DIALOG_LIMITS, signal);
  return fileDialogKind(tree) === null ? null : tree;
}

/** By roles, because labels are in the person's language. */
export function fileDialogKind({ nodes }: Tree): FileDialogKind | null {
  const root = nodes[0]?.element;
  if (root?.nativeRole === 'file chooser') return 'gtk';
  if (root?.nativeRole !== 'dialog') return null;
  const count = (role: string) =>
    nodes.filter(({ element }) => element.nativeRole === role && element.states.visible).length;
  return count('text') === 1 && count('combo box') >= 2 && count('split pane') === 1 ? 'qt' : null;
}

/** The folder a file dialog shows, as far as it is accessible. */
export interface DialogFolder {
  /** Qt's dialog shows the path in a combo box. */
  path: string | null;
  /** GTK's dialog has a button for each step; the pressed one is the folder. */
  name: string | null;
}

export function dialogFolder({ nodes }: Tree): DialogFolder {
  const shown = nodes.map(({ element }) => element).filter(({ states }) => states.visible);
  const box = shown.find(({ nativeRole, value }) => nativeRole === 'combo box' && value?.startsWith('/') === true);
  const step = shown.find(({ nativeRole, states }) => nativeRole === 'toggle button' && states.checked === true);
  return { path: box?.value ?? null, name: step === undefined || step.title === '' ? null : step.title };
}
