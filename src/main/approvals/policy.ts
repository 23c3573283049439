/** The policy: what is allowed, asked and refused. Pure: files are read in policy-file.ts. */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import type { App } from '../../native/desktop.js';
import {
  EFFECTS,
  KEEP_ALL,
  offersGrants,
  OWN_DESKTOPS,
  ownDesktopsSchema,
  PRESET_RULES,
  PRESETS,
  retentionSchema,
  RULES,
  type Effect,
  type Preset,
  type Retention,
  type Rule,
  type ShownPolicy,
} from '../protocol/index.js';
import { message, MessageError, type Message, textOf } from '../../messages/index.js';
import { takenBy } from '../protocol/input-errors.js';
import { errno } from '../../base/type-guards.js';
import { Overflowing, readJson } from '../protocol/json.js';
import { Unreadable } from '../protocol/transport.js';
import { writePrivate } from './files.js';

/** All ids of an application count, because the application itself can choose its main id (window class, desktop file). */
export type NamedApp = Pick<App, 'id' | 'otherIds'>;

export function isExcludedApp(excluded: readonly string[], { id, otherIds = [] }: NamedApp): boolean {
  const own = new Set([id, ...otherIds].map(normalizeAppId));
  return excluded.some((one) => own.has(normalizeAppId(one)));
}

/** Lower case without `.desktop`, to compare application ids. */
function normalizeAppId(id: string): string {
  return id.toLowerCase().replace(/\.desktop$/, '');
}

export { PRESETS, RULES };
export type { Rule };
const PHRASES = ['reject', 'ask', 'accept'] as const;

export interface Policy {
  preset: Preset | 'custom';
  /** The preset it started from. */
  base: Preset;
  /** What a correct `confirm.phrase` is worth. */
  confirmPhrase: (typeof PHRASES)[number];
  effects: Record<Effect, Rule>;
  /** False: no grant is offered, and none counts. */
  grants: boolean;
  /** Application ids no agent may see or touch. */
  excludedApps: string[];
  /** When old evidence is deleted. */
  evidence: Retention;
  /** How many desktops of agents' own exist at once; absent: the usual number. */
  ownDesktops?: number;
}

const rule = z.enum(RULES);
/** A policy file. Every field is optional and overrides the preset. */
const policyFileSchema = z.strictObject({
  preset: z.enum(PRESETS).optional(),
  confirmPhrase: z.enum(PHRASES).optional(),
  effects: z
    .strictObject({
      read: rule.optional(),
      bookkeeping: rule.optional(),
      disclose: rule.optional(),
      pointer: rule.optional(),
      input: rule.optional(),
      dangerous: rule.optional(),
    })
    .optional(),
  grants: z.boolean().optional(),
  excludedApps: z.array(z.string().min(1).max(200)).max(1000).optional(),
  evidence: retentionSchema.partial().strict().optional(),
  ownDesktops: ownDesktopsSchema.optional(),
});

export function presetPolicy(preset: Preset): Policy {
  return {
    preset,
    base: preset,
    confirmPhrase: 'ask',
    effects: { ...PRESET_RULES[preset] },
    grants: offersGrants(preset),
    excludedApps: [],
    evidence: { ...KEEP_ALL },
  };
}

/** Another preset, with the same excluded applications and limits. */
export function switchPreset(policy: Policy, preset: Preset): Policy {
  const { excludedApps, evidence } = policy;
  return { ...presetPolicy(preset), excludedApps: [...excludedApps], evidence: { ...evidence }, ...desktopsOf(policy) };
}

function isPreset(name: string): name is Preset {
  return PRESETS.some((preset) => preset === name);
}

/** `field`: the one at fault, so that a person can correct the file. */
export class PolicyError extends MessageError {
  constructor(
    text: Message,
    readonly field: string,
  ) {
    super(text);
    this.name = 'PolicyError';
  }
}

