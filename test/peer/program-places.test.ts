import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isInWorkspace, placeOf } from '../../src/native/peer/program-identity.js';

const home = '/home/a';

describe('[req:ID-7] the place of a program', () => {
  it('is the system’s where only the system writes', () => {
    expect(placeOf(realpathSync('/bin/sh'), { home })).toBe('system');
  });

  it.each(['/home/a/.local/share/claude/versions/2.1.329', '/home/a/.nvm/versions/node/v22/lib/node_modules/x/cli.js'])(
    'is an installer’s for %s',
    (path) => expect(placeOf(path, { home })).toBe('installer'),
  );

  it.each(['/tmp/claude', '/home/a/claude', '/home/b/.local/bin/claude', '/home/a/.local/binary', 'bin/x', '/usr/none', ''])(
    'is none for “%s”',
    (path) => expect(placeOf(path, { home })).toBeNull(),
  ); // prettier-ignore

  it.runIf(process.getuid?.() === 0)('is none where others can write, and for a link', () => {
    const folder = mkdtempSync('/opt/chap-place-');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [inside, file] = [join(folder, 'bin'), join(folder, 'bin/tool')];
    chmodSync(folder, 0o755);
    mkdirSync(inside);
    writeFileSync(file, '', { mode: 0o755 });
    expect(placeOf(file, { home })).toBe('system');
    chmodSync(inside, 0o777);
    expect(placeOf(file, { home })).toBeNull();
    chmodSync(inside, 0o755);
    chmodSync(file, 0o777);
    expect(placeOf(file, { home })).toBeNull();
    const link = join(folder, 'link');
    symlinkSync(join(tmpdir(), 'elsewhere'), link);
    expect(placeOf(link, { home })).toBeNull();
  });

  it('is in the workspace only where an agent works in a folder of its own', () => {
    const path = '/home/a/.local/bin/claude';
    expect(isInWorkspace(path, '/home/a/.local', home)).toBe(true);
    for (const cwd of ['/', home, '/home/a/.loc', null]) expect(isInWorkspace(path, cwd, home)).toBe(false);
  });
});
