/** Recognises an application's file dialog by the roles of its elements. */
import type { DesktopReader, Tree, Window } from '../../../native/desktop.js';

export const FILE_DIALOG_LIMITS = { maxDepth: 40, maxNodes: 3000, timeoutMs: 8000 };
const ROOT_TIMEOUT_MS = 1000;
const DIALOG_ROLES: ReadonlySet<string> = new Set(['file chooser', 'dialog']);

/** GTK's dialog shows its path field only on request, that of GTK 2 not before it shows a folder; Qt's always shows it. */
export type FileDialogKind = 'gtk' | 'gtk2' | 'qt';

/** The tree of a file dialog; null for other windows, of which only the root is read, where its `role` is not known. */
export async function fileDialogTree(
  desktop: DesktopReader,
  { id, app }: Pick<Window, 'id' | 'app'>,
  signal: AbortSignal,
  role: string | null = null,
): Promise<Tree | null> {
  if (!DIALOG_ROLES.has(role ?? (await rootRole(desktop, { id, app }, signal)))) return null;
  const tree = await desktop.tree({ pid: app.pid, windowId: id }, FILE_DIALOG_LIMITS, signal);
  return fileDialogKind(tree) === null ? null : tree;
}

/** The application's own word for what the window is. */
export async function rootRole(
  desktop: DesktopReader,
  { id, app }: Pick<Window, 'id' | 'app'>,
  signal: AbortSignal,
): Promise<string> {
  const limits = { maxDepth: 1, maxNodes: 1, timeoutMs: ROOT_TIMEOUT_MS };
  const { nodes } = await desktop.tree({ pid: app.pid, windowId: id }, limits, signal);
  return nodes[0]?.element.nativeRole ?? '';
}

/** By roles, because labels are in the person's language. */
export function fileDialogKind({ nodes }: Tree): FileDialogKind | null {
  const root = nodes[0]?.element;
  if (root?.nativeRole === 'file chooser') return 'gtk';
  if (root?.nativeRole !== 'dialog') return null;
  const shown = nodes.filter(({ element }) => element.states.visible);
  const count = (role: string) => shown.filter(({ element }) => element.nativeRole === role).length;
  if (count('split pane') !== 1) return null;
  if (count('text') === 1 && count('combo box') >= 2) return 'qt';
  return showsPlaces(shown) ? 'gtk2' : null;
}

/** Whether the dialog of GTK 2 is in a folder, and not in its list of recent files: then it has buttons above, for the path. */
export function showsFolder({ nodes }: Tree): boolean {
  const shown = nodes.filter(({ element }) => element.states.visible).map(({ element }) => element.nativeRole);
  return shown.slice(0, shown.indexOf('split pane')).includes('toggle button');
}

/** As GTK 2 does beside the files: a table, and below it a bar with buttons that add and remove one. */
function showsPlaces(shown: Tree['nodes']): boolean {
  const pane = shown.findIndex(({ element }) => element.nativeRole === 'split pane');
  const { depth } = shown[pane] ?? { depth: 0 };
  const end = shown.findIndex((node, index) => index > pane && node.depth <= depth);
  const roles = shown.slice(pane + 1, end < 0 ? shown.length : end).map(({ element }) => element.nativeRole);
  return roles.includes('table') && roles.indexOf('table') < roles.indexOf('tool bar');
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
