import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCommandRunner, type CommandRequest, type CommandRunner } from '../../../src/native/process/index.js';
import { alive } from '../../support/alive.js';
import { eventually } from '../../support/eventually.js';
import { holdTimers } from '../../support/held-timers.js';
import { testSupervisor } from '../../support/supervisor.js';
import { commandIn, FORKED_TWICE, IN_BACKGROUND, IN_SESSION, STARTED, STRAY } from './support.js';

const never = new AbortController().signal;
const FOR = { agent: 'Agent', command: 'a server' };
let shell: CommandRunner;
let folder: string;
beforeEach(async () => {
  shell = createCommandRunner({ graceMs: 300, supervisor: testSupervisor() });
  folder = await mkdtemp(join(tmpdir(), 'chap-left-'));
});
afterEach(async () => {
  await shell.close();
  await rm(folder, { recursive: true, force: true });
});

const sh = (script: string, more: Partial<CommandRequest> = {}, signal = never) =>
  shell.run(commandIn(folder, ['/bin/sh', '-c', script], more), signal);
const pidIn = async (name: string) => Number(await readFile(join(folder, name), 'utf8'));
const quoted = (script: string) => `'${script}'`;

/** What a process does that wants to be found by nobody. */
const WAYS: [string, string][] = [
  ['in the background', IN_BACKGROUND],
  ['in a session of its own', IN_SESSION],
  ['forked twice, in a session of its own, with an empty environment', FORKED_TWICE],
  ['deaf to every signal it can ignore', `setsid -f env -i sh -c ${quoted(`trap "" TERM HUP INT; PATH=/usr/bin:/bin; ${STRAY}`)} > /dev/null 2>&1 < /dev/null`], // prettier-ignore
];

describe('what a command leaves behind', () => {
  it.each(WAYS)('[req:CM-1] is ended when the command returns: %s', async (_, script) => {
    const ran = await sh(script + STARTED);
    const pid = await pidIn('pid');
    expect(ran).toMatchObject({
      exitCode: 0,
      timedOut: false,
      leftBehind: { kept: [], remaining: [], complete: true },
    });
    expect(ran.leftBehind.ended.map((one) => one.pid)).toContain(pid);
    expect(alive(pid)).toBe(false);
    await writeFile(join(folder, 'go'), '');
    expect(await readdir(folder)).not.toContain('acted');
  });

  it.each(WAYS)('[req:CM-2] is ended at the time limit: %s', async (_, script) => {
    const limit = holdTimers(90_000);
    const work = sh(`${script + STARTED}; sleep 600`, { timeoutMs: 90_000 });
    await eventually(() => pidIn('pid').catch(() => 0)).toBeGreaterThan(0);
    await limit.end();
    const ran = await work;
    expect(ran).toMatchObject({ timedOut: true, leftBehind: { remaining: [] } });
    expect(alive(await pidIn('pid'))).toBe(false);
  });

  it('[req:CM-2] is ended on abort, with an empty environment and in a session of its own', async () => {
    const abort = new AbortController();
    const ended = expect(sh(`${FORKED_TWICE}; sleep 600`, {}, abort.signal)).rejects.toBe('enough');
    await eventually(() => pidIn('pid').catch(() => 0)).toBeGreaterThan(0);
    abort.abort('enough');
    await ended;
    expect(alive(await pidIn('pid'))).toBe(false);
  });

  it('may write its last lines before it is ended', async () => {
    const ran = await sh('(while kill -0 $$ 2> /dev/null; do :; done; echo late) & echo early');
    expect(Buffer.concat([ran.stdout.head, ran.stdout.tail]).toString()).toBe('early\nlate\n');
  });

  it('is not mixed up with what another command, running at the same time, has started', async () => {
    const other = sh('touch up; until [ -e go ]; do sleep 0.02; done; echo done');
    await eventually(() => readdir(folder)).toContain('up');
    const asleep = `until [ "$(cat /proc/$(cat pid)/comm)" = sleep ]; do sleep 0.02; done`;
    const ran = await sh(`setsid -f sh -c 'echo $$ > pid; exec sleep 600' > /dev/null 2>&1${STARTED}; ${asleep}`);
    expect(ran.leftBehind.ended).toMatchObject([{ pid: await pidIn('pid'), name: 'sleep' }]);
    await writeFile(join(folder, 'go'), '');
    expect(await other).toMatchObject({ exitCode: 0, leftBehind: { ended: [] } });
  });

  it('[req:CM-3] is still found by its mark and its group when the command ends its supervisor, and the result says what that means', async () => {
    const ran = await sh(`setsid -f sh -c ${quoted(STRAY)} > /dev/null 2>&1${STARTED}; kill -9 $PPID; sleep 600`);
    expect(ran).toMatchObject({ exitCode: null, signal: null, leftBehind: { remaining: [], complete: false } });
    expect(alive(await pidIn('pid'))).toBe(false);
  });
});

