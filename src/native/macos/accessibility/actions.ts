/** Acts on elements, each read back: success of a call says only that the application received it. */
import { DesktopError } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { message, type Message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import { ATTRIBUTE } from './names.js';
import { elementOf, truthOf } from './plain.js';

const CHANGE_TIMEOUT_MS = 1500;
const POLL_MS = 25;

/** Waits until `check` is true; false where it never is. */
export async function becomes(check: () => boolean, signal: AbortSignal): Promise<boolean> {
  return (await poll(() => Promise.resolve(check() || null), CHANGE_TIMEOUT_MS, signal, POLL_MS)) !== null;
}

export function performAction(core: Core, id: string, action: string): void {
  const { ax, elements } = core;
  const ref = elements.refOf(id);
  const actions = ax.actions(ref);
  if (!actions.includes(action)) throw noAction(action, actions);
  requireEnabled(core, ref, message('native.element_disabled'));
  const outcome = ax.perform(ref, action);
  if (outcome === 'unsupported') throw noAction(action, []);
  if (outcome === 'unknown') requireAnswer(core, ref);
}

/** Requests are handled in order: an application that answers a later one has begun with the action. */
function requireAnswer({ ax, scoped }: Core, ref: Ref): void {
  scoped((scope) => ax.attribute(scope, ax.application(scope, ax.pidOf(ref)), ATTRIBUTE.role));
}

export async function focusElement(core: Core, id: string, signal: AbortSignal): Promise<void> {
  const { ax, elements, making } = core;
  const ref = elements.refOf(id);
  if (!ax.settable(ref, ATTRIBUTE.focused)) throw new DesktopError('unsupported', message('native.cannot_focus'));
  ax.set(ref, ATTRIBUTE.focused, making.boolean(true));
  if (await becomes(() => hasFocus(core, ref), signal)) return;
  throw new DesktopError('failed', message('native.focus_not_taken'));
}

/** Asked of the application: elements that ignore the request say that they have the focus, too. */
function hasFocus({ bound, scoped, ax }: Core, ref: Ref): boolean {
  return scoped((scope) => {
    const application = ax.application(scope, ax.pidOf(ref));
    const focused = elementOf(ax.attribute(scope, application, ATTRIBUTE.focusedElement));
    return focused !== null && bound.coreFoundation.CFEqual(focused, ref) !== 0;
  });
}

export function requireEnabled(core: Core, ref: Ref, otherwise: Message): void {
  if (truth(core, ref, ATTRIBUTE.enabled) === false) throw new DesktopError('failed', otherwise);
}

export const truth = ({ scoped, ax }: Core, ref: Ref, name: string): boolean | null =>
  scoped((scope) => truthOf(ax.attribute(scope, ref, name)));

function noAction(action: string, actions: readonly string[]): DesktopError {
  const has = actions.length === 0 ? 'none' : 'other';
  const known = { action, has, actions: [...new Set(actions)].join(', ') } as const;
  return new DesktopError('unsupported', message('native.no_action', known));
}
