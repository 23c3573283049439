import * as z from 'zod';
import { clickAt } from '../../desktop/click.js';
import { verifyEffect } from '../../pipeline/verify/effect.js';
import { planPoint, formatPoint } from '../../pipeline/target/plans.js';
import { movePointerAlong, describeHit, planMove } from '../../desktop/pointer.js';
import type { PlanContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import type { Plan } from '../../approvals/plan.js';
import { delay } from '../../../base/poll.js';
import type { MouseButton, Point } from '../../../native/desktop.js';
import { WireError, subjectWithoutPlace, title, type Title } from '../../protocol/index.js';
import { toPoint } from '../images.js';
import type { ToolDeps } from '../tool.js';
import {
  assertApplication,
  assertNotHeld,
  buttonSchema,
  heldKeyFields,
  heldKeys,
  heldText,
  durationFields,
  durationMs,
  isHeld,
  pointFields,
  pointSchema,
  pressInput,
  reachesWindowManager,
} from './parameters.js';
import { message } from '../../../messages/index.js';

const SMOOTH_MS = 300;
const DEFAULT_HOVER_S = 1;

const clickTitle = (button: MouseButton, count: number, keys: readonly string[]) =>
  title('title.click', { button, count, keys: heldText(keys) });

export function clickTool({ images, holds }: ToolDeps) {
  return defineAction({
    name: 'click',
    title: 'Click at a point',
    step: 'now',
    does: 'click',
    description: 'Clicks at a global point, or in a screenshot given with `space`. click_element is more reliable.',
    effect: 'input',
    needs: ['accessibility'],
    verifiesEffect: true,
    input: z
      .object({
        ...pointFields,
        button: buttonSchema,
        click_count: z.number().int().min(1).max(3).default(1),
        ...heldKeyFields,
        show_animation: z.boolean().optional().describe('only false'),
      })
      .strict(),
    output: z.object({ clicked: z.literal(true), point: pointSchema, element: z.string().nullable() }),
    subject: (input) => ({
      ...subjectWithoutPlace(clickTitle(input.button, input.click_count, heldKeys(input, null))),
      point: formatPoint(input),
    }),
    async plan(ctx, input, signal) {
      const { desktop, caller } = ctx;
      if (input.show_animation === true) throw notAnimated();
      assertNotHeld(holds, ctx, input.button);
      const keys = heldKeys(input, desktop.platform);
      const words = {
        title: clickTitle(input.button, input.click_count, keys),
        alwaysAsk: reachesWindowManager(keys, desktop),
        ...pressInput(input.button),
      };
      const plan = await planPoint(desktop, toPoint(images, input, input.space, caller.agent.id), words, signal);
      return assertApplication(desktop, input.application, plan, signal);
    },
    async act(ctx, input, signal) {
      const point = toPoint(images, input, input.space, ctx.caller.agent.id);
      const how = { button: input.button, count: input.click_count, modifiers: heldKeys(input, ctx.desktop.platform) };
      const effect = await verifyEffect(ctx, () => clickAt(ctx.desktop, point, how, signal), signal);
      return { value: { clicked: true as const, point, element: describeHit(ctx.plan) }, effect };
    },
    text: ({ point, element }) => `Clicked at ${formatPoint(point)}${element === null ? '' : `: ${element}`}.`,
  });
}

const notAnimated = () =>
  new WireError('DESKTOP_UNSUPPORTED', message('error.not_animated'), {
    reason: 'animation',
    next: 'Make the same call without show_animation.',
  });

export function moveTool({ images, holds }: ToolDeps) {
  const act = title('title.move_pointer');
  const planTo = movePlan({ images, holds }, act);
  return defineAction({
    name: 'mouse_move',
    title: 'Move the pointer',
    step: 'now',
    does: 'pointer',
    description: 'Moves the pointer to a global point, smoothly on request. With a button held, that is a drag.',
    effect: 'pointer',
    needs: ['accessibility'],
    input: z.object({ ...pointFields, smooth: z.boolean().optional(), ...durationFields }).strict(),
    output: z.object({ moved: z.literal(true), point: pointSchema }),
    subject: () => subjectWithoutPlace(act),
    async plan(ctx, input, signal) {
      const plan = await planTo(ctx, input, signal);
      return isHeld(holds, ctx.caller.agent.id) ? { ...plan, withHeld: 'move' } : plan;
    },
    async act(ctx, input, signal) {
      const point = toPoint(images, input, input.space, ctx.caller.agent.id);
      const before = await ctx.desktop.pointer(signal);
      const ms = durationMs(input, input.smooth === true || isHeld(holds, ctx.caller.agent.id) ? SMOOTH_MS : 0);
      if (ms > 0) await movePointerAlong(ctx.desktop, [before, point], ms, signal);
      else await ctx.desktop.movePointer(point, signal);
      const after = await ctx.desktop.pointer(signal);
      const there = Math.hypot(after.x - point.x, after.y - point.y) < 2;
      return {
        value: { moved: true as const, point: after },
        effect: { effect: there ? 'confirmed' : 'unverified', before, after },
      };
    },
    text: ({ point }) => `The pointer is at ${formatPoint(point)}.`,
  });
}

export function hoverTool({ images, holds }: ToolDeps) {
  const act = title('title.hover');
  const planTo = movePlan({ images, holds }, act);
  return defineAction({
    name: 'hover',
    title: 'Hover',
    step: 'now',
    does: 'pointer',
    description: 'Keeps the pointer at a global point for some seconds, e.g. to see a tooltip.',
    effect: 'pointer',
    needs: ['accessibility'],
    input: z
      .object({
        ...pointFields,
        duration: z.number().positive().max(10).default(DEFAULT_HOVER_S).describe('seconds'),
      })
      .strict(),
    output: z.object({ hovered: z.literal(true), point: pointSchema, element: z.string().nullable() }),
    subject: () => subjectWithoutPlace(act),
    plan: (ctx, input, signal) => planTo(ctx, input, signal),
    async act(ctx, input, signal) {
      const point = toPoint(images, input, input.space, ctx.caller.agent.id);
      const stay = async () => {
        await movePointerAlong(ctx.desktop, [await ctx.desktop.pointer(signal), point], SMOOTH_MS / 3, signal);
        await delay(input.duration * 1000, signal);
      };
      const effect = await verifyEffect(ctx, stay, signal);
      const at = await ctx.desktop.pointer(signal);
      if (Math.hypot(at.x - point.x, at.y - point.y) > 2)
        throw new WireError(
          'DESKTOP_TARGET_CHANGED',
          message('error.pointer_did_not_stay', { point: formatPoint(at) }),
          {
            reason: 'pointer',
          },
        );
      return { value: { hovered: true as const, point, element: describeHit(ctx.plan) }, effect };
    },
    text: ({ point, element }) => `Hovered at ${formatPoint(point)}${element === null ? '' : `: ${element}`}.`,
  });
}

interface PointerTarget extends Point {
  space?: string | undefined;
  application?: string | undefined;
}

const movePlan =
  ({ images, holds }: Pick<ToolDeps, 'images' | 'holds'>, act: Title) =>
  async ({ desktop, caller }: PlanContext, to: PointerTarget, signal: AbortSignal): Promise<Plan> => {
    const point = toPoint(images, to, to.space, caller.agent.id);
    const plan = await planMove(desktop, point, { title: act }, holds.of(caller.agent.id), signal);
    const { point: _point, ...subject } = { ...plan.subject, target: namedTarget(plan) };
    return assertApplication(desktop, to.application, { ...plan, subject }, signal);
  };

/** The name of the target at the point; null where it has none. */
function namedTarget({ target, subject }: Plan): string | null {
  const element = target.kind === 'point' ? target.element : null;
  return element === null || (element.title === '' && element.description === '') ? null : subject.target;
}
