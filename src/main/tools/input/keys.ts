import * as z from 'zod';
import { typable } from '../../protocol/input-errors.js';
import {
  holdChord,
  pressChord,
  chordFrom,
  parseChord,
  modifierNames,
  modifiersOn,
  pressableOn,
  type Chord,
} from '../../desktop/key-names.js';
import { chordsAsk, pressAsks, shortcutsAsk, typedAsk, assertStaysInField, typeInto } from '../../desktop/type-text.js';
import { nameOf, planFocus } from '../../pipeline/target/plans.js';
import { quote } from '../../../base/text.js';
import { defineAction } from '../../pipeline/define.js';
import type { Plan } from '../../approvals/plan.js';
import type { DesktopReader } from '../../../native/desktop.js';
import { subjectWithoutPlace, title } from '../../protocol/index.js';
import { alias, invalidRequest, unpublished } from '../parameters.js';
import { resolvePlace, windowName } from '../places.js';
import type { ToolDeps } from '../tool.js';
import { message, type Message } from '../../../messages/index.js';

const application = z.string().max(500).optional().describe('applications/{pid} or application id; default: in front');
const key = z.string().min(1).max(60);
const modifiers = z.array(z.string().min(1).max(40)).max(6).default([]);
const MAX_HOLD_S = 30;
const MAX_TYPING_S = 300;

/** Where the keys went, so that an agent notices an unexpected front window. */
const keyTargetFields = { window: unpublished(z.string().nullable()), into: unpublished(z.string().nullable()) };
function keyTarget(plan: Plan | null): { window: string | null; into: string | null } {
  const window = plan?.window ?? null;
  if (window === null) return { window: null, into: null };
  const element = plan?.target.kind === 'focus' ? plan.target.element : null;
  const place = `${quote(window.title)} (${window.app.name})`;
  return { window: windowName(window), into: element === null ? place : `${quote(nameOf(element))} in ${place}` };
}
const intoText = (place: string | null): string => (place === null ? '' : `, into ${place}`);

const typeInput = z
  .object({
    text: z.string().min(1).max(100_000).superRefine(typable),
    modifiers: modifiers.describe('held: each character is then a shortcut'),
    char_delay: z.number().min(0).max(2).default(0).describe('seconds; keys are sent then'),
    application,
    paste: z.boolean().default(false).describe('through the clipboard, which is restored'),
    use_ime: alias(z.boolean()),
  })
  .strict();
type TypeInput = z.infer<typeof typeInput>;

export function typeTool() {
  return defineAction({
    name: 'type_text',
    title: 'Type text',
    step: 'lasting',
    intoFocus: true,
    does: 'type',
    description:
      'Types text, any language, where the focus is. For a known field, write_element_value is more reliable.',
    effect: 'input',
    needs: ['accessibility'],
    verifiesEffect: true,
    input: typeInput,
    output: z.object({
      typed: z.literal(true),
      characters: z.number().int(),
      method: z.enum(['accessibility', 'keys', 'paste']),
      ...keyTargetFields,
    }),
    subject: (input) => ({
      ...subjectWithoutPlace(typingTitle(input.text, modifierNames(input.modifiers))),
      keyboard: true,
    }),
    async plan({ desktop }, input, signal) {
      const { text, paste } = input;
      assertTypable(input);
      const keys = modifiersOn(desktop.platform, modifierNames(input.modifiers));
      const pressed = (one: string) => pressableOn(desktop.platform, chordFrom(one, input.modifiers));
      const chords = keys.length === 0 ? [] : [...new Set(text)].map(pressed);
      const place = await resolvePlace(desktop, input.application, signal);
      const words = {
        title: typingTitle(text, keys),
        keyboard: true as const,
        text: keys.length === 0 ? text : `${parseChord(keys).label}+${text}`,
        notes: paste ? [message('note.through_clipboard')] : [],
        ...(keys.length === 0 ? typedAsk(text) : shortcutsAsk(text, chords, desktop.platform)),
        does:
          keys.length === 0 ? textInput(text) : { kind: 'keys' as const, keys: [...new Set(text)], modifiers: keys },
      };
      const plan = await planFocus(desktop, place, words, signal);
      assertStaysInField(plan, { text, paste, modifiers: keys, delayMs: input.char_delay });
      return plan;
    },
    async act(ctx, input, signal) {
      const element = ctx.plan?.target.kind === 'focus' ? ctx.plan.target.element : null;
      const { text, paste } = input;
      const keys = modifiersOn(ctx.desktop.platform, modifierNames(input.modifiers));
      const how = { delayMs: input.char_delay * 1000, modifiers: keys };
      const { method, effect } = await typeInto(ctx, element, { text, clearBefore: false, paste, ...how }, signal);
      return { value: { typed: true as const, characters: [...text].length, method, ...keyTarget(ctx.plan) }, effect };
    },
    text: ({ characters, method, into: place }) => `Typed ${characters} characters (${method})${intoText(place)}.`,
  });
}

