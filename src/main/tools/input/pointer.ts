import * as z from 'zod';
import { clickAt } from '../../desktop/click.js';
import { verifyEffect } from '../../pipeline/verify/effect.js';
import { planPoint, formatPoint } from '../../pipeline/target/plans.js';
import { movePointerAlong, describeHit, planMove } from '../../desktop/pointer.js';
import type { PlanContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import type { Plan } from '../../pipeline/plan.js';
import { delay } from '../../../base/poll.js';
import type { MouseButton, Point } from '../../../native/desktop.js';
import { WireError, inNoPlace, title } from '../../protocol/index.js';
import { spaceSchema, toPoint } from '../common.js';
import type { ToolDeps } from '../common.js';
import type { Title } from '../../protocol/index.js';
import {
  applicationAlias,
  assertApplication,
  buttonSchema,
  coordinate,
  heldKeyFields,
  heldKeys,
  heldText,
  durationFields,
  durationMs,
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
    description: 'Clicks at a global point, or in a screenshot given with `space`. click_element is surer.',
    effect: 'input',
    needs: ['accessibility'],
    input: z
      .object({
        x: coordinate,
        y: coordinate,
        button: buttonSchema,
        click_count: z.number().int().min(1).max(3).default(1),
        ...heldKeyFields,
        space: spaceSchema,
        show_animation: z.boolean().optional().describe('only false: clicks are not animated'),
        application: applicationAlias,
      })
      .strict(),
    output: z.object({ clicked: z.literal(true), point: pointSchema, element: z.string().nullable() }),
    subject: (input) => ({
      ...inNoPlace(clickTitle(input.button, input.click_count, heldKeys(input))),
      point: formatPoint(input),
    }),
    async plan({ desktop, caller }, input, signal) {
      if (input.show_animation === true) throw notAnimated();
      if (holds.of(caller.agent.id).some(({ input: down }) => down.buttons.includes(input.button)))
        throw stillHeldError();
      const keys = heldKeys(input);
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
      const how = { button: input.button, count: input.click_count, modifiers: heldKeys(input) };
      const effect = await verifyEffect(ctx, () => clickAt(ctx.desktop, point, how, signal), signal);
      return { value: { clicked: true as const, point, element: describeHit(ctx.plan) }, effect };
    },
    text: ({ point, element }) => `Clicked at ${formatPoint(point)}${element === null ? '' : `: ${element}`}.`,
  });
}

const notAnimated = () =>
  new WireError('DESKTOP_UNSUPPORTED', 'Clicks are not animated here; nothing was done.', {
    reason: 'animation',
    next: 'Make the same call without show_animation.',
  });

export function moveTool({ images, holds }: ToolDeps) {
  const act = title('title.move_pointer');
  const goTo = movePlan({ images, holds }, act);
  return defineAction({
    name: 'mouse_move',
    title: 'Move the pointer',
    description: 'Moves the pointer to a global point, smoothly on request. With a button held, that is a drag.',
    effect: 'pointer',
    needs: ['accessibility'],
    input: z
      .object({
        x: coordinate,
        y: coordinate,
        smooth: z.boolean().optional(),
        ...durationFields,
        space: spaceSchema,
        application: applicationAlias,
      })
      .strict(),
    output: z.object({ moved: z.literal(true), point: pointSchema }),
    subject: () => inNoPlace(act),
    async plan(ctx, input, signal) {
      const plan = await goTo(ctx, input, signal);
      return isDragging(ctx, holds) ? { ...plan, withHeld: 'move' } : plan;
    },
    async act(ctx, input, signal) {
      const point = toPoint(images, input, input.space, ctx.caller.agent.id);
      const before = await ctx.desktop.pointer(signal);
      const ms = durationMs(input, input.smooth === true || isDragging(ctx, holds) ? SMOOTH_MS : 0);
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
  const goTo = movePlan({ images, holds }, act);
  return defineAction({
    name: 'hover',
    title: 'Hover',
    description: 'Keeps the pointer at a global point for some seconds, e.g. to see a tooltip.',
    effect: 'pointer',
    needs: ['accessibility'],
    input: z
      .object({
        x: coordinate,
        y: coordinate,
        duration: z.number().positive().max(10).default(DEFAULT_HOVER_S).describe('seconds'),
        space: spaceSchema,
        application: applicationAlias,
      })
      .strict(),
    output: z.object({ hovered: z.literal(true), point: pointSchema, element: z.string().nullable() }),
    subject: () => inNoPlace(act),
    plan: (ctx, input, signal) => goTo(ctx, input, signal),
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
  async ({ desktop, caller }: PlanContext, spot: PointerTarget, signal: AbortSignal): Promise<Plan> => {
    const point = toPoint(images, spot, spot.space, caller.agent.id);
    const plan = await planMove(desktop, point, { title: act }, holds.of(caller.agent.id), signal);
    const { point: _point, ...subject } = { ...plan.subject, target: namedTarget(plan) };
    return assertApplication(desktop, spot.application, { ...plan, subject }, signal);
  };

/** The name of the target at the point; null where it has none. */
function namedTarget({ target, subject }: Plan): string | null {
  const element = target.kind === 'point' ? target.element : null;
  return element === null || (element.title === '' && element.description === '') ? null : subject.target;
}

const isDragging = ({ caller }: PlanContext, holds: ToolDeps['holds']): boolean =>
  holds.of(caller.agent.id).some(({ input }) => input.buttons.length > 0);

export const stillHeldError = () =>
  new WireError('DESKTOP_INVALID_REQUEST', message('error.button_held'), {
    reason: 'already_held',
    next: 'Let it go with left_mouse_up first.',
  });
