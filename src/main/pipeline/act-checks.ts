import {
  isSameProcess,
  isSameWindow,
  type DesktopReader,
  type Element,
  type InputGuard,
  type Point,
  type Window,
} from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { Stopped } from './failures.js';
import { assertSameFiles } from './file-identity.js';
import { originAt, originOf, targetChanged } from './compare.js';
import { targetElement, type Plan } from '../approvals/plan.js';
import { windowFactsOf, type Protection } from './mask-rules.js';
import { message } from '../../messages/index.js';

export interface ActCheckDependencies {
  /** The unmasked desktop, to see what is really under the pointer and in focus. */
  real: DesktopReader;
  plan: Plan | null;
  protection: Protection;
  /** True once the approval has ended (grant revoked, agents paused). */
  revoked(): boolean;
  /** Called right before each injected event. */
  noteInjection(): void;
  /** Resolves when the person is not about to press Allow. */
  waitWhilePressing(signal: AbortSignal): Promise<void>;
  /** True while an earlier call holds a button down. */
  dragging(): boolean;
  signal: AbortSignal;
}

/** How far the pointer may be from where it was put, in points: allows for rounding, not for a person moving it. */
const AIM_POINTS = 2;

export type ActChecks = ReturnType<typeof createActChecks>;

/**
 * Checks right before every act of one call: the approval is valid, the call is not stopped, and the window with the focus (keys)
 * or under the pointer (buttons, wheel) is the approved one and not Chaperone's.
 */
export function createActChecks(reader: DesktopReader, deps: ActCheckDependencies) {
  const { real, plan, signal } = deps;
  const { waitUntilUnblocked, trackPressed, assertApprovalValid, assertFiles, checkBeforeInjection } =
    createCallChecks(deps);
  const { assertNotOurs, assertNotOwnDocument, assertAllowed, isMenuOf, assertDrop, assertDraggable } =
    createWindowChecks(deps);
  let aim: Point | null = null;
  let targetChecked = false;

  /** Refuses a target in a document of Chaperone. Once per call is enough, because the target was compared just before. */
  async function assertTarget(): Promise<void> {
    const element = targetElement(plan);
    // Only elements of a document can be in a document of Chaperone, or link to one.
    if (targetChecked || element?.document === undefined) return;
    assertNotOwnDocument(await real.element(element.id, signal));
    targetChecked = true;
  }

  function assertAim(at: Point): void {
    if (aim === null || (Math.abs(at.x - aim.x) <= AIM_POINTS && Math.abs(at.y - aim.y) <= AIM_POINTS)) return;
    throw new WireError('DESKTOP_TARGET_CHANGED', message('error.pointer_moved'), {
      reason: 'pointer',
      approved: aim,
      now: at,
    });
  }

  const forKeys: InputGuard = async () => {
    await waitUntilUnblocked();
    checkBeforeInjection();
    await assertFiles();
    await assertTarget();
    const { window } = await real.frontmost(signal);
    if (window !== null) await assertNoneHiddenInside(reader, window, { assertNotOurs, signal });
    assertAllowed(window);
    assertSameSite(plan, window);
    checkBeforeInjection();
  };

  const forPointer: InputGuard = async () => {
    await waitUntilUnblocked();
    checkBeforeInjection();
    await assertFiles();
    await assertTarget();
    const at = await real.pointer(signal);
    assertAim(at);
    const window = await real.windowAt(at, signal);
    if (isMenuOf(window)) assertNotOurs(window);
    else assertAllowed(window);
    checkBeforeInjection();
  };

  const forButtonUp: InputGuard = async () => {
    checkBeforeInjection();
    const at = await real.pointer(signal);
    if (plan?.drop !== undefined) await assertDrop(at);
    checkBeforeInjection();
  };

  /** For accessibility acts, which inject no event but follow the same rules. */
  async function checkAct(pid: number | null): Promise<void> {
    if (pid !== null && plan?.window != null && plan.window.app.pid !== pid)
      throw new WireError('DESKTOP_TARGET_CHANGED', message('error.other_process'), {
        reason: 'process',
      });
    await waitUntilUnblocked();
    await assertFiles();
    checkBeforeInjection();
  }

  /** Like `checkAct`, for one element: checks its document and window again. */
  async function checkElementAct(id: string): Promise<void> {
    const element = await reader.element(id, signal);
    assertNotOwnDocument(element);
    const own = (await real.windows(signal)).filter(({ app }) => app.pid === element.pid);
    const approved = own.find((window) => window.id === plan?.window?.id) ?? null;
    // Where its window is unknown, no window of the process may be Chaperone's.
    for (const window of approved === null ? own : [approved]) assertNotOurs(window);
    await checkAct(element.pid);
  }

  return {
    assertApprovalValid,
    checkAct,
    checkElementAct,
    forKeys,
    forPointer,
    forButtonUp,
    trackPressed,
    async movePointer(to: Point, move: () => Promise<void>): Promise<void> {
      await waitUntilUnblocked();
      checkBeforeInjection();
      if (deps.dragging()) await assertDraggable(to);
      await move();
      aim = to;
    },
  };
}

