import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadCodeSignatures } from '../../src/native/peer/macos-signatures.js';
import { createProgramIdentities } from '../../src/native/peer/program-identity.js';
import type { ProcessIdentity } from '../../src/native/peer/types.js';
import { compileStandin, openScript } from '../support/macos/standin.js';

const [UNSIGNED, DEVELOPER, SYSTEM, AD_HOC, CLAIMED] = [0, 1, 2, 3, 4];
const PID = 321;
const HASH = 'aa11bb22cc33dd44ee55ff6600112233445566ff';
const OTHER_HASH = 'ff11bb22cc33dd44ee55ff6600112233445566ff';

const library = compileStandin();
const script = openScript(library);
const signatures = loadCodeSignatures({ coreFoundation: library, security: library });
const before = script.liveObjects();
afterEach(() => expect(script.liveObjects()).toBe(before));

const sign = (by: number, identifier = 'dev.agent', team = 'TEAM123456', hash = HASH, pid = PID) =>
  void script.signed(pid, by, identifier, team, hash);

describe('[req:MW-6] a running program is known', () => {
  it('by its developer’s team and its identifier, whatever version it is', () => {
    sign(DEVELOPER);
    const requirement = signatures.requirementOf(PID) ?? '';
    expect(requirement).toBe('anchor apple generic and identifier "dev.agent" and certificate leaf[subject.OU] = "TEAM123456"'); // prettier-ignore
    sign(DEVELOPER, 'dev.agent', 'TEAM123456', OTHER_HASH);
    expect(signatures.satisfies(PID, requirement)).toBe(true);
    for (const other of [() => sign(DEVELOPER, 'dev.agent', 'ANOTHER'), () => sign(DEVELOPER, 'dev.other'), () => sign(CLAIMED), () => sign(AD_HOC, 'dev.agent', ''), () => sign(UNSIGNED)]) {
      other();
      expect(signatures.satisfies(PID, requirement)).toBe(false);
    } // prettier-ignore
  });

  it('as the system’s own by its identifier', () => {
    sign(SYSTEM, 'com.apple.python3', '');
    expect(signatures.requirementOf(PID)).toBe('anchor apple and identifier "com.apple.python3"');
  });

  it.each([
    ['nobody signed', () => sign(AD_HOC, 'node', '')],
    ['only claims a team', () => sign(CLAIMED)],
    ['has a name that would be another requirement', () => sign(DEVELOPER, 'x" or identifier "y')],
  ])('by its code where it %s', (_, signs) => {
    signs();
    expect(signatures.requirementOf(PID)).toBe(`cdhash H"${HASH}"`);
    expect(script.journal().filter((line) => line.includes(' or '))).toEqual([]);
    sign(AD_HOC, 'node', '', OTHER_HASH);
    expect(signatures.satisfies(PID, `cdhash H"${HASH}"`)).toBe(false);
  });

  it('not at all where its code is not what was signed, where it has ended, or by no requirement', () => {
    sign(DEVELOPER);
    script.changedCode(PID);
    expect(signatures.requirementOf(PID)).toBeNull();
    expect(signatures.requirementOf(999)).toBeNull();
    sign(DEVELOPER);
    expect(signatures.satisfies(PID, 'true')).toBe(false);
    expect(signatures.satisfies(999, `cdhash H"${HASH}"`)).toBe(false);
  });
});

describe('[req:MW-6] an unsigned program', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chap-signed-')));
  const executable = join(folder, 'agent');
  afterAll(() => rmSync(folder, { recursive: true }));
  const start = (startTime: string) => {
    const state = { startTime };
    const lookup = (pid: number) => (pid === PID ? ({ pid, startTime: state.startTime, executable } as ProcessIdentity) : null); // prettier-ignore
    const made = createProgramIdentities(signatures, lookup);
    const of = (process: { pid: number; startTime: string }) => {
      const told = made.of(process, 'agent');
      return 'identity' in told ? told.identity : null;
    };
    const isSame = (process: { pid: number; startTime: string }, identity: string) =>
      made.isSame(process, 'agent', identity);
    return { state, identities: { of, isSame }, process: { pid: PID, startTime } };
  };
  const later = String(Date.now() / 1000 + 60);

  it('is known by its file, which is as old as the process', () => {
    sign(UNSIGNED);
    writeFileSync(executable, 'one');
    const { identities, process } = start(later);
    const identity = identities.of(process) ?? '';
    expect(identity).toMatch(/^file [0-9a-f]{64}$/);
    expect(identities.isSame(process, identity)).toBe(true);
    writeFileSync(executable, 'two');
    expect(identities.isSame(process, identity)).toBe(false);
    writeFileSync(executable, 'one');
    expect(identities.isSame(process, identity)).toBe(true);
    sign(AD_HOC);
    expect(identities.isSame(process, identity)).toBe(false);
  });

  it('is not known by a file that was written since, whatever its date says', () => {
    sign(UNSIGNED);
    writeFileSync(executable, 'one');
    utimesSync(executable, 1, 1);
    const { identities, process } = start('1000.000000');
    expect(identities.of(process)).toBeNull();
  });

  it('is not known where another process has its number', () => {
    sign(AD_HOC);
    const { identities, process, state } = start(later);
    const identity = identities.of(process) ?? '';
    expect(identities.isSame(process, identity)).toBe(true);
    state.startTime = '7';
    expect([identities.of(process), identities.isSame(process, identity)]).toEqual([null, false]);
  });
});
