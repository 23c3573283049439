import type { DesktopReader, Element, InputGuard, Point, Window } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { Stopped } from './failures.js';
import type { Plan } from './plan.js';
import { factsOf } from './ports.js';
import type { Protection } from './ports.js';

export interface Watch {
  /** The unmasked desktop: what is really under the pointer and in focus. */
  real: DesktopReader;
  plan: Plan | null;
  protection: Protection;
  /** The approval ended (grant revoked, agents paused). */
  revoked(): boolean;
  /** Called right before each injected event. */
  noteInjection(): void;
  /** Resolves when nothing has to stand still for the person. */
  waitWhilePressing(signal: AbortSignal): Promise<void>;
  /** A button is held down by an earlier call. */
  dragging(): boolean;
  signal: AbortSignal;
}

/** How far the pointer may be from where it was put, in points: rounding, not a hand. */
const AIM_POINTS = 2;

export type ActChecks = ReturnType<typeof createActChecks>;

/**
 * What is checked right before every act of one call: the approval must still stand, the call must not have been stopped, and
 * what has the focus (keys) or lies under the pointer (buttons, wheel) must be the approved window and never ours.
 */
export function createActChecks(reader: DesktopReader, watch: Watch) {
  const { real, plan, signal } = watch;
  const { paused, pressing, allowed, standing } = createCallChecks(watch);
  const { assertNotOurs, assertElsewhere, assertAllowed, isMenuOf, assertDrop, assertDraggable } =
    createWindowChecks(watch);
  let aim: Point | null = null;
  let looked = false;

  /** Once a call: what it looks like was compared with what was approved just before, and this tells nothing of the look. */
  async function assertTarget(): Promise<void> {
    const target = plan?.target;
    if (looked || target === undefined || !('element' in target)) return;
    // Only what is in a document can be in ours, or link to it.
    if (target.element?.document === undefined) return;
    assertElsewhere(await real.element(target.element.id, signal));
    looked = true;
  }

  function assertAim(at: Point): void {
    if (aim === null || (Math.abs(at.x - aim.x) <= AIM_POINTS && Math.abs(at.y - aim.y) <= AIM_POINTS)) return;
    throw new WireError('DESKTOP_TARGET_CHANGED', 'Input was stopped: the pointer is not where it was put.', {
      reason: 'pointer',
      approved: aim,
      now: at,
    });
  }

  const forKeys: InputGuard = async () => {
    await paused();
    standing();
    await assertTarget();
    assertAllowed((await real.frontmost(signal)).window);
    standing();
  };

  const forPointer: InputGuard = async () => {
    await paused();
    standing();
    await assertTarget();
    const at = await real.pointer(signal);
    assertAim(at);
    const window = await real.windowAt(at, signal);
    if (isMenuOf(window)) assertNotOurs(window);
    else assertAllowed(window);
    standing();
  };

  const forButtonUp: InputGuard = async () => {
    standing();
    const at = await real.pointer(signal);
    if (plan?.drop !== undefined) await assertDrop(at);
    standing();
  };

  /** Accessibility edits and presses carry no event, but answer to the same rules. */
  async function direct(pid: number | null): Promise<void> {
    if (pid !== null && plan?.window != null && plan.window.app.pid !== pid)
      throw new WireError('DESKTOP_TARGET_CHANGED', 'The element belongs to another process than the approved one.', {
        reason: 'process',
      });
    await paused();
    standing();
  }

  /** The same of an element: its document and its window are looked at again, as they are before an event. */
  async function directly(id: string): Promise<void> {
    const element = await reader.element(id, signal);
    assertElsewhere(element);
    const own = (await real.windows(signal)).filter(({ app }) => app.pid === element.pid);
    const approved = own.find((window) => window.id === plan?.window?.id) ?? null;
    // It is not known which of the process's windows it is in, so none of them may be ours.
    for (const window of approved === null ? own : [approved]) assertNotOurs(window);
    await direct(element.pid);
  }

  return {
    allowed,
    direct,
    directly,
    forKeys,
    forPointer,
    forButtonUp,
    pressing,
    async movePointer(to: Point, move: () => Promise<void>): Promise<void> {
      await paused();
      standing();
      if (watch.dragging()) await assertDraggable(to);
      await move();
      aim = to;
    },
  };
}

