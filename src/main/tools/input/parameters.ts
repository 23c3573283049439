/** Parameters shared by the pointer tools, in both spellings, and their units. */
import * as z from 'zod';
import { parseChord, modifierNames, modifiersOn } from '../../desktop/key-names.js';
import type { PlanContext } from '../../pipeline/context.js';
import type { PlannedInput, Plan } from '../../approvals/plan.js';
import type { DesktopReader, MouseButton, Platform, Point } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import { spaceSchema, toPoint } from '../images.js';
import { alias, invalidRequest } from '../parameters.js';
import { resolveParent } from '../places.js';
import type { ToolDeps } from '../tool.js';
import { message } from '../../../messages/index.js';

const MAX_DURATION_MS = 10_000;
const MAX_DURATION_S = MAX_DURATION_MS / 1000;

export const buttonSchema = z.enum(['left', 'right', 'middle', 'back', 'forward']).default('left');
const names = z.array(z.string().min(1).max(40)).max(6);
export const coordinate = z.number();
export const pointSchema = z.object({ x: coordinate, y: coordinate });

/** What coordinates count from, and the application that the caller expects there. */
export const placeFields = { space: spaceSchema, application: alias(z.string().max(500)) };
export const pointFields = { x: coordinate, y: coordinate, ...placeFields };
export const optionalPointFields = { x: coordinate.optional(), y: coordinate.optional(), ...placeFields };

/** The given point, by default that of the pointer. */
export async function pointOrPointer(
  { x, y, space }: { x?: number | undefined; y?: number | undefined; space?: string | undefined },
  images: ToolDeps['images'],
  { desktop, caller }: PlanContext,
  signal: AbortSignal,
): Promise<Point> {
  if (x !== undefined && y !== undefined) return toPoint(images, { x, y }, space, caller.agent.id);
  if (x === undefined && y === undefined) return desktop.pointer(signal);
  throw invalidRequest(message('error.x_and_y'));
}

/** Throws where the agent holds this button, or any, from an earlier call. */
export function assertNotHeld(holds: ToolDeps['holds'], { caller }: PlanContext, button?: MouseButton): void {
  if (!isHeld(holds, caller.agent.id, button)) return;
  throw new WireError('DESKTOP_INVALID_REQUEST', message('error.button_held'), {
    reason: 'already_held',
    next: 'Release it with left_mouse_up first.',
  });
}

export const isHeld = (holds: ToolDeps['holds'], agentId: string, button?: MouseButton): boolean =>
  holds
    .of(agentId)
    .some(({ input: { buttons } }) => (button === undefined ? buttons.length > 0 : buttons.includes(button)));

/** Modifiers held during the act; `keys` is an alias. */
export const heldKeyFields = { modifiers: names.optional().describe('shift, ctrl, alt, cmd'), keys: alias(names) };
/** `platform`: null for a subject, which is told before the desktop is known. */
export function heldKeys(
  { modifiers, keys }: { modifiers?: string[] | undefined; keys?: string[] | undefined },
  platform: Platform | null,
): string[] {
  const names = modifierNames([...(modifiers ?? []), ...(keys ?? [])]);
  return platform === null ? names : modifiersOn(platform, names);
}

export const durationFields = {
  duration_ms: z.number().min(0).max(MAX_DURATION_MS).optional(),
  duration: alias(z.number().min(0).max(MAX_DURATION_S)),
};
export function durationMs(
  { duration_ms: ms, duration: seconds }: { duration_ms?: number | undefined; duration?: number | undefined },
  fallback: number,
): number {
  return ms ?? (seconds === undefined ? fallback : seconds * 1000);
}

/** Throws where the window at the planned point is not of the application that was named. */
export async function assertApplication(
  desktop: DesktopReader,
  named: string | undefined,
  plan: Plan,
  signal: AbortSignal,
): Promise<Plan> {
  const { app } = await resolveParent(desktop, named, signal);
  if (app === null || plan.window?.app.pid === app.pid) return plan;
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    plan.window === null
      ? message('error.none_of_app_there', { app: app.name })
      : message('error.other_window_there', { app: app.name, title: plan.window.title }),
    { reason: 'other_application', next: 'Bring it to the front with focus_window, or use a point inside its window.' },
  );
}

/** The right button opens a context menu. */
export const pressInput = (button: MouseButton): { does?: PlannedInput } =>
  button === 'right' ? { does: { kind: 'nothing', button: true } } : {};

/** Outside macOS window managers take presses with these modifiers. */
export const reachesWindowManager = (keys: readonly string[], { platform }: DesktopReader): boolean =>
  platform !== 'macos' && keys.some((key) => key === 'alt' || key === 'super');

export const heldText = (keys: readonly string[]) =>
  keys.length === 0 ? '' : message('title_part.held_keys', { chord: parseChord([...keys]).label });
