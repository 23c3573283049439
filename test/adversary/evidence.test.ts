import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { gone } from '../support/other.js';
import { settle } from '../support/person.js';
import { CLICK_SEND, MAIL, startScene, type Scene } from '../support/world.js';

let scene: Scene;
const FORBIDDEN = 'DESKTOP_WORKSPACE_FORBIDDEN';
let elsewhere: string;
beforeEach(async () => {
  scene = await startScene();
  elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-elsewhere-')));
});
afterEach(async () => {
  await scene.close();
  await rm(elsewhere, { recursive: true, force: true });
});

/** Puts a link where the folder was, and the folder back, as fast as it can until its input ends. */
const SWAP = `
  const fs = require('node:fs');
  const [folder, elsewhere] = process.argv.slice(1);
  const aside = folder + '.aside';
  const tries = (step) => { try { step(); } catch {} };
  let going = true;
  process.stdin.resume().on('end', () => { going = false; });
  const turn = () => {
    tries(() => fs.renameSync(folder, aside));
    tries(() => fs.symlinkSync(elsewhere, folder));
    tries(() => fs.unlinkSync(folder));
    tries(() => fs.renameSync(aside, folder));
    if (going) setImmediate(turn);
  };
  turn();
`;

async function everythingIn(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true });
}

const OBSERVE = { route: MAIL, options: { includeScreenshot: false } };

describe('evidence [req:DS-8-2]', () => {
  test.each(['artifacts', 'artifacts/desktop'])('is never led outside by a link swapped in for %s', async (place) => {
    const first = scene.rpc.call('desktop.find', { route: MAIL, selector: { byRole: 'AXButton' } });
    await scene.person.answer('allow');
    expect((await first).result).toBeDefined();
    const swapper = spawn(process.execPath, ['-e', SWAP, join(scene.workspace, place), elsewhere]);
    // It would take a core for good from the tests that follow one that fails.
    onTestFinished(() => void swapper.kill('SIGKILL'));
    const codes = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          scene.rpc.call('desktop.find', { route: MAIL, selector: { byRole: 'AXButton' } }),
        ),
      );
      for (const { error } of answers) codes.add(error?.code ?? 'done');
    }
    swapper.stdin.end();
    await gone(swapper);
    expect(await everythingIn(elsewhere)).toEqual([]);
    for (const code of codes)
      expect(['done', 'DESKTOP_WORKSPACE_FORBIDDEN', 'DESKTOP_HOST_NOT_READY', 'DESKTOP_INTERNAL_ERROR']).toContain(
        code,
      );
    const after = await scene.rpc.call('desktop.find', { route: MAIL, selector: { byRole: 'AXButton' } });
    expect(after.result).toBeDefined();
  });

  test('goes nowhere when its folder is a link, and then nothing is done', async () => {
    await symlink(elsewhere, join(scene.workspace, 'artifacts'));
    const click = scene.rpc.call('desktop.click', CLICK_SEND);
    expect((await click).error).toMatchObject({ code: 'DESKTOP_WORKSPACE_FORBIDDEN' });
    expect(scene.world.journal().filter(({ event }) => event === 'pressed')).toEqual([]);
    expect(await everythingIn(elsewhere)).toEqual([]);
  });

  test('whose folder is taken away while the person thinks is led nowhere else', async () => {
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    const { approval } = await scene.person.next('approvalRequested');
    const place = (await everythingIn(scene.workspace)).find((path) => path.endsWith(approval.executionId));
    const folder = join(scene.workspace, place ?? 'missing');
    await rename(folder, `${folder}.taken`);
    await symlink(elsewhere, folder);
    await settle(scene.person, approval, 'allow');
    const { result, error } = await call;
    expect(await everythingIn(elsewhere)).toEqual([]);
    if (error === undefined) expect(result).toMatchObject({ clicked: true, effect: 'confirmed' });
    else expect(scene.world.journal().filter(({ event }) => event === 'pressed')).toEqual([]);
  });

  test.each([
    ['outside', FORBIDDEN, () => elsewhere],
    ['up and out', FORBIDDEN, () => join(scene.workspace, '..')],
    ['through a link inside', FORBIDDEN, () => join(scene.workspace, 'link')],
    ['a neighbour with the same beginning', FORBIDDEN, () => `${scene.workspace}-more`],
    ['the host’s own folder', FORBIDDEN, () => join(scene.home, 'state')],
    ['nothing', 'DESKTOP_INVALID_REQUEST', () => ''],
    ['relative', FORBIDDEN, () => 'work'],
    ['with a NUL', FORBIDDEN, () => `${scene.workspace}\u0000/x`],
  ])('workspace %s is refused before anything is done [req:BC-2.1-2] [req:BC-2.1-3]', async (_what, code, path) => {
    await symlink(elsewhere, join(scene.workspace, 'link'));
    await mkdir(`${scene.workspace}-more`, { recursive: true });
    const error = await scene.rpc.error('desktop.click', CLICK_SEND, { workspacePath: path() });
    expect(error.code).toBe(code);
    expect(scene.person.seen.filter(({ type }) => type === 'approvalRequested')).toEqual([]);
    expect(await everythingIn(elsewhere)).toEqual([]);
    await rm(`${scene.workspace}-more`, { recursive: true, force: true });
  });

  test('keeps no password that an observation came by', async () => {
    const call = scene.rpc.call('desktop.observe', OBSERVE);
    await scene.person.answer('allow');
    const { result } = await call;
    const { dir } = result?.['evidence'] as { dir: string };
    for (const name of await readdir(dir))
      expect(String(await readFile(join(dir, name)))).not.toContain('correct horse');
  });
});
