import * as z from 'zod';
import { planPoint, formatPoint } from '../../pipeline/target/plans.js';
import { movePointerAlong, describeHit, planMove } from '../../desktop/pointer.js';
import { verifyEffect } from '../../pipeline/verify/effect.js';
import { defineAction } from '../../pipeline/define.js';
import type { HeldInputHandle } from '../../pipeline/holds.js';
import { planWithoutTarget, type Plan } from '../../approvals/plan.js';
import type { MouseButton, Platform } from '../../../native/desktop.js';
import { WireError, subjectWithoutPlace, title } from '../../protocol/index.js';
import { alias } from '../parameters.js';
import type { ToolDeps } from '../tool.js';
import {
  assertApplication,
  assertNotHeld,
  buttonSchema,
  heldKeyFields,
  heldKeys,
  heldText,
  optionalPointFields,
  pointOrPointer,
  pointSchema,
  pressInput,
  reachesWindowManager,
} from './parameters.js';
import { message } from '../../../messages/index.js';

const MOVE_MS = 200;

const RELEASE = title('title.release_button');
const names = z.array(z.string().max(40)).max(6);
const downInput = z.object({ ...optionalPointFields, button: buttonSchema, ...heldKeyFields }).strict();
type DownInput = z.infer<typeof downInput>;
/** Modifiers are released with the button, even if they are not named again. */
const upInput = downInput.omit({ modifiers: true, keys: true }).extend({ modifiers: alias(names), keys: alias(names) });

export function downTool({ images, holds }: ToolDeps) {
  const holdTitle = (input: DownInput, platform: Platform | null) =>
    title('title.hold_button', { button: input.button, keys: heldText(heldKeys(input, platform)) });
  return defineAction({
    name: 'left_mouse_down',
    title: 'Press and hold a button',
    does: 'click',
    description: 'Presses a button and keeps it down over later calls, 30 s at most; left_mouse_up releases it.',
    effect: 'input',
    needs: ['accessibility'],
    input: downInput,
    output: z.object({ held: z.string(), point: pointSchema, element: z.string().nullable() }),
    subject: (input) => subjectWithoutPlace(holdTitle(input, null)),
    async plan(ctx, input, signal) {
      const { desktop } = ctx;
      assertNotHeld(holds, ctx);
      const at = await pointOrPointer(input, images, ctx, signal);
      const covers = [message('note.button_stays_down')];
      const notes = [message('note.others_wait')];
      const alwaysAsk = reachesWindowManager(heldKeys(input, desktop.platform), desktop);
      const plan = await planPoint(
        desktop,
        at,
        { title: holdTitle(input, desktop.platform), notes, covers, alwaysAsk, ...pressInput(input.button) },
        signal,
      );
      return assertApplication(desktop, input.application, plan, signal);
    },
    async act(ctx, input, signal) {
      const { desktop } = ctx;
      const at = await pointOrPointer(input, images, ctx, signal);
      const keys = heldKeys(input, ctx.desktop.platform);
      const place = { at, window: ctx.plan?.window ?? null };
      const press = async () => {
        await desktop.movePointer(at, signal);
        for (const key of keys) await desktop.key(key, true, signal);
        await desktop.button(input.button, true, signal);
        holds.hold(ctx, { keys, buttons: [input.button] }, place);
      };
      const effect = await verifyEffect(ctx, press, signal);
      const held = [`${input.button} button`, ...keys].join(', ');
      return { value: { held, point: at, element: describeHit(ctx.plan) }, effect };
    },
    text: ({ held: what, point }) =>
      `Held down at ${formatPoint(point)}: ${what}. Release it with left_mouse_up within 30 s.`,
  });
}

export function upTool({ images, holds }: ToolDeps) {
  const held = (agentId: string, button: MouseButton): HeldInputHandle => {
    const found = holds.of(agentId).find(({ input }) => input.buttons.includes(button));
    if (found !== undefined) return found;
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.button_not_held', { button }), {
      reason: 'not_held',
      next: 'Look at the screen; press it again with left_mouse_down.',
    });
  };
  return defineAction({
    name: 'left_mouse_up',
    release: true,
    title: 'Let a held button go',
    does: 'click',
    description: 'Releases what left_mouse_down holds, at a point or where the pointer is.',
    effect: 'input',
    needs: ['accessibility'],
    input: upInput,
    output: z.object({ released: z.string(), point: pointSchema, dropped: z.boolean() }),
    subject: () => subjectWithoutPlace(RELEASE),
    async plan(ctx, input, signal) {
      const { desktop, caller } = ctx;
      const hold = held(caller.agent.id, input.button);
      const cancelled = cancelPlan(hold);
      try {
        const at = await pointOrPointer(input, images, ctx, signal);
        const moved = await planMove(desktop, at, { title: RELEASE }, [hold], signal);
        const plan = { ...moved, withHeld: 'release' as const };
        await assertApplication(desktop, input.application, plan, signal);
        return holds.coveringDecision(caller.agent.id, plan) === null ? cancelled : plan;
      } catch {
        signal.throwIfAborted();
        return cancelled;
      }
    },
    async act(ctx, input, signal) {
      const { desktop } = ctx;
      const hold = held(ctx.caller.agent.id, input.button);
      const released = [`${input.button} button`, ...hold.input.keys].join(', ');
      if (ctx.plan?.withHeld !== 'release') {
        const effect = await verifyEffect(ctx, () => hold.end(), signal);
        return { value: { released, point: await desktop.pointer(signal), dropped: false }, effect };
      }
      const now = await desktop.pointer(signal);
      const at = await pointOrPointer(input, images, ctx, signal);
      const release = async () => {
        if (Math.hypot(at.x - now.x, at.y - now.y) >= 1) await movePointerAlong(desktop, [now, at], MOVE_MS, signal);
        await desktop.button(input.button, false, signal);
        await hold.end();
      };
      const effect = await verifyEffect(ctx, release, signal);
      return { value: { released, point: at, dropped: true }, effect };
    },
    text: ({ released, point, dropped }) =>
      dropped
        ? `Released at ${formatPoint(point)}: ${released}.`
        : `Released after Escape, so that nothing was dropped or clicked: ${released}. The pointer was not in the window that was pressed; use drag to drop elsewhere.`,
  });
}

/** Only releases held input, which needs no approval. */
const cancelPlan = ({ window }: HeldInputHandle): Plan => ({
  ...planWithoutTarget({
    ...subjectWithoutPlace(RELEASE),
    app: window?.app.name ?? null,
    place: window?.title ?? null,
  }),
  withHeld: 'cancel',
});
