import { describe, expect, it } from 'vitest';
import { interpreterName, scriptOf } from '../../src/native/peer/script.js';

const scriptIn = (executable: string, ...args: string[]): string | null =>
  scriptOf({
    executable,
    argv: [executable, ...args],
    cwd: '/work',
    resolve: (path) => (path.includes('missing') ? null : path),
  });

describe('scriptOf', () => {
  it.each([
    ['/usr/bin/node', ['app.js'], '/work/app.js'],
    ['/usr/bin/node', ['--inspect', '-r', 'dotenv/config', '--import', 'tsx', '/abs/cli.js', 'x.js'], '/abs/cli.js'],
    ['/usr/bin/node', ['--', 'a.js'], '/work/a.js'],
    ['/usr/bin/python3.12', ['-u', '-W', 'ignore', 'build.py', 'other.py'], '/work/build.py'],
    ['/usr/bin/bash', ['-e', './run.sh'], '/work/run.sh'],
    ['/usr/bin/ruby', ['-W0', 'a.rb'], '/work/a.rb'],
    ['/usr/bin/deno', ['run', '--allow-all', 'main.ts'], '/work/main.ts'],
    ['/usr/bin/bun', ['run', 'main.ts'], '/work/main.ts'],
    ['/usr/bin/python3 (deleted)', ['a.py'], '/work/a.py'],
  ])('finds the script: %s %j', (executable, args, script) => {
    expect(scriptIn(executable, ...args)).toBe(script);
  });

  it.each([
    ['/usr/bin/node', []],
    ['/usr/bin/node', ['-e', 'code', '/trusted.js']],
    ['/usr/bin/node', ['--eval=code', '/trusted.js']],
    ['/usr/bin/node', ['-pe', 'code', '/trusted.js']],
    ['/usr/bin/node', ['-', '/trusted.js']],
    ['/usr/bin/python3', ['-c', 'code', '/trusted.py']],
    ['/usr/bin/python3', ['-cprint()', '/trusted.py']],
    ['/usr/bin/python3', ['-Bc', 'code', '/trusted.py']],
    ['/usr/bin/python3', ['-m', 'http.server', '/trusted.py']],
    ['/bin/sh', ['-c', 'evil', '/trusted.sh']],
    ['/bin/bash', ['-lc', 'evil', '/trusted.sh']],
    ['/bin/bash', ['-s', '/trusted.sh']],
    ['/usr/bin/ruby', ['-ne', 'code', '/trusted.rb']],
    ['/usr/bin/perl', ['-E', 'code', '/trusted.pl']],
    ['/usr/bin/deno', ['eval', 'code', '/trusted.ts']],
    ['/usr/bin/node', ['missing.js']],
    ['/opt/app/program', ['/trusted.js']],
    ['', ['/trusted.js']],
  ])('names none where the code comes from elsewhere: %s %j', (executable, args) => {
    expect(scriptIn(executable, ...args)).toBeNull();
  });

  it('knows interpreters whatever their version, and nothing that only resembles one', () => {
    expect(['/usr/bin/python3.12', '/usr/bin/Python', '/usr/bin/node20', '/usr/bin/nodemon', '/usr/bin/shell'].map(interpreterName)).toEqual(['python', 'python', 'node', null, null]); // prettier-ignore
  });
});
