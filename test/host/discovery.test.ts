import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimHost, hostPaths, HostRunningError, socketPathFor } from '../../src/main/host/discovery.js';
import { UnsafePathError } from '../../src/main/transport/private-paths.js';
import { createCleanup } from '../transport/support.js';

const cleanup = createCleanup();
const mode = (path: string): number => lstatSync(path).mode & 0o777;
const isolated = () => hostPaths({ CHAPERONE_HOME: cleanup.folder() });

describe('hostPaths', () => {
  it('puts everything under CHAPERONE_HOME, absolute', () => {
    expect(hostPaths({ CHAPERONE_HOME: '/x/home' })).toEqual({
      config: '/x/home/config',
      state: '/x/home/state',
      runtime: '/x/home/run',
      isolated: true,
    });
    expect(hostPaths({ CHAPERONE_HOME: 'rel' }).state).toBe(join(process.cwd(), 'rel', 'state'));
  });

  it('uses the platform’s folders otherwise, also when it is set to nothing', () => {
    const paths = hostPaths({ XDG_RUNTIME_DIR: '/run/user/7', CHAPERONE_HOME: '' });
    expect(paths).toMatchObject({ isolated: false, runtime: '/run/user/7/chaperone' });
    expect(paths.state).toMatch(/\/chaperone$/);
    expect(hostPaths({}).runtime).toMatch(new RegExp(`chaperone-${process.getuid?.()}$`));
  });
});

describe('socketPathFor', () => {
  const paths = (length: number) => ({
    config: '',
    state: `/${'s'.repeat(length)}`,
    runtime: '/run/user/7/chaperone',
    isolated: false,
  });

  it('stays in the state folder while that is short enough', () => {
    expect(socketPathFor(paths(92))).toBe(`/${'s'.repeat(92)}/host.sock`);
    expect(Buffer.byteLength(socketPathFor(paths(92)))).toBe(103);
  });

  it('[req:DS-3-19] moves to the runtime folder, and then to one of its own for that state folder', () => {
    expect(socketPathFor(paths(93))).toBe('/run/user/7/chaperone/host.sock');
    const long = (name: string) =>
      socketPathFor({ ...paths(93), state: `/${name.repeat(93)}`, runtime: `/${'r'.repeat(100)}` });
    expect(Buffer.byteLength(long('a'))).toBeLessThan(104);
    expect(long('a')).not.toBe(long('b'));
    expect(long('a')).toBe(long('a'));
  });
});

describe('claimHost', () => {
  it('lets one in, names it to the other, and lets the next in when it has left', async () => {
    const paths = isolated();
    const first = await claimHost(paths);
    const refused = await claimHost(paths).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HostRunningError);
    expect(refused).toMatchObject({ pid: process.pid, message: expect.stringContaining(`pid ${process.pid}`) });
    first.release();
    first.release();
    (await claimHost(paths)).release();
    expect(mode(paths.state)).toBe(0o700);
  });

  it('lets exactly one of several in that come at once', async () => {
    const paths = isolated();
    const claims = await Promise.allSettled(Array.from({ length: 6 }, () => claimHost(paths)));
    const won = claims.filter((claim) => claim.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const claim of claims)
      if (claim.status === 'rejected') expect(claim.reason).toMatchObject({ pid: process.pid });
    won[0]?.value.release();
  });

  it('keeps out while another process holds the lock, and is let in by the kernel when that one is killed', async () => {
    const paths = isolated();
    mkdirSync(paths.state, { mode: 0o700 });
    const koffi = createRequire(import.meta.url).resolve('koffi');
    const holder = `const fs = require('fs'); const fd = fs.openSync(process.argv[1], 'w+', 0o600);
      require(${JSON.stringify(koffi)}).load(null).func('int flock(int fd, int how)')(fd, 6);
      fs.writeSync(fd, String(process.pid)); console.log('held'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['-e', holder, join(paths.state, 'host.lock')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanup.after(() => child.kill('SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await expect(claimHost(paths)).rejects.toMatchObject({ pid: child.pid });
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    (await claimHost(paths)).release();
  });

  it('refuses a linked state folder and a linked lock', async () => {
    const paths = isolated();
    const real = cleanup.folder();
    symlinkSync(real, paths.state);
    await expect(claimHost(paths)).rejects.toThrow(UnsafePathError);
    rmSync(paths.state);
    mkdirSync(paths.state, { mode: 0o700 });
    symlinkSync(join(real, 'elsewhere'), join(paths.state, 'host.lock'));
    await expect(claimHost(paths)).rejects.toThrow();
    expect(existsSync(join(real, 'elsewhere'))).toBe(false);
  });
});
