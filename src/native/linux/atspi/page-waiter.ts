import { delay } from '../../../base/poll.js';
import { type AccessibilityBus, idOf, rootOf } from './bus.js';
import { emptyWhenRefused, urlOf } from './document-context.js';
import { ROLE } from './roles.js';
import { withAncestors, type ObjectSnapshot, type SnapshotNode } from './object-reader.js';
import { has, STATE } from './states.js';

/** Web pages appear in a browser's tree some time after their window, and again after each navigation. */
interface PageWaiter {
  /** The snapshot with its pages, taken again while they are missing; `note` says that they did not appear. */
  waitForPages(
    first: ObjectSnapshot,
    takeSnapshot: () => Promise<ObjectSnapshot>,
    deadline: number,
    signal: AbortSignal,
  ): Promise<{ snapshot: ObjectSnapshot; note: string | null }>;
}

const MAX_WAIT_MS = 4000;
const POLL_MS = 120;
/** A page that stays empty is not waited for again during this time. */
const EMPTY_CACHE_MS = 20_000;

export function openPageWaiter(bus: AccessibilityBus): PageWaiter {
  const emptyUntil = new Map<string, number>();

  /** The id of what is not there yet; null where all is there. */
  const findMissing = async (snapshot: ObjectSnapshot, signal: AbortSignal): Promise<string | null> => {
    const { nodes, truncated } = snapshot;
    if (truncated.depth || truncated.nodes || truncated.time) return null;
    const pages = nodes.filter((node) => isPage(node) && !isSpare(snapshot, node));
    const root = nodes[0]?.item.ref;
    if (pages.length === 0) return root === undefined ? null : idOf(root);
    for (const { item } of pages) {
      if (
        (item.childCount === 0 || has(item.states, STATE.busy)) &&
        (await urlOf(bus, item.ref, signal)) !== 'about:blank'
      )
        return idOf(item.ref);
    }
    return null;
  };

  return {
    waitForPages: async (first, takeSnapshot, deadline, signal) => {
      const end = Math.min(Date.now() + MAX_WAIT_MS, Date.now() + (deadline - Date.now()) / 2);
      let snapshot = first;
      let missing = await findMissing(snapshot, signal);
      const [root] = first.nodes;
      if (missing !== null && root !== undefined) await requestPageAccessibility(bus, root.item.ref.bus, signal);
      while (missing !== null && Date.now() < end && Date.now() > (emptyUntil.get(missing) ?? 0)) {
        await delay(POLL_MS, signal);
        snapshot = await takeSnapshot();
        missing = await findMissing(snapshot, signal);
      }
      if (missing === null) return { snapshot, note: null };
      for (const [id, until] of emptyUntil) if (until < Date.now()) emptyUntil.delete(id);
      emptyUntil.set(missing, Date.now() + EMPTY_CACHE_MS);
      return { snapshot, note: noteFor(snapshot) };
    },
  };
}

const isPage = ({ item }: SnapshotNode): boolean => item.role === ROLE.documentWeb && has(item.states, STATE.showing);

/** Chromium keeps windows without a title ready for its own menus and hints; their documents stay empty until one is used. */
function isSpare(snapshot: ObjectSnapshot, page: SnapshotNode): boolean {
  const window = withAncestors(snapshot, page).find(({ item }) => item.role === ROLE.frame);
  return page.item.childCount === 0 && window?.item.name === '';
}

/** Chromium makes its pages accessible once a client requests relations. */
export async function requestPageAccessibility(
  bus: AccessibilityBus,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  await bus.call(rootOf(name), 'Accessible.GetRelationSet', { signal }).catch(emptyWhenRefused);
}

function noteFor({ nodes }: ObjectSnapshot): string | null {
  if (nodes.some(({ item }) => item.role === ROLE.documentWeb)) return null;
  return `Only ${nodes.length} elements and no page are open to accessibility here. If it shows a page, quit the application and open it again with open_application.`;
}
