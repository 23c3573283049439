import { title, subjectWithoutPlace } from '../protocol/index.js';
import * as z from 'zod';
import { typable } from '../protocol/input-errors.js';
import { clickElement, hasPressAction } from '../desktop/click.js';
import { pressChord, parseChord, pressableOn } from '../desktop/key-names.js';
import { chordsAsk, typedAsk, assertStaysInField, typeInto } from '../desktop/type-text.js';
import { planElement, planFocus, plannedElement } from '../pipeline/target/plans.js';
import type { PlanContext } from '../pipeline/context.js';
import { findPlace, routeSchema, type DesktopRoute } from '../pipeline/target/scope.js';
import { oneTargetSchema, resolveTarget, targetSchema, type SelectorTarget } from '../pipeline/target/selector.js';
import { defineAction } from '../pipeline/define.js';
import type { AnyAction } from '../pipeline/action.js';
import type { Plan } from '../approvals/plan.js';
import type { Element } from '../../native/desktop.js';
import {
  BEFORE_AND_AFTER,
  confirmSchema,
  evidenceOf,
  evidenceSchema,
  executionIdSchema,
  requestMetaSchema,
  routeLabel,
  findStartedRoute,
  type BridgeDeps,
} from './method.js';
import { message } from '../../messages/index.js';

const head = { meta: requestMetaSchema, confirm: confirmSchema.optional(), route: routeSchema.optional() };
const method = z.enum(['accessibility', 'pointer']);
const MAX_TEXT_LENGTH = 100_000;

export function controlActions({ references, ageOf }: Pick<BridgeDeps, 'references' | 'ageOf'>): AnyAction[] {
  /** Waits for a starting application, except for a target given by reference: it has existed before. */
  async function resolve(
    { desktop, caller }: PlanContext,
    route: DesktopRoute | undefined,
    target: SelectorTarget,
    signal: AbortSignal,
  ) {
    if (target.elementRef === undefined) await findStartedRoute(desktop, ageOf, route, signal);
    return resolveTarget(desktop, references(caller.agent.id), route, target, signal);
  }

  const click = defineAction({
    name: 'desktop.click',
    title: 'Click',
    description: 'Presses one element: its accessibility action where it has one, else a click if the hit test agrees.',
    effect: 'input',
    needs: ['accessibility'],
    verifiesEffect: true,
    input: z.object({ ...head, target: oneTargetSchema }),
    output: z.object({ executionId: executionIdSchema, clicked: z.literal(true), method, evidence: evidenceSchema }),
    subject: ({ route }) => ({ ...subjectWithoutPlace(CLICK), app: routeLabel(route) }),
    async plan(ctx, { route, target }, signal) {
      const { desktop } = ctx;
      const element = await resolve(ctx, route, target, signal);
      const words = { title: CLICK, needsFocus: !hasPressAction(element), mayScroll: true as const };
      return planElement(desktop, element, words, signal);
    },
    async act(ctx, _input, signal) {
      const { method: how, effect } = await clickElement(ctx, plannedElement(ctx.plan), signal);
      const evidence = evidenceOf(ctx, BEFORE_AND_AFTER);
      return { value: { executionId: ctx.executionId, clicked: true as const, method: how, evidence }, effect };
    },
  });

  const typeText = defineAction({
    name: 'desktop.typeText',
    title: 'Type text',
    description: 'Types text into an element, or into whatever has the focus.',
    effect: 'input',
    needs: ['accessibility'],
    verifiesEffect: true,
    input: z.object({
      ...head,
      target: targetSchema.optional(),
      text: z.string().min(1).max(MAX_TEXT_LENGTH).superRefine(typable),
      options: z.object({ clearBefore: z.boolean().default(false), paste: z.boolean().default(false) }).optional(),
    }),
    output: z.object({
      executionId: executionIdSchema,
      typed: z.literal(true),
      method: z.enum(['accessibility', 'keys', 'paste']),
      evidence: evidenceSchema,
    }),
    subject: ({ route, text }) => ({ ...typingWords(text), target: null, app: routeLabel(route), place: null }),
    async plan(ctx, { route, target, text, options }, signal) {
      const { desktop } = ctx;
      const notes = [
        ...(options?.paste === true ? [message('note.through_clipboard')] : []),
        ...(options?.clearBefore === true ? [message('note.replaces')] : []),
      ];
      const does = { kind: 'text' as const, text };
      const words = { ...typingWords(text), text, notes, ...typedAsk(text), does };
      const typing = { text, paste: options?.paste ?? false };
      if (target === undefined) {
        const plan = await planFocus(desktop, await findPlace(desktop, route, signal), words, signal);
        assertStaysInField(plan, typing);
        return plan;
      }
      const element = await resolve(ctx, route, target, signal);
      const needsFocus = !element.states.editable || typing.paste;
      const plan = await planElement(desktop, element, { ...words, needsFocus, mayScroll: true }, signal);
      assertStaysInField(plan, typing);
      return plan;
    },
    async act(ctx, { text, options }, signal) {
      const typing = { text, clearBefore: options?.clearBefore ?? false, paste: options?.paste ?? false };
      const { method: how, effect } = await typeInto(ctx, typingTarget(ctx.plan), typing, signal);
      const evidence = evidenceOf(ctx, BEFORE_AND_AFTER);
      return { value: { executionId: ctx.executionId, typed: true as const, method: how, evidence }, effect };
    },
  });

  const hotkey = defineAction({
    name: 'desktop.hotkey',
    title: 'Press keys',
    description: 'Presses a key combination in the window in front, or the routed one.',
    effect: 'input',
    needs: ['accessibility'],
    verifiesEffect: true,
    input: z.object({
      ...head,
      keys: z.array(z.string().min(1).max(40)).min(1).max(8),
      options: z.object({ delayMs: z.number().int().min(0).max(5000).default(50) }).optional(),
    }),
    output: z.object({
      executionId: executionIdSchema,
      sent: z.literal(true),
      keys: z.array(z.string()),
      evidence: evidenceSchema,
    }),
    subject: ({ route, keys }) => ({
      ...pressing(parseChord(keys).label),
      target: null,
      app: routeLabel(route),
      place: null,
    }),
    async plan({ desktop }, { route, keys }, signal) {
      const chord = pressableOn(desktop.platform, parseChord(keys));
      const words = {
        ...pressing(chord.label),
        text: chord.label,
        ...chordsAsk([chord], desktop.platform),
        does: { kind: 'keys' as const, keys: chord.keys, modifiers: chord.modifiers },
      };
      return planFocus(desktop, await findPlace(desktop, route, signal), words, signal);
    },
    async act(ctx, { keys, options }, signal) {
      const chord = pressableOn(ctx.desktop.platform, parseChord(keys));
      const effect = await pressChord(ctx, chord, options?.delayMs ?? 50, signal);
      const sent = { sent: true as const, keys: [...chord.modifiers, ...chord.keys] };
      const evidence = evidenceOf(ctx, BEFORE_AND_AFTER);
      return { value: { executionId: ctx.executionId, ...sent, evidence }, effect };
    },
  });

  return [click, typeText, hotkey];
}

const CLICK = title('title.click', { button: 'left', count: 1, keys: '' });

const typingWords = (text: string) => ({
  title: title('title.type', { count: [...text].length, held: 'other', chord: '' }),
  keyboard: true as const,
});

const pressing = (chord: string) => ({ title: title('title.press_keys', { chord }), keyboard: true as const });

function typingTarget(plan: Plan | null): Element | null {
  if (plan === null) return null;
  return plan.target.kind === 'element' || plan.target.kind === 'focus' ? plan.target.element : null;
}