/** The page may have been left for another site since the act began: what is typed on would go there. */
function assertSameSite(plan: Plan | null, now: Window | null): void {
  const approved = plan === null ? null : originAt(plan);
  const shows = (now?.documents?.urls ?? [now?.documentUrl ?? null]).map(originOf);
  if (approved === null || shows.includes(approved)) return;
  throw targetChanged([{ part: 'origin', approved, now: shows[0] ?? null }]);
}

/** Where it is not known whether keys go to the window or to one inside it, none inside it may be hidden. */
async function assertNoneHiddenInside(
  reader: DesktopReader,
  { inside }: Window,
  { assertNotOurs, signal }: { assertNotOurs(window: Window): void; signal: AbortSignal },
): Promise<void> {
  if (inside === undefined) return;
  const [focused, shown] = await Promise.all([reader.focusedElement(signal), reader.apps(signal)]);
  if (focused !== null) return;
  for (const one of inside) {
    assertNotOurs(one);
    if (!shown.some(({ pid }) => pid === one.app.pid)) throw protectedError(null);
  }
}

/** Throws once the approval has ended, or the call is stopped. */
export function createApprovalCheck({ signal, revoked }: Pick<ActCheckDependencies, 'revoked' | 'signal'>): () => void {
  return () => {
    signal.throwIfAborted();
    if (revoked()) throw new Stopped('person', message('stopped.permission_taken_back'));
  };
}

/** Checks that do not depend on the window. */
function createCallChecks(deps: ActCheckDependencies) {
  const { signal } = deps;
  const assertApprovalValid = createApprovalCheck(deps);
  const down = new Set<string>();

  /** Waits while the person is about to press Allow, but never while a key or button is down. */
  async function waitUntilUnblocked(): Promise<void> {
    if (down.size === 0 && !deps.dragging()) await deps.waitWhilePressing(signal);
  }

  /** Tracks the keys and buttons that this call holds down. */
  async function trackPressed(name: string, isDown: boolean, act: () => Promise<void>): Promise<void> {
    await act();
    if (isDown) down.add(name);
    else down.delete(name);
  }

  /** Whatever the act does first takes time in which they could be written. */
  const assertFiles = (): Promise<void> => assertSameFiles(deps.plan?.files ?? []);

  function checkBeforeInjection(): void {
    assertApprovalValid();
    deps.noteInjection();
  }

  return { waitUntilUnblocked, trackPressed, assertApprovalValid, assertFiles, checkBeforeInjection };
}

/** Checks of the window, or of a document in it. */
function createWindowChecks({ real, plan, protection, signal }: ActCheckDependencies) {
  function assertNotOurs(window: Window | null): void {
    if (window === null || !protection.isProtected(windowFactsOf(window))) return;
    throw protectedError(protection.hintFor(windowFactsOf(window)));
  }

  /** Throws for an element in a document of Chaperone, or a link to one. */
  function assertNotOwnDocument({ pid, document, leadsTo }: Element): void {
    if (document !== undefined && protection.hidesDocument(pid, document.url)) throw protectedError(null);
    if (leadsTo !== undefined && protection.hidesDocument(pid, leadsTo)) throw protectedError(null);
  }

  function assertAllowed(window: Window | null): void {
    assertNotOurs(window);
    const approved = plan?.window ?? null;
    if (approved === null)
      throw new WireError('DESKTOP_TARGET_CHANGED', message('error.input_in_no_window'), { reason: 'no_window' });
    if (window !== null && isSameWindow(approved, window)) return;
    throw new WireError(
      'DESKTOP_TARGET_CHANGED',
      message('error.input_in_the_way', { window: window?.title ?? 'nothing', approved: approved.title }),
      {
        reason: 'focus',
        approved: approved.title,
        now: window?.title ?? null,
      },
    );
  }

  /** Whether the window is the menu of the approved menu item: menus are windows of their own. */
  function isMenuOf(window: Window | null): boolean {
    if (window === null || window.normal || plan?.window == null || plan.target.kind !== 'element') return false;
    return plan.target.element.role === 'AXMenuItem' && isSameProcess(plan.window.app, window.app);
  }

  /** A drag may end in the window where it began, or where the plan says. */
  async function assertDrop(at: Point): Promise<void> {
    const window = await real.windowAt(at, signal);
    const end = plan?.drop?.window;
    const approved = window === null ? end === null : end != null && isSameWindow(end, window);
    if (approved) assertNotOurs(window);
    else assertAllowed(window);
  }

  /** A drag may cross other windows, which get no events from it, but not end in them. */
  async function assertDraggable(to: Point): Promise<void> {
    const end = plan?.drop?.point;
    if (end === undefined) return assertAllowed(await real.windowAt(to, signal));
    if (end.x === to.x && end.y === to.y) return assertDrop(to);
    assertNotOurs(await real.windowAt(to, signal));
  }

  return { assertNotOurs, assertNotOwnDocument, assertAllowed, isMenuOf, assertDrop, assertDraggable };
}

function protectedError(hint: string | null): WireError {
  return new WireError('DESKTOP_TARGET_CHANGED', message('error.own_window'), {
    reason: 'protected',
    ...(hint === null ? {} : { next: hint }),
  });
}
