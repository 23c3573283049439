import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { forwarderOf, createLinuxTable } from '../../src/native/peer/linux.js';
import { createCleanup } from '../transport/support.js';

const cleanup = createCleanup();

describe('[req:RH-2] a process that SSH forwards by', () => {
  test.each([
    ['/usr/sbin/sshd', null, 'ssh'],
    ['/usr/lib/openssh/sshd-session', null, 'ssh'],
    ['/usr/sbin/sshd (deleted)', null, 'ssh'],
    ['/usr/bin/ssh', null, 'ssh'],
    ['/usr/sbin/dropbear', null, 'ssh'],
    ['/usr/bin/node', 'sshd', undefined],
    ['/home/a/sshd-like', null, undefined],
    ['', null, undefined],
  ])('%s, called %s: %s', (executable, name, via) =>
    expect(forwarderOf({ executable, name, uid: 1000, parentUid: 0 })).toBe(via),
  );

  test('that hides its program counts by its name only below another user', () => {
    const hidden = { executable: '', uid: 1000, name: 'sshd' };
    expect(forwarderOf({ ...hidden, parentUid: 0 })).toBe('ssh');
    expect(forwarderOf({ ...hidden, parentUid: 1000 })).toBeUndefined();
    expect(forwarderOf({ ...hidden, parentUid: null })).toBeUndefined();
  });

  test('is found in the process table, with and without its program', () => {
    const proc = cleanup.folder();
    processIn(proc, { pid: 5, parent: 1, name: 'sshd', uid: 0, program: null });
    processIn(proc, { pid: 6, parent: 5, name: 'sshd-session', uid: 1000, program: null });
    processIn(proc, { pid: 7, parent: 5, name: 'sshd', uid: 1000, program: '/usr/sbin/sshd' });
    processIn(proc, { pid: 8, parent: 6, name: 'bash', uid: 1000, program: '/bin/bash' });
    const { lookup } = createLinuxTable(proc, () => {
      throw new Error('not asked');
    });
    expect([6, 7, 8].map((pid) => lookup(pid)?.forwardedBy)).toEqual(['ssh', 'ssh', undefined]);
  });
});

interface Made {
  pid: number;
  parent: number;
  name: string;
  uid: number;
  program: string | null;
}

function processIn(proc: string, { pid, parent, name, uid, program }: Made): void {
  const folder = join(proc, String(pid));
  mkdirSync(folder);
  const fields = ['S', parent, pid, pid, 0, ...Array.from({ length: 14 }, () => 0), 4242, ...Array.from({ length: 30 }, () => 0)]; // prettier-ignore
  writeFileSync(join(folder, 'stat'), `${pid} (${name}) ${fields.join(' ')}`);
  writeFileSync(join(folder, 'status'), `Uid:\t${uid}\t${uid}\t${uid}\t${uid}\n`);
  writeFileSync(join(folder, 'cmdline'), `${name}\0`);
  if (program !== null) symlinkSync(program, join(folder, 'exe'));
}
