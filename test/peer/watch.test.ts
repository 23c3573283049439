import { spawn } from 'node:child_process';
import { realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProcessTable } from '../../src/native/peer/index.js';
import { createLinuxTable } from '../../src/native/peer/linux.js';
import { scriptProcesses } from './support.js';

const { cleanup, start, script, said } = scriptProcesses();
const onLinux = process.platform === 'linux';

describe.runIf(onLinux)('the watch of a process', () => {
  const running = async (text: string) => {
    const processes = createProcessTable();
    const child = start(script(text).path);
    await said(child);
    const identity = processes.lookup(child.pid ?? 0);
    if (identity === null) throw new Error('it has ended');
    const watch = processes.watch(identity);
    cleanup.after(watch.close);
    return { child, identity, watch, processes };
  };

  it('[req:ID-3] ends with the process', async () => {
    const { child, watch } = await running(`console.log('up'); setInterval(() => {}, 1000)`);
    expect(watch.isSame()).toBe(true);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(watch.isSame()).toBe(false);
  });

  it('[req:ID-3] ends when the process executes a program, even the same one', async () => {
    const child = spawn('bash', ['-c', 'echo up; read; exec bash -c "echo again; read"'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    cleanup.after(() => child.kill('SIGKILL'));
    expect(await said(child)).toBe('up');
    const processes = createProcessTable();
    const identity = processes.lookup(child.pid ?? 0);
    if (identity === null) throw new Error('it has ended');
    const watch = processes.watch(identity);
    cleanup.after(watch.close);
    expect(watch.isSame()).toBe(true);
    const again = said(child);
    child.stdin.write('\n');
    expect(await again).toBe('again');
    expect(watch.isSame()).toBe(false);
  });

  it('[req:ID-3] never begins for what has taken the place of the process meanwhile', async () => {
    const { identity, processes } = await running(`console.log('up'); setInterval(() => {}, 1000)`);
    const other = processes.watch({ ...identity, image: '1:2:3' });
    cleanup.after(other.close);
    expect(other.isSame()).toBe(false);
  });

  it('reads nothing of /proc but one byte while the process runs', async () => {
    const { identity } = await running(`console.log('up'); setInterval(() => {}, 1000)`);
    const proc = realpathSync(cleanup.folder());
    symlinkSync(`/proc/${identity.pid}`, join(proc, String(identity.pid)));
    const watch = createLinuxTable(proc, () => {
      throw new Error('not asked');
    }).watch(identity);
    cleanup.after(watch.close);
    rmSync(join(proc, String(identity.pid)));
    expect(watch.isSame()).toBe(true);
  });
});
