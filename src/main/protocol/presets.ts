/** What each preset does with each class of effect: the host goes by it, and the page shows it before it is chosen. */
import type { Effect } from './effects.js';

export const RULES = ['deny', 'ask', 'ask_once_per_session', 'allow'] as const;
export type Rule = (typeof RULES)[number];
export const PRESETS = ['standard', 'strict', 'readonly', 'unattended'] as const;
export type Preset = (typeof PRESETS)[number];

type Rules = Readonly<Record<Effect, Rule>>;

const STANDARD: Rules = {
  read: 'allow',
  bookkeeping: 'allow',
  disclose: 'ask_once_per_session',
  pointer: 'ask',
  input: 'ask',
  dangerous: 'ask',
};

export const PRESET_RULES: Readonly<Record<Preset, Rules>> = {
  standard: STANDARD,
  strict: { ...STANDARD, disclose: 'ask' },
  readonly: { ...STANDARD, pointer: 'deny', input: 'deny', dangerous: 'deny' },
  unattended: {
    read: 'allow',
    bookkeeping: 'allow',
    disclose: 'allow',
    pointer: 'allow',
    input: 'allow',
    dangerous: 'allow',
  },
};

/** Whether an Allow may last beyond one action. */
export function offersGrants(preset: Preset): boolean {
  return preset !== 'strict';
}
