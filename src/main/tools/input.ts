import * as z from 'zod';
import { clickAt } from '../action/context/clicking.js';
import { pressChord } from '../action/context/chords.js';
import { observing } from '../action/context/effect.js';
import { chordOf, leavesWindow, sends } from '../action/context/keynames.js';
import { planFocus, planPoint } from '../action/context/plans.js';
import { typeInto } from '../action/context/typing.js';
import { defineAction } from '../action/define.js';
import { alias, scopeOf, spaceSchema, toPoint } from './common.js';
import type { Tool, ToolDeps } from './common.js';

const button = z.enum(['left', 'middle', 'right']);
const application = z
  .string()
  .max(500)
  .optional()
  .describe('applications/{pid} or an application id; default: the one in front.');
const TIMES = ['', 'Click', 'Double-click', 'Triple-click'];

const clickWords = (name: string, count: number) => {
  const verb = `${name === 'left' ? '' : `${name === 'right' ? 'Right' : 'Middle'}-`}${TIMES[count] ?? 'Click'}`;
  const clean = verb.charAt(0) + verb.slice(1).replace('-Click', '-click');
  return { verb: clean, done: `${clean}ed` };
};

export function inputTools({ images }: ToolDeps): Tool[] {
  const click = defineAction({
    name: 'click',
    title: 'Click at a point',
    description:
      'Clicks at a point on the screen, or in a screenshot given with `space`. click_element is surer where there is an element.',
    effect: 'input',
    needs: ['accessibility'],
    evidence: 'folder',
    input: z
      .object({
        x: z.number(),
        y: z.number(),
        button: button.default('left'),
        click_count: z.number().int().min(1).max(3).default(1),
        space: spaceSchema,
        show_animation: alias(z.boolean()),
      })
      .strict(),
    output: z.object({ clicked: z.literal(true), point: z.object({ x: z.number(), y: z.number() }) }),
    subject: ({ x, y, button: name, click_count: count }) => ({
      ...clickWords(name, count),
      target: `(${x}, ${y})`,
      app: null,
      place: null,
    }),
    plan: ({ desktop, caller }, { x, y, space, button: name, click_count: count }, signal) =>
      planPoint(desktop, toPoint(images, { x, y }, space, caller.agent.id), clickWords(name, count), signal),
    async run(ctx, { x, y, space, button: name, click_count: count }, signal) {
      const point = toPoint(images, { x, y }, space, ctx.caller.agent.id);
      const seen = await observing(
        ctx.desktop,
        ctx.plan?.window ?? null,
        () => clickAt(ctx.desktop, point, { button: name, count }, signal),
        signal,
      );
      ctx.verified(seen.effect, seen.before, seen.after);
      return { clicked: true as const, point };
    },
    text: ({ point }) => `Clicked at (${point.x}, ${point.y}).`,
  });

  const type = defineAction({
    name: 'type_text',
    title: 'Type text',
    description: 'Types text, any language, where the focus is. For a field you know, write_element_value is surer.',
    effect: 'input',
    needs: ['accessibility'],
    evidence: 'folder',
    input: z
      .object({
        text: z.string().min(1).max(100_000),
        application,
        paste: z.boolean().default(false).describe('Through the clipboard, which is restored.'),
      })
      .strict(),
    output: z.object({
      typed: z.literal(true),
      characters: z.number().int(),
      method: z.enum(['accessibility', 'keys', 'paste']),
    }),
    subject: ({ text }) => ({ ...typing(text), target: null, app: null, place: null }),
    async plan({ desktop }, { text, application: parent, paste }, signal) {
      const { route } = await scopeOf(desktop, parent, signal);
      const notes = paste ? ['Goes through the clipboard, which is given back afterwards.'] : [];
      return planFocus(desktop, route, { ...typing(text), text, notes, alwaysAsk: /\p{Cc}/u.test(text) }, signal);
    },
    async run(ctx, { text, paste }, signal) {
      const element = ctx.plan?.target.kind === 'focus' ? ctx.plan.target.element : null;
      const method = await typeInto(ctx, element, { text, clearBefore: false, paste }, signal);
      return { typed: true as const, characters: [...text].length, method };
    },
    text: ({ characters, method }) => `Typed ${characters} characters (${method}).`,
  });

  const press = defineAction({
    name: 'press_key',
    title: 'Press a key',
    description:
      'Presses one key, with modifiers. Keys: a character, or enter, tab, escape, backspace, up, f5 and the like.',
    effect: 'input',
    needs: ['accessibility'],
    evidence: 'folder',
    input: z
      .object({
        key: z.string().min(1).max(40),
        modifiers: z.array(z.string().min(1).max(40)).max(6).default([]).describe('cmd, ctrl, alt, shift, fn'),
        application,
      })
      .strict(),
    output: z.object({ pressed: z.literal(true), keys: z.array(z.string()) }),
    subject: ({ key, modifiers }) => ({ ...pressing([...modifiers, key]), target: null, app: null, place: null }),
    async plan({ desktop }, { key, modifiers, application: parent }, signal) {
      const chord = chordOf([...modifiers, key]);
      const { route } = await scopeOf(desktop, parent, signal);
      return planFocus(
        desktop,
        route,
        {
          ...pressing([...modifiers, key]),
          text: chord.label,
          alwaysAsk: sends(chord) || leavesWindow(chord, desktop.platform),
        },
        signal,
      );
    },
    async run(ctx, { key, modifiers }, signal) {
      const chord = chordOf([...modifiers, key]);
      await pressChord(ctx, chord, 0, signal);
      return { pressed: true as const, keys: [...chord.modifiers, ...chord.keys] };
    },
    text: ({ keys }) => `Pressed ${keys.join('+')}.`,
  });

  return [click, type, press].map((action) => ({ group: 'input', core: true, action }));
}

function typing(text: string) {
  const count = [...text].length;
  const words = `${count} character${count === 1 ? '' : 's'}`;
  return { verb: `Type ${words} into`, done: `Typed ${words} into` };
}

function pressing(keys: string[]) {
  const { label } = chordOf(keys);
  return { verb: `Press ${label} in`, done: `Pressed ${label} in` };
}