/** Validates a file's content; `name` is the file's name in errors. Throws {@link PolicyError}. */
export function parsePolicy(content: unknown, name: string): Policy {
  const parsed = policyFileSchema.safeParse(content);
  if (!parsed.success) throw errorOf(parsed.error, name);
  const file = parsed.data;
  const base = file.preset ?? 'standard';
  const start = presetPolicy(base);
  const effects = { ...start.effects };
  for (const effect of EFFECTS) effects[effect] = file.effects?.[effect] ?? effects[effect];
  assertDangerous(effects.dangerous, base, name);
  return withPresetName({
    ...start,
    effects,
    confirmPhrase: file.confirmPhrase ?? start.confirmPhrase,
    grants: file.grants ?? start.grants,
    excludedApps: [...new Set(file.excludedApps ?? [])].sort(),
    evidence: { maxAgeDays: file.evidence?.maxAgeDays ?? null, maxBytes: file.evidence?.maxBytes ?? null },
    ...desktopsOf(file),
  });
}

const desktopsOf = ({ ownDesktops }: { ownDesktops?: number | undefined }): Pick<Policy, 'ownDesktops'> =>
  ownDesktops === undefined ? {} : { ownDesktops };

/** What to write so that {@link parsePolicy} gives the same policy again. */
export function policyFile(policy: Policy): z.infer<typeof policyFileSchema> {
  const { base, confirmPhrase, effects, grants, excludedApps } = policy;
  const evidence = Object.fromEntries(Object.entries(policy.evidence).filter(([, limit]) => limit !== null));
  return { preset: base, confirmPhrase, effects, grants, excludedApps, evidence, ...desktopsOf(policy) };
}

/** True when anything is looser in `to` than in `from`. */
export function widens(from: Policy, to: Policy): boolean {
  return (
    EFFECTS.some((effect) => RULES.indexOf(to.effects[effect]) > RULES.indexOf(from.effects[effect])) ||
    PHRASES.indexOf(to.confirmPhrase) > PHRASES.indexOf(from.confirmPhrase) ||
    (to.grants && !from.grants) ||
    from.excludedApps.some((app) => !to.excludedApps.includes(app))
  );
}

/** The stricter of the two in everything. */
export function narrowed(policy: Policy, limit: Policy): Policy {
  const effects = { ...policy.effects };
  for (const effect of EFFECTS) effects[effect] = stricter(RULES, policy.effects[effect], limit.effects[effect]);
  return withPresetName({
    ...policy,
    base: policy.base === 'unattended' ? limit.base : policy.base,
    effects,
    confirmPhrase: stricter(PHRASES, policy.confirmPhrase, limit.confirmPhrase),
    grants: policy.grants && limit.grants,
    excludedApps: [...new Set([...policy.excludedApps, ...limit.excludedApps])].sort(),
  });
}

/** The rule for several effects at once. */
export function strictestRule(policy: Policy, effects: readonly Effect[]): Rule {
  return effects.map((effect) => policy.effects[effect]).reduce((one, other) => stricter(RULES, one, other));
}

export function shownPolicy(policy: Policy): ShownPolicy {
  const { preset, confirmPhrase, effects, excludedApps, evidence } = policy;
  return {
    preset,
    confirmPhrase,
    effects: { ...effects },
    excludedApps: [...excludedApps],
    retention: { ...evidence },
    ownDesktops: policy.ownDesktops ?? OWN_DESKTOPS.usual,
  };
}

/** Excludes an application, or no longer. */
export function withExcluded(policy: Policy, appId: string, on: boolean): Policy {
  const others = policy.excludedApps.filter((app) => normalizeAppId(app) !== normalizeAppId(appId));
  return { ...policy, excludedApps: on ? [...others, appId].sort() : others };
}

export function isExcluded(policy: Policy, appId: string): boolean {
  return isExcludedApp(policy.excludedApps, { id: appId });
}

function stricter<T extends string>(order: readonly T[], one: T, other: T): T {
  return order.indexOf(one) <= order.indexOf(other) ? one : other;
}

function withPresetName(policy: Policy): Policy {
  const preset = presetPolicy(policy.base);
  preset.excludedApps = policy.excludedApps;
  const same = !widens(preset, policy) && !widens(policy, preset);
  return { ...policy, preset: same ? policy.base : 'custom' };
}

