import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadPolicy, presetPolicy, savePolicy, switchPreset, widens } from '../../src/main/approvals/index.js';
import {
  PRESETS,
  RULES,
  isExcluded,
  narrowed,
  parsePolicy,
  policyFile,
  type Policy,
} from '../../src/main/approvals/policy.js';
import { tempDir } from './support.js';

const rule = fc.constantFrom(...RULES);
const file = fc.record(
  {
    preset: fc.constantFrom(...PRESETS),
    confirmPhrase: fc.constantFrom('ask', 'accept', 'reject'),
    effects: fc.record(
      {
        read: rule,
        bookkeeping: rule,
        disclose: rule,
        pointer: rule,
        input: rule,
        dangerous: fc.constantFrom('ask', 'deny'),
      },
      { requiredKeys: [] },
    ),
    grants: fc.boolean(),
    excludedApps: fc.array(fc.constantFrom('a', 'b', 'c')),
    evidence: fc.record(
      { maxAgeDays: fc.integer({ min: 1, max: 999 }), maxBytes: fc.integer({ min: 1_000_000 }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const policy = file.map((content) => parsePolicy(content, 'p'));

function write(content: unknown, mode = 0o600): string {
  const path = join(tempDir(), 'policy.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode });
  chmodSync(path, mode);
  return path;
}

describe('presets', () => {
  it('[req:DS-6-1] [req:DS-6-2] asks as the design says', () => {
    expect(presetPolicy('standard').effects).toEqual({
      read: 'allow',
      bookkeeping: 'allow',
      disclose: 'ask_once_per_session',
      pointer: 'ask',
      input: 'ask',
      dangerous: 'ask',
    });
    expect(presetPolicy('readonly').effects).toMatchObject({ pointer: 'deny', input: 'deny', dangerous: 'deny' });
    expect(presetPolicy('strict')).toMatchObject({ grants: false, effects: { disclose: 'ask' } });
    expect(Object.values(presetPolicy('unattended').effects)).toEqual(Array(6).fill('allow'));
    for (const preset of PRESETS) expect(presetPolicy(preset).confirmPhrase).toBe('ask');
  });

  it('gives every caller its own copy', () => {
    presetPolicy('standard').effects.dangerous = 'allow';
    expect(presetPolicy('standard').effects.dangerous).toBe('ask');
  });

  it('keeps excluded applications when the preset is switched', () => {
    const from = parsePolicy({ excludedApps: ['bank'] }, 'p');
    expect(from.preset).toBe('standard');
    expect(switchPreset(from, 'strict').excludedApps).toEqual(['bank']);
    const kept = parsePolicy({ evidence: { maxAgeDays: 30 } }, 'p');
    expect(switchPreset(kept, 'strict').evidence).toEqual({ maxAgeDays: 30, maxBytes: null });
    expect(policyFile(kept).evidence).toEqual({ maxAgeDays: 30 });
    const desktops = parsePolicy({ ownDesktops: 3 }, 'p');
    expect(policyFile(switchPreset(desktops, 'strict')).ownDesktops).toBe(3);
    expect(() => parsePolicy({ ownDesktops: 21 }, 'p')).toThrow();
    expect(widens(from, switchPreset(from, 'strict'))).toBe(false);
  });
});

describe('order of policies', () => {
  it('[req:DS-12-3] never calls a policy wider than itself, and narrowing never widens', () => {
    fc.assert(
      fc.property(policy, policy, (one, other) => {
        expect(widens(one, one)).toBe(false);
        const both = narrowed(one, other);
        expect(widens(one, both)).toBe(false);
        expect(widens(other, both)).toBe(false);
        if (!widens(one, other)) expect(narrowed(one, other).effects).toEqual(other.effects);
      }),
    );
  });

  it('is transitive: two steps that do not widen do not widen together', () => {
    fc.assert(
      fc.property(policy, policy, policy, (one, by, more) => {
        const two = narrowed(one, by);
        expect(widens(one, narrowed(two, more))).toBe(false);
      }),
    );
  });

  it('[req:DS-6-2] sees each single loosening', () => {
    const from = parsePolicy({ preset: 'readonly', confirmPhrase: 'reject', grants: false, excludedApps: ['a'] }, 'p');
    const changes: Partial<Policy>[] = [
      { effects: { ...from.effects, pointer: 'ask' } },
      { effects: { ...from.effects, disclose: 'allow' } },
      { confirmPhrase: 'ask' },
      { grants: true },
      { excludedApps: [] },
    ];
    for (const change of changes) {
      expect(widens(from, { ...from, ...change })).toBe(true);
      expect(widens({ ...from, ...change }, from)).toBe(false);
    }
    expect(widens(presetPolicy('standard'), presetPolicy('strict'))).toBe(false);
    expect(widens(presetPolicy('standard'), presetPolicy('readonly'))).toBe(false);
    expect(widens(presetPolicy('strict'), presetPolicy('standard'))).toBe(true);
  });
});

describe('policy files', () => {
  it('comes back from disk as it was saved, private and readable as JSON', () => {
    fc.assert(
      fc.property(policy, (one) => {
        expect(parsePolicy(JSON.parse(JSON.stringify(policyFile(one))), 'p')).toEqual(one);
      }),
    );
    const path = join(tempDir(), 'deeper', 'policy.json');
    const strict = { ...presetPolicy('strict'), excludedApps: ['bank'] };
    savePolicy(path, strict);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadPolicy(path, { source: 'file' })).toEqual(strict);
  });

  it.each([
    [{ effekts: {} }, 'effekts'],
    [{ effects: { inptu: 'ask' } }, 'effects.inptu'],
    [{ effects: { input: 'maybe' } }, 'effects.input'],
    [{ preset: 'lax' }, 'preset'],
    [{ confirmPhrase: true }, 'confirmPhrase'],
    [{ excludedApps: [1] }, 'excludedApps.0'],
    [{ evidence: { maxAgeDays: 0 } }, 'evidence.maxAgeDays'],
    [{ evidence: { maxAge: 1 } }, 'evidence.maxAge'],
    [{ effects: { dangerous: 'ask_once_per_session' } }, 'effects.dangerous'],
    [{ effects: { dangerous: 'allow' } }, 'effects.dangerous'],
    [{ preset: 'strict', effects: { dangerous: 'allow' } }, 'effects.dangerous'],
  ])('[req:DS-6-4] refuses %j and names %s', (content, field) => {
    const path = write(content);
    const load = () => loadPolicy(path, { source: 'flag' });
    expect(load).toThrow(`policy.json`);
    expect(load).toThrow(field);
    expect(load).toThrow(expect.objectContaining({ field }));
  });

  it('names the rules that dangerous acts may have', () => {
    const load = () => loadPolicy(write({ effects: { dangerous: 'never' } }), { source: 'flag' });
    expect(load).toThrow(/dangerous: must be one of "deny", "ask"\.$/);
  });

  it.each(['', '{', '[]', 'null', '"standard"', '{"__proto__":{"preset":"unattended"}}'])('refuses %j', (text) => {
    expect(() => loadPolicy(write(text), { source: 'flag' })).toThrow(/policy\.json/);
  });

  it('refuses a file that others can write', () => {
    expect(() => loadPolicy(write({}, 0o666), { source: 'file' })).toThrow(/others can write/);
  });

  it('takes a missing configuration file for standard, but not a mistyped preset on the command line', () => {
    const nowhere = join(tempDir(), 'policy.json');
    expect(loadPolicy(nowhere, { source: 'file' })).toEqual(presetPolicy('standard'));
    expect(loadPolicy(null, { source: 'flag' })).toEqual(presetPolicy('standard'));
    expect(() => loadPolicy('readonyl', { source: 'flag' })).toThrow(/no preset of that name/);
  });

  it('[req:DS-6-3] takes unattended only from the command line, by name or as a file that is named there', () => {
    const path = write({ preset: 'unattended' });
    for (const named of ['unattended', path])
      expect(loadPolicy(named, { source: 'flag' }).effects.dangerous).toBe('allow');
    expect(() => loadPolicy(path, { source: 'file' })).toThrow(/wider than standard, and no person confirmed it/);
  });

  it('is never wider than standard in a host a shim started', () => {
    fc.assert(
      fc.property(file, (content) => {
        const path = write(content);
        expect(widens(presetPolicy('standard'), loadPolicy(path, { source: 'file', narrow: true }))).toBe(false);
      }),
      { numRuns: 30 },
    );
    expect(loadPolicy('unattended', { source: 'flag', narrow: true })).toEqual(presetPolicy('standard'));
  });
});

describe('excluded applications', () => {
  it('matches whatever the case, with or without .desktop', () => {
    const one = { ...presetPolicy('standard'), excludedApps: ['org.KeePassXC.desktop'] };
    expect(isExcluded(one, 'org.keepassxc')).toBe(true);
    expect(isExcluded(one, 'org.keepassxc.desktop')).toBe(true);
    expect(isExcluded(one, 'keepassxc')).toBe(false);
  });
});
