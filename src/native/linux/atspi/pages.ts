import { DesktopError } from '../../desktop.js';
import { delay } from '../../../base/poll.js';
import type { AccessibilityBus, Ref } from './bus.js';
import { idOf } from './bus.js';
import { ROLE } from './roles.js';
import type { Snapshot } from './snapshot.js';
import { has, STATE } from './states.js';

/** Web pages come into a browser's tree some time after their window, and anew with each navigation. */
export interface Pages {
  /** The snapshot with its pages in it, taken again where they are still on their way; `note` says that they did not come. */
  awaited(
    first: Snapshot,
    take: () => Promise<Snapshot>,
    deadline: number,
    signal: AbortSignal,
  ): Promise<{ snapshot: Snapshot; note: string | null }>;
}

const PATIENCE = 4000;
const STEP = 120;
/** A page that stays empty is not waited for at every look. */
const KNOWN_FOR = 20_000;

export function openPages(bus: AccessibilityBus): Pages {
  const known = new Map<string, number>();

  const isBlank = async (ref: Ref, signal: AbortSignal): Promise<boolean> => {
    const [attributes] = await bus.call(ref, 'Document.GetAttributes', { signal }).catch(orNothing);
    const url =
      typeof attributes === 'object' && attributes !== null ? new Map(Object.entries(attributes)).get('URI') : '';
    return url === 'about:blank';
  };

  /** What is waited for; null: nothing. */
  const missing = async ({ nodes, truncated }: Snapshot, signal: AbortSignal): Promise<string | null> => {
    if (truncated.depth || truncated.nodes || truncated.time) return null;
    const parents = new Set(nodes.map((node) => node.parent));
    const pages = nodes
      .map((node, index) => ({ ...node, empty: !parents.has(index) }))
      .filter(({ item }) => item.role === ROLE.documentWeb && has(item.states, STATE.showing));
    const root = nodes[0]?.item.ref;
    if (pages.length === 0) return root === undefined ? null : idOf(root);
    for (const { item, empty } of pages) {
      if ((empty || has(item.states, STATE.busy)) && !(await isBlank(item.ref, signal))) return idOf(item.ref);
    }
    return null;
  };

  return {
    awaited: async (first, take, deadline, signal) => {
      const end = Math.min(Date.now() + PATIENCE, Date.now() + (deadline - Date.now()) / 2);
      let snapshot = first;
      let waitsFor = await missing(snapshot, signal);
      const [root] = first.nodes;
      if (waitsFor !== null && root !== undefined) await wakePages(bus, root.item.ref.bus, signal);
      while (waitsFor !== null && Date.now() < end && Date.now() > (known.get(waitsFor) ?? 0)) {
        await delay(STEP, signal);
        snapshot = await take();
        waitsFor = await missing(snapshot, signal);
      }
      if (waitsFor === null) return { snapshot, note: null };
      for (const [id, until] of known) if (until < Date.now()) known.delete(id);
      known.set(waitsFor, Date.now() + KNOWN_FOR);
      return { snapshot, note: noteFor(snapshot) };
    },
  };
}

/** Chromium opens its pages to those who ask for relations: nobody else needs the work that this costs it. */
export async function wakePages(bus: AccessibilityBus, name: string, signal: AbortSignal): Promise<void> {
  await bus
    .call({ bus: name, path: '/org/a11y/atspi/accessible/root' }, 'Accessible.GetRelationSet', { signal })
    .catch(orNothing);
}

function noteFor({ nodes }: Snapshot): string | null {
  if (nodes.some(({ item }) => item.role === ROLE.documentWeb)) return null;
  return `Only ${nodes.length} elements and no page are open to accessibility here. If it shows a page, quit the application and open it again with open_application.`;
}

function orNothing(error: unknown): unknown[] {
  if (error instanceof DesktopError && error.code !== 'lost') return [];
  throw error;
}
