/** Links swapped in and out of the evidence's folder by another process, while a caller's calls through the host's socket write there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { openRpc } from '../support/rpc.js';

const SWAPS = 1_000;
const REFUSALS = ['DESKTOP_HOST_NOT_READY', 'DESKTOP_WORKSPACE_FORBIDDEN'];

/** Swaps a link to `outside` into the place of `victim` and back, `count` times, with pauses in which a write can finish; prints how often it did. */
const SWAP = `
  const fs = require('node:fs');
  const [victim, outside, count] = process.argv.slice(1);
  let swapped = 0;
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  process.stdout.write('ready\\n');
  for (let tries = 0; swapped < Number(count) && tries < 100_000; tries++) {
    // A new name each time: where the host has made the folder anew meanwhile, the old one cannot go back.
    const aside = victim + '.' + tries;
    try { fs.renameSync(victim, aside); } catch { sleep(1); continue; }
    try { fs.symlinkSync(outside, victim); swapped += 1; } catch {}
    sleep(swapped % 4);
    try { fs.unlinkSync(victim); } catch {}
    try { fs.renameSync(aside, victim); } catch {}
    sleep(swapped % 16);
  }
  process.stdout.write(String(swapped));
`;

test.skipIf(process.platform !== 'linux')(
  '[req:DS-8-2] 1,000 swaps lead no evidence of a call through the socket outside; some calls succeed, some are refused',
  async () => {
    const started = await startHost({ policy: 'unattended' });
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-outside-')));
    const victim = join(started.workspace, 'artifacts');
    await Promise.all([mkdir(join(victim, 'desktop'), { recursive: true }), mkdir(join(outside, 'desktop'))]);
    const attacker = spawn(process.execPath, ['-e', SWAP, victim, outside, String(SWAPS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let printed = '';
      attacker.stdout.on('data', (chunk) => (printed += String(chunk)));
      const ended = once(attacker, 'close').then(() => true);
      const rpc = await openRpc(started.host.socketPath, started.workspace);
      const seen = { written: 0, refused: [] as string[] };
      while (!(await Promise.race([ended, call()])));
      rpc.close();
      expect(printed).toBe(`ready\n${SWAPS}`);
      expect(await readdir(outside, { recursive: true })).toEqual(['desktop']);
      expect(seen.written).toBeGreaterThan(0);
      expect(seen.refused.length).toBeGreaterThan(0);
      for (const code of new Set(seen.refused)) expect(REFUSALS).toContain(code);
      const kept = (await readdir(started.workspace, { recursive: true })).filter((name) =>
        name.endsWith('result.json'),
      );
      expect(kept.length).toBeGreaterThan(0);

      async function call(): Promise<false> {
        const { error } = await rpc.call('desktop.find', { selector: { byRole: 'AXButton' } });
        if (error === undefined) seen.written += 1;
        else seen.refused.push(error.code);
        return false;
      }
    } finally {
      attacker.kill('SIGKILL');
      await started.close();
      await rm(outside, { recursive: true, force: true });
    }
  },
  180_000,
);
