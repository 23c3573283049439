import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { hostPaths } from '../../src/main/host/discovery.js';
import { createHome } from '../support/command.js';
import { settle } from '../support/person.js';
import { CLICK_SEND, startScene, type Scene } from '../support/world.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chaperone-small-')));
const mounted = mount();
let scene: Scene | null = null;
afterEach(async () => {
  await scene?.close();
  scene = null;
  if (mounted) for (const name of ['filler', 'home']) rmSync(join(folder, name), { recursive: true, force: true });
});
afterAll(() => {
  if (mounted) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'pipe' });
    return true;
  } catch (error) {
    console.log(`Skipped: a small disk cannot be mounted here (${String(error).split('\n')[0]}).`);
    return false;
  }
}

function fill(): void {
  const file = openSync(join(folder, 'filler'), 'w');
  const bytes = Buffer.alloc(64 * 1024);
  try {
    for (;;) if (writeSync(file, bytes) < bytes.length) break;
  } catch {
    // Full.
  } finally {
    closeSync(file);
  }
}

const pressed = (at: Scene) => at.world.journal().filter(({ event }) => event === 'pressed');

describe.skipIf(!mounted)('a disk that is full [req:DS-8-7]', () => {
  test('under the workspace: nothing is done there, and other calls and workspaces are served', async () => {
    const at = (scene = await startScene({ workspaceRoot: '/' }));
    fill();
    const error = await at.rpc.error('desktop.click', CLICK_SEND, { workspacePath: folder });
    expect(error.message).toMatch(/space|full/i);
    expect(error.details['next']).toEqual(expect.any(String));
    expect(pressed(at)).toEqual([]);
    expect(at.person.seen.filter(({ type }) => type === 'approvalRequested')).toEqual([]);
    expect(await at.rpc.result('desktop.health', {}, { workspacePath: folder })).toBeDefined();
    const elsewhere = at.rpc.call('desktop.click', CLICK_SEND);
    await at.person.answer('allow');
    expect((await elsewhere).result).toMatchObject({ clicked: true });
    rmSync(join(folder, 'filler'));
    const again = at.rpc.call('desktop.click', CLICK_SEND, { workspacePath: folder });
    await at.person.answer('allow');
    expect((await again).result).toMatchObject({ clicked: true });
  });

  test('under the workspace, filled while the person thinks: the act is refused before it begins', async () => {
    const at = (scene = await startScene({ workspaceRoot: '/' }));
    const call = at.rpc.call('desktop.click', CLICK_SEND, { workspacePath: folder });
    const { approval } = await at.person.next('approvalRequested');
    fill();
    await settle(at.person, approval, 'allow');
    const { error } = await call;
    expect(error?.message).toMatch(/space|full/i);
    expect(pressed(at)).toEqual([]);
  });

  test('under the log: nothing is done at all, and health and the page still answer', async () => {
    const at = (scene = await startScene({ paths: hostPaths({ CHAPERONE_HOME: join(folder, 'home') }) }));
    fill();
    const { error } = await at.rpc.call('desktop.click', CLICK_SEND);
    expect(error).toMatchObject({ code: 'DESKTOP_HOST_NOT_READY', details: { reason: 'evidence', errno: 'ENOSPC' } });
    expect(pressed(at)).toEqual([]);
    expect(await at.rpc.result('desktop.health')).toMatchObject({ bridge: { schemaVersion: 1 } });
    at.person.send({ type: 'pause', on: true });
    await at.person.next('status', ({ status }) => status.paused !== null);
    rmSync(join(folder, 'filler'));
    at.person.send({ type: 'pause', on: false });
    await at.person.next('status', ({ status }) => status.paused === null);
    const again = at.rpc.call('desktop.click', CLICK_SEND);
    await at.person.answer('allow');
    expect((await again).result).toMatchObject({ clicked: true });
  });

  test('under the state folder: the host does not start, and the command line says what to do', async () => {
    const home = createHome();
    try {
      const own = { CHAPERONE_HOME: join(folder, 'home') };
      mkdirSync(own.CHAPERONE_HOME, { mode: 0o700 });
      fill();
      const ended = await home.run(['host'], own);
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toMatch(
        /^Chaperone could not write: ENOSPC[^\n]*\nFree some space on that disk, then try again\.\n$/,
      );
    } finally {
      await home.close();
    }
  });
});
