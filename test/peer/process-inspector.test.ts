import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLinuxInspector } from '../../src/native/peer/process-inspector.js';
import { createCleanup } from '../transport/support.js';

const cleanup = createCleanup();
const PTS_3 = (136 << 8) | 3;
/** Minor numbers above 255 go on beyond the major one. */
const PTS_300 = (136 << 8) | (300 & 0xff) | ((300 >> 8) << 20);

/** `fds`: what each leads to; of a master also the terminal it serves. */
async function add(proc: string, pid: number, terminal: number, fds: [string, number | null][] = [], name = 'a (b) c') {
  const folder = join(proc, String(pid));
  await mkdir(join(folder, 'fd'), { recursive: true });
  await mkdir(join(folder, 'fdinfo'));
  await mkdir(join(folder, 'ns'));
  await symlink('pid:[1]', join(folder, 'ns', 'pid'));
  await symlink('mnt:[2]', join(folder, 'ns', 'mnt'));
  const rest = Array.from({ length: 14 }, () => 0).join(' ');
  await writeFile(join(folder, 'stat'), `${pid} (${name}) S 7 ${pid + 1} ${pid + 2} ${terminal} ${rest} 4711 0 0`);
  await writeFile(join(folder, 'status'), 'Name:\ta\nUid:\t1\t1000\t1\t1\n');
  await writeFile(join(folder, 'cgroup'), '0::/user.slice\n');
  for (const [fd, [target, serves]] of fds.entries()) {
    await symlink(target, join(folder, 'fd', String(fd)));
    await writeFile(join(folder, 'fdinfo', String(fd)), `pos:\t0\n${serves === null ? '' : `tty-index:\t${serves}\n`}`);
  }
}

it('tells session, group, terminal, user and control group, whatever the process is called', async () => {
  const proc = cleanup.folder();
  await add(proc, 40, PTS_3, [], 'x) R 1 (2');
  const { inspect: of, list: all } = createLinuxInspector(proc);
  expect(of(40)).toEqual({ pid: 40, parentPid: 7, groupLeader: 41, sessionLeader: 42, terminal: PTS_3, startTime: '4711', uid: 1000, realUid: 1, name: 'x) R 1 (2', family: '0::/user.slice\n', namespaces: { pid: 'pid:[1]', mount: 'mnt:[2]' } }); // prettier-ignore
  expect(of(41)).toBeNull();
  expect(all()).toEqual([{ pid: 40, parentPid: 7, startTime: '4711' }]);
});

it('[req:PW-3] tells who holds either end of a terminal, and of no other', async () => {
  const proc = cleanup.folder();
  await add(proc, 40, PTS_3, [['/dev/pts/3', null]]);
  await add(proc, 41, 0, [['/dev/ptmx', 3]]);
  await add(proc, 42, 0, [['/dev/pts/ptmx', 300], ['/dev/pts/300', null]]); // prettier-ignore
  await add(proc, 43, 0, [['/dev/ptmx', null], ['/tmp/ptmx-like', 3]]); // prettier-ignore
  const { terminalHolders: holders } = createLinuxInspector(proc);
  expect(holders(PTS_3)).toEqual({ masters: [41], programs: [40] });
  expect(holders(PTS_300)).toEqual({ masters: [42], programs: [42] });
  for (const device of [0, 4 << 8, (5 << 8) | 1]) expect(holders(device)).toEqual({ masters: [], programs: [] });
});

it('[req:PN-3] tells what a program was started with, and whether its file is one that only root may write', async () => {
  const proc = cleanup.folder();
  await add(proc, 40, 0);
  await writeFile(join(proc, '40', 'cmdline'), 'chromium\0--headless\0');
  await symlink('/bin/sh', join(proc, '40', 'exe'));
  await add(proc, 41, 0);
  const own = join(proc, 'own');
  await writeFile(own, '', { mode: 0o777 });
  await chmod(own, 0o777);
  await symlink(own, join(proc, '41', 'exe'));
  const { programOf } = createLinuxInspector(proc);
  expect(programOf(40)).toEqual({ argv: ['chromium', '--headless'], isInstalled: true });
  expect(programOf(41)).toEqual({ argv: [], isInstalled: false });
  expect(programOf(42)).toBeNull();
});
