/** Processes of windows: as new at each question, and read again only where another program runs by now. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { watchProcesses } from '../../../src/native/linux/process-rest.js';
import { createProcessTable } from '../../../src/native/peer/index.js';

function counted() {
  const table = createProcessTable();
  let lookups = 0;
  let open = 0;
  const processes = watchProcesses({
    lookup: (pid) => ((lookups += 1), table.lookup(pid)),
    watch(process) {
      const found = table.lookup(process.pid);
      if (found === null) throw new Error('it has ended');
      const watch = table.watch(found);
      open += 1;
      return { isSame: watch.isSame, close: () => ((open -= 1), watch.close()) };
    },
  });
  return { processes, lookups: () => lookups, open: () => open };
}

test('[req:ID-2] the program that a process runs is told anew once it runs another, and read only then', async () => {
  const { processes, lookups, open } = counted();
  const child = spawn('/bin/sh', ['-c', 'echo up; read line; exec sleep 60'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const pid = child.pid ?? 0;
  const ended = once(child, 'exit');
  // Node calls it spawned while the kernel may still be loading its program.
  await once(child.stdout, 'data');
  expect(processes.lookup(pid)?.executable).toMatch(/\/(ba|da)?sh$/);
  const [first, before] = [processes.lookup(pid), lookups()];
  for (let count = 0; count < 5; count += 1) expect(processes.lookup(pid)).toEqual(first);
  expect(lookups()).toBe(before);
  child.stdin.end('\n');
  await expect.poll(() => processes.lookup(pid)?.executable).toMatch(/sleep|coreutils|busybox/);
  expect(processes.lookup(pid)?.startTime).toBe(first?.startTime);
  child.kill('SIGKILL');
  await ended;
  expect(processes.lookup(pid)).toBeNull();
  expect(open()).toBe(0);
});

test('what is kept open for the processes is closed with them', () => {
  const { processes, open } = counted();
  expect(processes.lookup(process.pid)?.executable).toBe(process.execPath);
  expect(open()).toBe(1);
  processes.close();
  expect(open()).toBe(0);
});
