import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMAND_MARK, readCommandMark } from '../../src/native/peer/command-mark.js';

describe('the mark of an approved command', () => {
  it('is read from the environment a process was started with', async () => {
    const env = { A: '1', [COMMAND_MARK]: 'execution-1', Z: '2' };
    const child = spawn('/bin/sh', ['-c', 'echo up; read line'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    // Node calls it spawned while the kernel may still be setting its environment up.
    await once(child.stdout, 'data');
    expect(readCommandMark(child.pid ?? 0)).toEqual({ kind: 'marked', executionId: 'execution-1' });
  });

  it('is not there in a process that nobody marked, nor where another variable only looks like it', async () => {
    const proc = await mkdtemp(join(tmpdir(), 'chap-proc-'));
    onTestFinished(() => rm(proc, { recursive: true }));
    await mkdir(join(proc, '7'));
    await writeFile(join(proc, '7', 'environ'), `X${COMMAND_MARK}=a\0${COMMAND_MARK}S=b\0`);
    expect(readCommandMark(7, proc)).toEqual({ kind: 'none' });
  });

  it('says so where it cannot be read, which is not the same as no mark', async () => {
    const proc = await mkdtemp(join(tmpdir(), 'chap-proc-'));
    onTestFinished(() => rm(proc, { recursive: true }));
    await mkdir(join(proc, '8', 'environ'), { recursive: true });
    expect(readCommandMark(8, proc)).toEqual({ kind: 'unreadable' });
    expect(readCommandMark(9, proc)).toEqual({ kind: 'gone' });
    expect(readCommandMark(process.pid, '/proc', 'darwin')).toEqual({ kind: 'unreadable' });
  });
});
