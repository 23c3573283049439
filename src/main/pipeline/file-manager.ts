/**
 * Acts in a file manager's window that shows, or may show, Chaperone's own files. What is known to touch one is refused; the rest is
 * asked about each time, with a note.
 */
import { DesktopError, type App, type DesktopReader, type Element, type Window } from '../../native/desktop.js';
import { targetElement, windowsOf, type Plan } from './plan.js';

/** `folder`: a folder of Chaperone's; `perhaps`: something with such a name, or the texts cannot be read. */
type OwnFilesShown = 'folder' | 'perhaps' | 'none';

export interface FileManagerRules {
  isFileManager(app: App): boolean;
  /** Judges the title of a window and all texts in it; `texts` null: they cannot be read. */
  shownBy(title: string, texts: readonly string[] | null): OwnFilesShown;
}

const LIMITS = { maxDepth: 60, maxNodes: 4000, timeoutMs: 4000 };
/** Anything else in such a window may be a file, or the area between files from which several are dragged. */
const CONTROL_ROLES: ReadonlySet<string> = new Set(['AXButton', 'AXCheckBox', 'AXPopUpButton', 'AXMenuButton', 'AXMenu', 'AXMenuBar', 'AXMenuItem', 'AXMenuBarItem', 'AXScrollBar', 'AXTextField', 'AXComboBox']); // prettier-ignore

interface FileManagerAct {
  /** It may touch own files in this window, so the person is asked each time. */
  asks: boolean;
  /** The window in which it touches one. */
  refusedIn: Window | null;
}

export async function judgeFileManagerAct(
  rules: FileManagerRules,
  desktop: DesktopReader,
  plan: Plan,
  signal: AbortSignal,
): Promise<FileManagerAct> {
  const plans = [plan, ...(plan.steps ?? []).map((step) => step.plan)].filter((one) => one !== null);
  const dropWindows = plans.map(({ drop }) => drop?.window ?? null).filter((one) => one !== null);
  let asks = false;
  for (const window of [...windowsOf(plan), ...dropWindows]) {
    if (!rules.isFileManager(window.app)) continue;
    const shown = await ownFilesShown(rules, desktop, window, signal);
    if (shown === 'folder' && plans.some((one) => touchesFile(one, window))) return { asks: true, refusedIn: window };
    asks ||= shown !== 'none';
  }
  return { asks, refusedIn: null };
}

async function ownFilesShown(
  { shownBy }: FileManagerRules,
  desktop: DesktopReader,
  { id, title, app }: Window,
  signal: AbortSignal,
): Promise<OwnFilesShown> {
  try {
    const { nodes, truncated } = await desktop.tree({ pid: app.pid, windowId: id }, LIMITS, signal);
    const texts = nodes.flatMap(({ element }) => textsOf(element));
    const shown = shownBy(title, texts);
    const whole = !truncated.depth && !truncated.nodes && !truncated.time;
    return shown === 'none' && !whole ? 'perhaps' : shown;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof DesktopError) return shownBy(title, null);
    throw thrown;
  }
}

const textsOf = ({ title, value, description }: Element): string[] => [title, value ?? '', description];

/** Drags a file out of the window or into it, or presses something in it that may be one. */
function touchesFile(plan: Plan, window: Window): boolean {
  const inside = plan.window?.id === window.id;
  if (plan.drop !== undefined) return inside || plan.drop.window?.id === window.id;
  if (!inside || plan.does?.kind === 'nothing') return false;
  if (plan.target.kind !== 'point' && plan.target.kind !== 'element') return false;
  const element = targetElement(plan);
  return element === null || !CONTROL_ROLES.has(element.role);
}
