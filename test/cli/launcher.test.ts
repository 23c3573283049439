import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownCommand } from '../../src/main/cli/launcher.js';
import { withLocalCommand, localCommand, shellLine } from '../../src/main/protocol/local-command.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'chp-own-')));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'index.js'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('[req:AG-COMMAND-1] the command line is called by its name only where the search path leads to it', () => {
  const entry = join(folder, 'index.js');
  const absolute = shellLine([process.execPath, entry]);
  const PATH = ['', join(folder, 'other'), join(folder, 'bin')].join(':');
  expect(ownCommand({ PATH }, entry)).toBe(absolute);
  expect(ownCommand({}, entry)).toBe(absolute);
  symlinkSync(entry, join(folder, 'bin/chaperone'));
  expect(ownCommand({ PATH }, entry)).toBe('chaperone');
  writeFileSync(join(folder, 'other/chaperone'), '');
  expect(ownCommand({ PATH }, entry)).toBe(absolute);
});

it('[req:AG-COMMAND-1] texts show commands as they are called here, and nothing else is touched', () => {
  expect(withLocalCommand('Run `chaperone doctor`, or `chaperone` with chaperone doctor.', '/n /i')).toBe(
    'Run `/n /i doctor`, or `chaperone` with chaperone doctor.',
  );
  expect(withLocalCommand('`chaperone stop`', "/a/$&/'b")).toBe("`/a/$&/'b stop`");
  expect(localCommand('chaperone pair', '/n /i')).toBe('/n /i pair');
  expect(localCommand('npm start', '/n /i')).toBe('npm start');
  expect(shellLine(['/a b/node', "it's", '/c'])).toBe(`'/a b/node' 'it'\\''s' /c`);
});
