/** Commands as macOS starts them, through a stand-in of its posix_spawn that records its attributes and really runs the program. */
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCommandRunner, type CommandRequest, type CommandRunner } from '../../../src/native/process/index.js';
import { eventually } from '../../support/eventually.js';
import { holdTimers } from '../../support/held-timers.js';
import { compileSpawn } from '../../support/spawn/standin.js';
import { disclaimingSupervisor } from '../../support/supervisor.js';
import { commandIn, outputOf } from './support.js';

const never = new AbortController().signal;
let folder: string;
const shells: CommandRunner[] = [];
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'chap-disclaimed-')));
});
afterEach(async () => {
  await Promise.all(shells.splice(0).map((shell) => shell.close()));
  await rm(folder, { recursive: true, force: true });
});

interface System {
  mode?: 'refuses' | 'inherits';
  library?: string;
}

function run(argv: [string, ...string[]], more: Partial<CommandRequest> = {}, system: System = {}) {
  const { mode = '', library = compileSpawn() } = system;
  const supervisor = disclaimingSupervisor(library, { STANDIN_RECORD: join(folder, 'record'), STANDIN_MODE: mode });
  const shell = createCommandRunner({ graceMs: 400, supervisor });
  shells.push(shell);
  return shell.run(commandIn(folder, argv, { maxStreamBytes: 10_000, ...more }), never);
}
const sh = (script: string, more: Partial<CommandRequest> = {}, system: System = {}) =>
  run(['/bin/sh', '-c', script], more, system);
const recorded = async () =>
  (await readFile(join(folder, 'record'), 'utf8'))
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

describe('a command', () => {
  it('[req:MS-1] answers for itself, and has run nothing before the system has said so', async () => {
    const ran = await sh('echo out; echo err >&2; exit 3');
    expect({ ...ran, stdout: outputOf(ran.stdout), stderr: outputOf(ran.stderr) }).toMatchObject({
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
    });
    expect(await recorded()).toEqual([
      { path: '/bin/sh', disclaimed: 1, inherited: 0b111, flags: 0x4000 | 0x400 | 0x80 | 0x8 | 0x4 },
    ]);
  });

  it('gets arguments, folder, input and environment as they are, and its mark', async () => {
    const odd = ['$(touch made)', 'two words', `it's "quoted"`, '', 'a\nb', 'ü€😀'];
    expect(outputOf((await run(['printf', '<%s>', ...odd])).stdout)).toBe(odd.map((one) => `<${one}>`).join(''));
    const env = { PATH: '/usr/bin:/bin', OWN: 'a=b c' };
    const ran = await sh('pwd; cat; echo "$OWN"; env | cut -d= -f1 | sort | tr "\\n" " "', { env, stdin: 'given\n' });
    expect(outputOf(ran.stdout)).toMatch(new RegExp(`^${folder}\ngiven\na=b c\nCHAPERONE_\\w+ OWN PATH PWD `));
  });

  it('gets no other descriptor, no signal ignored or blocked, and a session of its own', async () => {
    // The fourth is the folder that is listed.
    expect(outputOf((await run(['ls', '/proc/self/fd'])).stdout)).toBe('0\n1\n2\n3\n');
    const { stdout } = await run(['grep', '-E', 'Sig(Ign|Blk)', '/proc/self/status']);
    expect(outputOf(stdout)).toMatch(/^SigBlk:\s0+\nSigIgn:\s0+\n$/);
    expect(outputOf((await sh('[ $(ps -o sid= $$) = $$ ] && echo own')).stdout)).toBe('own\n');
  });

  it('that ends by a signal says which', async () => {
    expect(await sh('kill -TERM $$')).toMatchObject({ exitCode: null, signal: 'SIGTERM' });
  });

  it('is ended at its limit, with what it left behind', async () => {
    const limit = holdTimers(90_000);
    const work = sh('sleep 600 & echo $!; touch up; wait', { timeoutMs: 90_000 });
    await eventually(() => existsSync(join(folder, 'up'))).toBe(true);
    await limit.end();
    const ran = await work;
    expect(ran.timedOut).toBe(true);
    // Nobody may have taken note of its end yet.
    const stat = await readFile(`/proc/${outputOf(ran.stdout).trim()}/stat`, 'utf8').catch(() => '0 (gone) Z');
    expect(stat.slice(stat.lastIndexOf(')') + 2)).toMatch(/^[ZX]/);
  });

  it('is looked for in its own path', async () => {
    for (const [name, mode] of [['first', 0o644], ['second', 0o755]] as const) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'own'), `#!/bin/sh\necho ${name}\n`);
      await chmod(join(folder, name, 'own'), mode);
    } // prettier-ignore
    const path = (...names: string[]) => ({ env: { PATH: names.map((name) => join(folder, name)).join(':') } });
    expect(outputOf((await run(['own'], path('absent', 'first', 'second'))).stdout)).toBe('second\n');
    await expect(run(['own'], path('first', 'absent'))).rejects.toMatchObject({ code: 'EACCES' });
    await expect(run(['own'], path('absent'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(run(['own'], { cwd: join(folder, 'absent') })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('[req:MS-2] a command is refused, and nothing of it runs,', () => {
  it.each<[string, () => System]>([
    ['where the system refuses', () => ({ mode: 'refuses' })],
    ['where the system would let it answer as its parent', () => ({ mode: 'inherits' })],
    ['where the system has no such function', () => ({ library: compileSpawn('WITHOUT_DISCLAIM') })],
    ['where there is no such library', () => ({ library: join(folder, 'absent.so') })],
  ])('%s', async (_, system) => {
    await expect(sh('touch ran', {}, system())).rejects.toMatchObject({ code: 'EDISCLAIM' });
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });
});