function assertTypable({ text, paste, modifiers: keys, char_delay: delay }: TypeInput): void {
  if (paste && (keys.length > 0 || delay > 0)) throw invalidRequest(message('error.paste_alone'));
  if ([...text].length * delay > MAX_TYPING_S)
    throw invalidRequest(message('error.typing_too_long', { seconds: MAX_TYPING_S }));
}

export function pressTool() {
  const input = z
    .object({
      key,
      modifiers: modifiers.describe('cmd, ctrl, alt, shift, super'),
      application,
    })
    .strict();
  return defineAction({
    name: 'press_key',
    title: 'Press a key',
    step: 'lasting',
    intoFocus: true,
    does: 'keys',
    description:
      'Presses a key with modifiers: a character, enter, tab, escape, pageup, f5, kp1, volumeup and the like.',
    effect: 'input',
    needs: ['accessibility'],
    verifiesEffect: true,
    input,
    output: z.object({ pressed: z.literal(true), keys: z.array(z.string()), ...keyTargetFields }),
    subject: (given) => ({ ...subjectWithoutPlace(chordTitle('title.press_keys', given)), keyboard: true }),
    plan: ({ desktop }, given, signal) => planChord(desktop, given, {}, signal),
    async act(ctx, given, signal) {
      const chord = pressableOn(ctx.desktop.platform, chordOfInput(given));
      const effect = await pressChord(ctx, chord, 0, signal);
      const value = { pressed: true as const, keys: [...chord.modifiers, ...chord.keys], ...keyTarget(ctx.plan) };
      return { value, effect };
    },
    text: ({ keys, into: place }) => `Pressed ${keys.join('+')}${intoText(place)}.`,
  });
}

export function holdTool({ holds }: ToolDeps) {
  const input = z
    .object({
      key,
      modifiers,
      duration: z.number().positive().max(MAX_HOLD_S).optional().describe('seconds'),
      duration_ms: alias(z.number().positive().max(30_000)),
      application,
    })
    .strict();
  const seconds = (given: z.infer<typeof input>): number => {
    const asked = given.duration ?? (given.duration_ms === undefined ? undefined : given.duration_ms / 1000);
    if (asked === undefined) throw invalidRequest(message('error.no_duration', { max: MAX_HOLD_S }));
    return asked;
  };
  return defineAction({
    name: 'hold_key',
    title: 'Hold a key',
    step: 'lasting',
    intoFocus: true,
    does: 'keys',
    description: 'Holds a key, with modifiers, for some seconds, then releases it.',
    effect: 'input',
    needs: ['accessibility'],
    input,
    output: z.object({ keys: z.array(z.string()), seconds: z.number(), ...keyTargetFields }),
    subject: (given) => ({ ...subjectWithoutPlace(chordTitle('title.hold_keys', given)), keyboard: true }),
    plan: ({ desktop }, given, signal) =>
      planChord(desktop, given, { notes: [message('note.held_for', { seconds: seconds(given) })] }, signal),
    async act(ctx, given, signal) {
      const chord = pressableOn(ctx.desktop.platform, chordOfInput(given));
      const { heldMs, effect } = await holdChord(ctx, chord, seconds(given) * 1000, holds, signal);
      const keys = [...chord.modifiers, ...chord.keys];
      return { value: { keys, seconds: Math.round(heldMs / 10) / 100, ...keyTarget(ctx.plan) }, effect };
    },
    text: ({ keys, seconds: time, into: place }) => `Held ${keys.join('+')} for ${time} s${intoText(place)}.`,
  });
}

const textInput = (text: string) => ({ kind: 'text' as const, text });
const chordOfInput = (given: { key: string; modifiers: string[] }): Chord => chordFrom(given.key, given.modifiers);

/** `notes`: of a key that is held, which repeats: then Enter is no single line break. */
async function planChord(
  desktop: DesktopReader,
  given: { key: string; modifiers: string[]; application?: string | undefined },
  { notes }: { notes?: Message[] },
  signal: AbortSignal,
) {
  const chord = pressableOn(desktop.platform, chordOfInput(given));
  const place = await resolvePlace(desktop, given.application, signal);
  const does = { kind: 'keys' as const, keys: chord.keys, modifiers: chord.modifiers };
  const act = notes === undefined ? 'title.press_keys' : 'title.hold_keys';
  const words = { title: title(act, { chord: chord.label }), keyboard: true as const, text: chord.label, does };
  const asks = notes === undefined ? pressAsks(chord, desktop.platform) : chordsAsk([chord], desktop.platform);
  return planFocus(desktop, place, { ...words, notes: notes ?? [], ...asks }, signal);
}

function typingTitle(text: string, keys: readonly string[]) {
  const chord = keys.length === 0 ? '' : parseChord(keys).label;
  return title('title.type', { count: [...text].length, held: keys.length === 0 ? 'other' : 'yes', chord });
}

type ChordTitle = 'title.press_keys' | 'title.hold_keys';
const chordTitle = (code: ChordTitle, given: { key: string; modifiers: string[] }) =>
  title(code, { chord: chordOfInput(given).label });
