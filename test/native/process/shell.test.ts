import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createCommandRunner,
  CommandError,
  type CommandRequest,
  type CommandRunner,
} from '../../../src/native/process/index.js';
import { eventually } from '../../support/eventually.js';
import { holdTimers } from '../../support/held-timers.js';
import { testSupervisor } from '../../support/supervisor.js';
import { commandIn, outputOf } from './support.js';

const never = new AbortController().signal;
let shell: CommandRunner;
let folder: string;
beforeEach(async () => {
  shell = createCommandRunner({ graceMs: 400, supervisor: testSupervisor() });
  folder = await mkdtemp(join(tmpdir(), 'chap-shell-'));
});
afterEach(async () => {
  await shell.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (argv: [string, ...string[]], more: Partial<CommandRequest> = {}, signal = never) =>
  shell.run(commandIn(folder, argv, more), signal);
const sh = (script: string, more: Partial<CommandRequest> = {}, signal = never) =>
  run(['/bin/sh', '-c', script], more, signal);

/** Living processes that name this folder in their environment. */
async function left(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const mine = await Promise.all(
    pids.map(async (pid) =>
      (await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')).includes(`HERE=${folder}\0`),
    ),
  );
  return pids.filter((_, index) => mine[index] === true);
}
const here = () => ({ env: { PATH: '/usr/bin:/bin', HERE: folder } });

describe('a command', () => {
  it('gets its arguments as they are: no shell reads them', async () => {
    const odd = [
      '$(touch made)',
      '`touch made`',
      'two words',
      `it's "quoted"`,
      '; touch made',
      '',
      '*',
      '$HOME',
      'a\nb',
    ];
    const { stdout, exitCode } = await run(['printf', '<%s>', ...odd]);
    expect(outputOf(stdout)).toBe(odd.map((one) => `<${one}>`).join(''));
    expect(exitCode).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  it('tells exit code and both streams, whatever the code', async () => {
    const ran = await sh('echo to out; echo to err >&2; exit 3');
    expect({ ...ran, stdout: outputOf(ran.stdout), stderr: outputOf(ran.stderr) }).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      stdout: 'to out\n',
      stderr: 'to err\n',
      leftBehind: { ended: [], kept: [], remaining: [], complete: true },
    });
  });

  it('tells which signal ended it', async () => {
    expect(await sh('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
  });

  it('runs in its folder, with its environment and no other', async () => {
    const ran = await run(['/usr/bin/env'], { env: { ONE: '1', TWO: 'zwei und drei' } });
    const names = outputOf(ran.stdout)
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names.sort()).toEqual(['CHAPERONE_COMMAND', 'ONE', 'TWO']);
    expect(outputOf((await run(['pwd'])).stdout).trim()).toBe(folder);
  });

  it('gets its input, or an empty one that is at its end', async () => {
    expect(outputOf((await run(['cat'])).stdout)).toBe('');
    expect(outputOf((await run(['cat'], { stdin: 'Grüße 世界\n' })).stdout)).toBe('Grüße 世界\n');
    expect(await run(['true'], { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it('may write megabytes to both streams at once: start and end are kept, and all of it is counted', async () => {
    const script =
      'printf start; head -c 5000000 /dev/zero; printf end; (printf begin; head -c 3000000 /dev/zero; printf fin) >&2';
    const { stdout, stderr, exitCode } = await sh(script);
    expect(exitCode).toBe(0);
    expect([stdout.bytes, stderr.bytes]).toEqual([5_000_008, 3_000_008]);
    expect([stdout.head.length, stdout.tail.length]).toEqual([500, 500]);
    expect([stdout.head.subarray(0, 5), stdout.tail.subarray(-3)].map(String)).toEqual(['start', 'end']);
    expect([stderr.head.subarray(0, 5), stderr.tail.subarray(-3)].map(String)).toEqual(['begin', 'fin']);
  });

  it('keeps every byte of what just fits', async () => {
    for (const bytes of [499, 500, 501, 999, 1000]) {
      const { stdout } = await sh(`yes abcdefg | head -c ${bytes}`);
      expect(outputOf(stdout)).toBe('abcdefg\n'.repeat(200).slice(0, bytes));
    }
  });

  it('that cannot be started says why', async () => {
    const why = (work: Promise<unknown>) =>
      work.then(
        () => 'ran',
        (thrown: unknown) => (thrown instanceof CommandError ? thrown.code : String(thrown)),
      );
    expect(await why(run(['no-such-program-at-all']))).toBe('ENOENT');
    await writeFile(join(folder, 'plain'), 'echo made\n', { mode: 0o644 });
    expect(await why(run([join(folder, 'plain')]))).toBe('EACCES');
    expect(await why(run(['true', 'a\0b']))).toBe('ERR_INVALID_ARG_VALUE');
    expect(await why(run(['true', 'x'.repeat(200_000)]))).toBe('E2BIG');
  });
});

describe('the end of a command', () => {
  const STUBBORN = `trap '' TERM; sh -c "trap '' TERM; sleep 600" & setsid sh -c 'sleep 600' & echo ready; touch up; sleep 600`;

  it('at its time limit is the end of all it has started, also of what ignores TERM and has left its group', async () => {
    const limit = holdTimers(90_000);
    const work = sh(STUBBORN, { ...here(), timeoutMs: 90_000 });
    await eventually(() => readdir(folder)).toContain('up');
    await eventually(async () => (await left()).length).toBeGreaterThanOrEqual(4);
    await limit.end();
    const ran = await work;
    expect(ran).toMatchObject({ timedOut: true, leftBehind: { remaining: [] } });
    expect(outputOf(ran.stdout)).toBe('ready\n');
    expect(await left()).toEqual([]);
  });

  it('by abort is the end of all it has started, and gives the reason', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const work = sh(STUBBORN, here(), abort.signal);
    const ended = expect(work).rejects.toBe(reason);
    await eventually(async () => (await left()).length).toBeGreaterThanOrEqual(4);
    abort.abort(reason);
    await ended;
    expect(await left()).toEqual([]);
  });

  it('gives it the time to clean up', async () => {
    const abort = new AbortController();
    const clean = 'sh -c "sleep 0.5; touch cleaned"';
    const script = `trap '${clean}; exit 7' TERM; touch ready; while :; do sleep 0.02; done`;
    const patient = createCommandRunner({ supervisor: testSupervisor(), graceMs: 30_000 });
    const ended = expect(patient.run(commandIn(folder, ['/bin/sh', '-c', script]), abort.signal)).rejects.toBe('done');
    await eventually(() => readdir(folder)).toEqual(['ready']);
    abort.abort('done');
    await ended;
    expect((await readdir(folder)).sort()).toEqual(['cleaned', 'ready']);
  });

  it('comes for all of them when the host closes, and none starts afterwards', async () => {
    const work = [sh('sleep 600', here()), sh(`trap '' TERM; sleep 600`, here())];
    const ended = Promise.all(work.map((one) => expect(one).rejects.toBeInstanceOf(CommandError)));
    await eventually(async () => (await left()).length).toBeGreaterThanOrEqual(3);
    await shell.close();
    await ended;
    expect(await left()).toEqual([]);
    await expect(sh('touch late')).rejects.toBeInstanceOf(CommandError);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not started at all when it is aborted before', async () => {
    await expect(sh('touch late', {}, AbortSignal.abort(new Error('no')))).rejects.toThrow('no');
    expect(await readdir(folder)).toEqual([]);
  });
});
