/** Windows and elements of the applications that take part, looked up anew each time: ids may have ended. */
import { verbatim } from '../../messages/index.js';
import { DesktopError, type Element, type InputGuard, type Rect, type TreeLimits, type Window } from '../desktop.js';
import type { Seen, Stage } from './types.js';

export const LIMITS: TreeLimits = { maxDepth: 30, maxNodes: 3000, timeoutMs: 5000 };
/** Nothing is typed or pressed where the person has brought something else to the front meanwhile. */
export const whileInFront =
  ({ desktop, signal }: Stage, pid: number): InputGuard =>
  async () => {
    const front = (await desktop.frontmost(signal)).app?.pid;
    if (front !== pid) throw new DesktopError('failed', verbatim(`front: ${front ?? 'none'}`));
  };

export const whileWriting = (stage: Stage): InputGuard => whileInFront(stage, stage.document.pid);
/** Points by which a frame may differ. */
const NEAR = 2;

export async function documentWindow({ desktop, document, signal }: Stage): Promise<Window> {
  const all = await desktop.windows(signal);
  return found(
    all.find(({ app, title }) => app.pid === document.pid && title === document.title),
    `window:${document.title}`,
  );
}

export async function textField({ desktop, document, actors, signal }: Stage): Promise<Element> {
  const { elements } = await desktop.find({ pid: document.pid }, { role: actors.text.role }, 1, LIMITS, signal);
  return found(elements[0], actors.text.role);
}

export async function calculatorButton({ desktop, calculator, actors, signal }: Stage): Promise<Element> {
  const title = actors.calculator.button;
  const selector = { role: 'AXButton', visibleOnly: true };
  const { elements } = await desktop.find({ pid: calculator() }, selector, 100, LIMITS, signal);
  return found(
    elements.find((one) => one.title === title || one.description === title),
    `AXButton:${title}`,
  );
}

const ROW_ROLES: ReadonlySet<string> = new Set(['AXRow', 'AXDisclosureTriangle']);

/** The row that has the name, itself or in one of its cells. */
export async function rowNamed(stage: Stage, name: string): Promise<Element> {
  const { desktop, signal } = stage;
  const { pid, title } = await stage.rows();
  const window = (await desktop.windows(signal)).find((one) => one.app.pid === pid && one.title === title);
  const { nodes } = await desktop.tree({ pid, windowId: found(window, `window:${title}`).id }, LIMITS, signal);
  const named = nodes.find(({ element }) => element.title === name || element.value === name);
  const { element } = found(named, `row:${name}`);
  const all = [element, ...(await desktop.ancestors(element.id, signal))];
  return found(
    all.find(({ role }) => ROW_ROLES.has(role)),
    `AXRow:${name}`,
  );
}

/** Where typing goes: the end of an empty document. */
export async function emptyDocument(stage: Stage): Promise<void> {
  const { desktop, signal } = stage;
  await desktop.focusWindow((await documentWindow(stage)).id, signal);
  const field = await textField(stage);
  await desktop.setValue(field.id, '', signal);
  await desktop.focusElement(field.id, signal);
}

export function centre(frame: Rect | null): { x: number; y: number } {
  const { x, y, width, height } = found(frame, 'frame');
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

export const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= NEAR;
export const isSameFrame = (a: Rect, b: Rect): boolean =>
  isNear(a.x, b.x) && isNear(a.y, b.y) && isNear(a.width, b.width) && isNear(a.height, b.height);

export const equals = (seen: unknown, expected: unknown): Seen => ({
  seen,
  agrees: JSON.stringify(seen) === JSON.stringify(expected),
});

export async function documentIs({ witness }: Stage, expected: string): Promise<Seen> {
  return equals(await witness.document(), expected);
}

export function found<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`not_found:${what}`);
  return value;
}
