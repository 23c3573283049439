/** The steps of the workflow on a hosted Mac, with programs in place of its own that say what those would. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { CHECKS, reportText, type Row } from '../../src/native/self-test/index.js';

interface Ended {
  code: number;
  output: string;
}
type Run = (program: string, args: string[]) => Promise<Ended>;
type Steps = Record<'contract' | 'self-test' | 'app' | 'service', () => Promise<void>>;
interface Parts {
  run: Run;
  members: string[];
  version: string;
  folder: string;
  everyMs: number;
}
const functionOf = <T>() => z.custom<T>((given) => typeof given === 'function');
const load = async (name: string): Promise<unknown> =>
  import(pathToFileURL(join(import.meta.dirname, '../../scripts/mac', name)).href);
const { createSteps } = z.object({ createSteps: functionOf<(parts: Parts) => Steps>() }).parse(await load('steps.mjs'));
const { grants } = z
  .object({ grants: functionOf<(bundle: string, home: string) => { file: string; sql: string; admin: boolean }[]>() })
  .parse(await load('grants.mjs'));

const ROOT = join(import.meta.dirname, '../..');
const GNUSTEP_GUI = '/usr/include/GNUstep/AppKit/AppKit.h';
const members = Object.keys(CHECKS);
const rowsOf = (result: Row['result'], left = 0) =>
  Object.keys(CHECKS)
    .slice(left)
    .map((member) => ({ member, result, told: '', witness: '' }) as Row);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chap-hosted-'));
  mkdirSync(join(folder, 'dist/package/mac-arm64/Chaperone.app'), { recursive: true });
  for (const name of ['log', 'error'] as const) vi.spyOn(console, name).mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const saves = (rows: readonly Row[]) => writeFileSync(join(folder, 'chaperone-self-test-2026-11-28.md'), reportText(rows, {})); // prettier-ignore
const steps = (run: Run) => createSteps({ run, members, version: '0.1.0', folder, everyMs: 1 });

describe('[req:MT-CI-2] a hosted Mac', () => {
  const shell = (code: number, rows: readonly Row[] | null) =>
    steps(async () => {
      if (rows !== null) saves(rows);
      return { code, output: '' };
    })['self-test']();

  const contract = (results: { fullName: string; status: string }[] | null, { compiles = 0, code = 0 } = {}) =>
    steps(async (program, args) => {
      if (program === 'clang') {
        expect(existsSync(join(ROOT, 'test/support/apps', basename(args.at(-1) ?? '')))).toBe(true);
        return { code: compiles, output: 'no such header' };
      }
      const file = args.at(-1)?.split('=')[1] ?? '';
      if (results !== null) writeFileSync(file, JSON.stringify({ testResults: [{ assertionResults: results }] }));
      return { code, output: '' };
    }).contract();
  const passed = { fullName: 'typing | keys', status: 'passed' };
  const failed = { fullName: 'pictures', status: 'failed', failureMessages: ['it was black\n  at …'] };

  it('passes the contract with a table of all its tests', async () => {
    await contract([passed, { fullName: 'painting', status: 'skipped' }]);
    const table = readFileSync(join(folder, 'contract.md'), 'utf8');
    expect(table.split('\n').slice(2, 4)).toEqual(['| typing \\| keys | passed |  |', '| painting | skipped |  |']);
  });

  it('fails where a test of the contract fails, none passes or is reported, or nothing can be compiled', async () => {
    await expect(contract([passed, failed], { code: 1 })).rejects.toThrow('failed: pictures, ended with 1');
    expect(readFileSync(join(folder, 'contract.md'), 'utf8')).toContain('| pictures | failed | it was black |');
    await expect(contract([{ ...passed, status: 'skipped' }])).rejects.toThrow('no test passed');
    await expect(contract([passed], { code: 1 })).rejects.toThrow('ended with 1');
    rmSync(join(folder, 'contract.json'));
    await expect(contract(null, { code: 1 })).rejects.toThrow('left no report');
    await expect(contract([passed], { compiles: 1 })).rejects.toThrow('no such header');
  });

  /** GNUstep's AppKit has what the application uses of Apple's, but for the names for accessibility, which are called by name. */
  it.skipIf(!existsSync(GNUSTEP_GUI))('is judged by an application that compiles', () => {
    const source = join(ROOT, 'test/support/apps/appkit-fixture.m');
    const args = ['-std=gnu99', '-fsyntax-only', '-fobjc-exceptions', '-fconstant-string-class=NSConstantString', '-isystem', '/usr/include/GNUstep', '-DGNUSTEP', '-DGNUSTEP_BASE_LIBRARY=1', '-DGNUSTEP_GUI_LIBRARY=1', '-DGNU_RUNTIME=1', '-D_NATIVE_OBJC_EXCEPTIONS'];
    const { status, stderr } = spawnSync('gcc', [...args, source], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
    expect([status, stderr.match(/may not respond to '-?(\w+)/g)?.length ?? 0]).toEqual([0, 1]);
  }); // prettier-ignore

  it('passes with the whole table, and keeps it', async () => {
    await shell(0, rowsOf('right'));
    await shell(4, [...rowsOf('right', 1), ...rowsOf('not_run').slice(0, 1)]);
    expect(readdirSync(folder)).toContain('self-test-shell.md');
  });

  it.each<[string, number, Row[] | null]>([
    ['saved no table', 1, null],
    [`no row for ${members[0]}`, 0, rowsOf('right', 1)],
    ['no row is right', 4, rowsOf('not_run')],
    ['ended with 1', 1, rowsOf('right')],
  ])('fails where it %s', async (why, code, rows) => {
    await expect(shell(code, rows)).rejects.toThrow(why);
  });

  /** `starts`: how often the button is looked for before the window is there. */
  const app = (version: string, starts: number) => {
    let press: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (press = resolve));
    let looks = 0;
    return steps(async (program, args) => {
      if (args[0] === '--version') return { code: 0, output: `${version}\n` };
      if (program === 'osascript') {
        if (looks++ >= starts) press();
        return { code: looks > starts ? 0 : 1, output: 'no window' };
      }
      if (args[0] === 'doctor') await started.then(() => saves(rowsOf('right')));
      return { code: 0, output: '' };
    }).app();
  };

  it('starts the packaged app, presses Start as soon as it is asked, and judges the table', async () => {
    await app('0.1.0', 3);
    expect(readdirSync(folder)).toContain('self-test-app.md');
    await expect(app('', 0)).rejects.toThrow('does not start');
  });

  it('calls the bridge service until it answers, and says what it said last', async () => {
    const service = (answersAfter: number) => {
      let calls = 0;
      return steps(async (program) =>
        program === 'open' || calls++ >= answersAfter ? { code: 0, output: '{}' } : { code: 1, output: 'not open' },
      ).service();
    };
    await service(2);
    await expect(service(1000)).rejects.toThrow('does not answer: not open');
  });

  it('gives the app its permissions by rows that such a database takes', () => {
    for (const { sql } of grants('dev.chaperone.app', '/Users/runner')) {
      const kept = execFileSync('python3', ['-c', KEEP, ACCESS, sql], { encoding: 'utf8' });
      expect(kept).toMatch(/^(kTCCService\w+ dev\.chaperone\.app 2\n){2,}$/);
    }
  });
});

/** As `.schema access` has it on macOS 14. */
const ACCESS = `CREATE TABLE access (service TEXT NOT NULL, client TEXT NOT NULL, client_type INTEGER NOT NULL, auth_value INTEGER NOT NULL,
  auth_reason INTEGER NOT NULL, auth_version INTEGER NOT NULL, csreq BLOB, policy_id INTEGER, indirect_object_identifier_type INTEGER,
  indirect_object_identifier TEXT NOT NULL DEFAULT 'UNUSED', indirect_object_code_identity BLOB, flags INTEGER,
  last_modified INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)), pid INTEGER, pid_version INTEGER,
  boot_uuid TEXT NOT NULL DEFAULT 'UNUSED', last_reminded INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (service, client, client_type, indirect_object_identifier))`;

const KEEP = `import sqlite3, sys
database = sqlite3.connect(':memory:')
for each in sys.argv[1:]: database.executescript(each)
for row in database.execute('SELECT service, client, auth_value FROM access'): print(*row)`;
