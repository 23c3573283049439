/** The rule of each policy preset for each effect class; applied by the host, and shown by the page. */
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

export function offersGrants(preset: Preset): boolean {
  return preset !== 'strict';
}