/** Whether the call may act now, whatever it acts on. */
function createCallChecks(watch: Watch) {
  const { signal } = watch;
  const down = new Set<string>();

  /** Waits while the desktop must stand still, but not while a key or button is down. */
  async function paused(): Promise<void> {
    if (down.size === 0 && !watch.dragging()) await watch.waitWhilePressing(signal);
  }

  /** Counts what this call holds down. */
  async function pressing(name: string, isDown: boolean, act: () => Promise<void>): Promise<void> {
    await act();
    if (isDown) down.add(name);
    else down.delete(name);
  }

  function allowed(): void {
    signal.throwIfAborted();
    if (watch.revoked()) throw new Stopped('person', 'The person took the permission back.');
  }

  function standing(): void {
    allowed();
    watch.noteInjection();
  }

  return { paused, pressing, allowed, standing };
}

/** Whether a window, or a document in it, may be acted on. */
function createWindowChecks({ real, plan, protection, signal }: Watch) {
  function assertNotOurs(window: Window | null): void {
    if (window === null || !protection.isProtected(factsOf(window))) return;
    throw ours(protection.cure(factsOf(window)));
  }

  /** Neither in a document of ours nor a link that opens one. */
  function assertElsewhere({ pid, document, leadsTo }: Element): void {
    if (document !== undefined && protection.hidesDocument(pid, document.url)) throw ours(null);
    if (leadsTo !== undefined && protection.hidesDocument(pid, leadsTo)) throw ours(null);
  }

  function assertAllowed(window: Window | null): void {
    assertNotOurs(window);
    const approved = plan?.window ?? null;
    if (approved === null)
      throw new WireError(
        'DESKTOP_TARGET_CHANGED',
        'Input was stopped: what was approved is in no window, so it could reach another.',
        { reason: 'no_window' },
      );
    if (window !== null && sameWindow(approved, window)) return;
    throw new WireError(
      'DESKTOP_TARGET_CHANGED',
      `Input was stopped: “${window?.title ?? 'nothing'}” is in the way of “${approved.title}”.`,
      {
        reason: 'focus',
        approved: approved.title,
        now: window?.title ?? null,
      },
    );
  }

  /** A menu is a window of its own, which an approved item of it may be clicked in. */
  function isMenuOf(window: Window | null): boolean {
    if (window === null || window.normal || plan?.window == null || plan.target.kind !== 'element') return false;
    return plan.target.element.role === 'AXMenuItem' && sameProcess(plan.window, window);
  }

  /** A drag may let go in the window it began in, or where the person saw that it ends. */
  async function assertDrop(at: Point): Promise<void> {
    const window = await real.windowAt(at, signal);
    const end = plan?.drop?.window;
    const approved = window === null ? end === null : end != null && sameWindow(end, window);
    if (approved) assertNotOurs(window);
    else assertAllowed(window);
  }

  /** On its way a drag may cross other windows, which hear nothing of it, but it may not stay in them. */
  async function assertDraggable(to: Point): Promise<void> {
    const end = plan?.drop?.point;
    if (end === undefined) return assertAllowed(await real.windowAt(to, signal));
    if (end.x === to.x && end.y === to.y) return assertDrop(to);
    assertNotOurs(await real.windowAt(to, signal));
  }

  return { assertNotOurs, assertElsewhere, assertAllowed, isMenuOf, assertDrop, assertDraggable };
}

function ours(cure: string | null): WireError {
  return new WireError('DESKTOP_TARGET_CHANGED', 'Input to Chaperone itself, or to a page that shows it, is refused.', {
    reason: 'protected',
    ...(cure === null ? {} : { next: cure }),
  });
}

function sameWindow(a: Window, b: Window): boolean {
  return a.id === b.id && sameProcess(a, b);
}

function sameProcess({ app: a }: Window, { app: b }: Window): boolean {
  return a.pid === b.pid && a.startTime === b.startTime;
}
