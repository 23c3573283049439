/** Chooses an option by keys in a list that takes a choice, or has its options, only while it is open. */
import type { DesktopActor, Element, TreeNode, Window } from '../../native/desktop.js';
import { poll } from '../../base/poll.js';
import { clickFrame, pressKey } from './click.js';

const OPENS_MS = 1_500;
const STEP_MS = 40;
const LIMITS = { maxDepth: 12, maxNodes: 1_000, timeoutMs: 3_000, visibleOnly: true };

/** Goes so many options on from the chosen one, and takes it. Enter would do something else where the list has closed. */
export async function stepToOption(
  desktop: DesktopActor,
  { actions, id }: Element,
  steps: number,
  signal: AbortSignal,
): Promise<void> {
  await desktop.performAction(id, actions.find((one) => one === 'AXOpen' || one === 'AXPress') ?? 'AXPress', signal);
  const open = async () => (await desktop.focusedElement(signal))?.role === 'AXMenuItem' || null;
  if ((await poll(open, OPENS_MS, signal, STEP_MS)) === null) return;
  await pressSteps(desktop, steps, signal);
  if (await open()) await pressKey(desktop, 'enter', signal);
}

async function pressSteps(desktop: DesktopActor, steps: number, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < Math.abs(steps); step += 1) await pressKey(desktop, steps > 0 ? 'down' : 'up', signal);
}

/** What shows on the drop-down of GTK 4 before and after; null where its list does not open, or has no such option. */
export async function chooseWhenOpen(
  desktop: DesktopActor,
  element: Element,
  { value, window }: { value: string; window: Window | null },
  signal: AbortSignal,
): Promise<{ before: string | null; now: string | null } | null> {
  const read = async () =>
    optionsOf((await desktop.tree({ pid: element.pid, elementId: element.id }, LIMITS, signal)).nodes);
  const { shown: before } = await read();
  await clickFrame(desktop, element, signal, window);
  const opened = async () => {
    const now = await read();
    return now.at < 0 ? null : now;
  };
  const list = await poll(opened, OPENS_MS, signal, STEP_MS);
  if (list === null) return null;
  const wanted = list.names.indexOf(value);
  if (wanted >= 0) await pressSteps(desktop, wanted - list.at, signal);
  const there = async () => ((await read()).at === wanted ? true : null);
  const reached = wanted >= 0 && (await poll(there, OPENS_MS, signal, STEP_MS)) === true;
  await pressKey(desktop, reached ? 'enter' : 'escape', signal);
  if (!reached) return null;
  const closed = async () => ((await read()).names.length === 0 ? true : null);
  await poll(closed, OPENS_MS, signal, STEP_MS);
  return { before, now: (await read()).shown };
}

/** The texts of its open list, which of them has the focus, and the text beside the list, which shows the chosen one. */
function optionsOf(nodes: readonly TreeNode[]): { names: string[]; at: number; shown: string | null } {
  const above = ({ parent }: TreeNode): TreeNode[] => {
    const node = nodes[parent];
    return node === undefined ? [] : [node, ...above(node)];
  };
  const texts = nodes.filter(({ element }) => element.role === 'AXStaticText');
  const inList = texts.filter((node) => above(node).some(({ element }) => element.role === 'AXList'));
  const hasFocus = (node: TreeNode) =>
    above(node).some(({ element }) => element.role === 'AXRow' && element.states.focused);
  const shown = texts.find((node) => !inList.includes(node)) ?? null;
  return {
    names: inList.map(nameOfText),
    at: inList.findIndex(hasFocus),
    shown: shown === null ? null : nameOfText(shown),
  };
}

const nameOfText = ({ element: { title, value } }: TreeNode): string => (title === '' ? (value ?? '') : title);