describe('a host that is killed', () => {
  it('[req:CM-6] takes along what its command has started, however that hides', async () => {
    const { argv, env } = testSupervisor();
    const message = { type: 'run', argv: ['/bin/sh', '-c', `${FORKED_TWICE}\nsleep 600`], cwd: folder, env: { PATH: '/usr/bin:/bin' }, executionId: randomUUID(), graceMs: 300 }; // prettier-ignore
    const host = spawn(process.execPath, ['-e', `
      const child = require('node:child_process').spawn(process.argv[1], process.argv.slice(2, -1), { detached: true, env: ${JSON.stringify(env)}, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
      child.send(JSON.parse(process.argv.at(-1)));
    `, ...argv, JSON.stringify(message)]); // prettier-ignore
    await eventually(() => pidIn('pid').catch(() => 0)).toBeGreaterThan(0);
    const pid = await pidIn('pid');
    host.kill('SIGKILL');
    await eventually(() => alive(pid)).toBe(false);
  });
});

describe('what is kept running', () => {
  const keep = (script: string) => sh(script, { keep: FOR });

  it('goes on after its command, and is listed until it is ended', async () => {
    const ran = await keep(
      `setsid -f env -i sh -c ${quoted(`PATH=/usr/bin:/bin; ${STRAY}`)} > /dev/null 2>&1${STARTED}`,
    );
    const pid = await pidIn('pid');
    expect(ran.leftBehind).toMatchObject({
      ended: [],
      kept: expect.arrayContaining([expect.objectContaining({ pid })]),
      remaining: [],
    });
    const [kept] = shell.background.list();
    expect(kept).toMatchObject({ ...FOR, processes: ran.leftBehind.kept, outlives: false });
    expect(alive(pid)).toBe(true);
    expect(await shell.background.end(kept?.id ?? '')).toEqual([]);
    expect(alive(pid)).toBe(false);
    expect(shell.background.list()).toEqual([]);
    expect(await shell.background.end(kept?.id ?? '')).toBeNull();
  });

  it('is not listed where nothing was left, and no more once it has ended by itself', async () => {
    expect((await keep('true')).leftBehind.kept).toEqual([]);
    expect(shell.background.list()).toEqual([]);
    let changes = 0;
    shell.background.onChange(() => (changes += 1));
    await keep(`setsid -f sh -c ${quoted(STRAY)} > /dev/null 2>&1${STARTED}`);
    expect(shell.background.list()).toHaveLength(1);
    await writeFile(join(folder, 'go'), '');
    await eventually(() => shell.background.list()).toEqual([]);
    expect(changes).toBeGreaterThanOrEqual(2);
  });

  it('[req:CM-4] ends with the shell, unless a person has said otherwise', async () => {
    const [ends, stays] = [join(folder, 'ends'), join(folder, 'stays')];
    for (const file of [ends, stays])
      await keep(
        `setsid -f sh -c 'echo $$ > ${file}; sleep 600' > /dev/null 2>&1; until [ -s ${file} ]; do sleep 0.02; done`,
      );
    const [first, second] = [await pidIn('ends'), await pidIn('stays')];
    const last = shell.background.list().at(-1);
    expect(shell.background.outlive(last?.id ?? '', true)).toBe(true);
    expect(shell.background.outlive('nothing', true)).toBe(false);
    await shell.close();
    expect([alive(first), alive(second)]).toEqual([false, true]);
    process.kill(second, 'SIGKILL');
  });
});