function assertDangerous(dangerous: Rule, base: Preset, name: string): void {
  if (dangerous === 'ask_once_per_session')
    throw new PolicyError(message('policy.never_remembered', { name }), 'effects.dangerous');
  if (dangerous === 'allow' && base !== 'unattended')
    throw new PolicyError(message('policy.only_unattended', { name }), 'effects.dangerous');
}

/** What {@link assertDangerous} leaves of the rules. */
const DANGEROUS_TAKES = message('input.one_of', { values: '"deny", "ask"' });

function errorOf(error: z.ZodError, name: string): PolicyError {
  const issue = error.issues[0];
  const path = issue?.path.map(String) ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const fields = issue.keys.map((key) => [...path, key].join('.'));
    return new PolicyError(message('policy.unknown_field', { name, fields: fields.join(', ') }), fields[0] ?? '');
  }
  const field = path.join('.');
  const takes = issue === undefined ? null : field === 'effects.dangerous' ? DANGEROUS_TAKES : takenBy(issue);
  const why = takes === null ? message('input.invalid') : message('input.must_be', { takes });
  return new PolicyError(message('policy.invalid', { name, at: field === '' ? 'file' : 'other', field, why }), field);
}

// Reads and writes policy files. Any fault in one is an error that stops the start.

interface PolicySource {
  /**
   * Where the name came from: `flag` is a person's own command line, by which they confirm whatever it names; `file` is the file
   * in the configuration folder, which anyone with this user's rights could have written and is never wider than `standard`.
   */
  source: 'flag' | 'file';
  /** A shim started this host: never wider than `standard`, whatever is named. */
  narrow?: boolean;
}

const MAX_BYTES = 65_536;

/** A preset's name or a file. No file in the configuration folder means `standard`. Throws {@link PolicyError}. */
export function loadPolicy(pathOrPreset: string | null, { source, narrow }: PolicySource): Policy {
  const standard = presetPolicy('standard');
  const policy = read(pathOrPreset, source);
  if (narrow === true) return narrowed(policy, standard);
  if (source === 'flag' || !widens(standard, policy)) return policy;
  const name = pathOrPreset ?? message('policy.the_policy');
  throw new PolicyError(message('policy.wider', { name, file: pathOrPreset ?? 'FILE' }), 'preset');
}

/** Whole or not at all, 0600. */
export function savePolicy(file: string, policy: Policy): void {
  parsePolicy(policyFile(policy), basename(file));
  writePrivate(file, policyFile(policy));
}

function read(pathOrPreset: string | null, source: PolicySource['source']): Policy {
  if (pathOrPreset === null) return presetPolicy('standard');
  if (isPreset(pathOrPreset)) return presetPolicy(pathOrPreset);
  const text = textOfFile(pathOrPreset);
  if (text !== null) return parsePolicy(parseJson(text, pathOrPreset), pathOrPreset);
  if (source === 'file') return presetPolicy('standard');
  throw new PolicyError(message('policy.no_file', { name: pathOrPreset, presets: PRESETS.join(', ') }), '');
}

function textOfFile(name: string): string | null {
  try {
    const stat = statSync(name);
    const foreign = process.getuid !== undefined && stat.uid !== process.getuid() && stat.uid !== 0;
    if (process.platform !== 'win32' && ((stat.mode & 0o022) !== 0 || foreign))
      throw new PolicyError(message('policy.others_write', { name }), '');
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new PolicyError(message('policy.no_small_file', { name }), '');
    return readFileSync(name, 'utf8');
  } catch (thrown) {
    if (errno(thrown) === 'ENOENT') return null;
    if (thrown instanceof PolicyError) throw thrown;
    throw new PolicyError(message('policy.unreadable', { name, why: textOf(thrown) }), '');
  }
}

function parseJson(text: string, name: string): unknown {
  const value = readJson(text);
  if (value instanceof Overflowing)
    throw new PolicyError(
      message('policy.invalid', { name, at: 'other', field: value.member, why: value.reason }),
      value.member,
    );
  if (value instanceof Unreadable) throw new PolicyError(message('policy.not_json', { name, why: value.reason }), '');
  return value;
}
