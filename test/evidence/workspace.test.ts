import { lstat, mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepsInside } from '../../src/main/approvals/files.js';
import { resolveWorkspace } from '../../src/main/evidence/execution-folder.js';

let base = '';
let root = '';

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-workspace-')));
  root = join(base, 'root');
  for (const folder of ['a/b/.git/c', '.hidden/x', 'ünï cödé']) await mkdir(join(root, folder), { recursive: true });
  await mkdir(join(base, 'root-other/a'), { recursive: true });
  await mkdir(join(base, 'outside/a'), { recursive: true });
  await writeFile(join(root, 'file'), '');
  await symlink(join(base, 'outside'), join(root, 'out'));
  await symlink('../../outside', join(root, 'a/out'));
  await symlink('b', join(root, 'a/in'));
  await symlink('loop', join(root, 'loop'));
  await symlink('nowhere', join(root, 'dangling'));
  await symlink(join(root, 'a'), join(base, 'outside/back'));
  await symlink(join(root, '.hidden'), join(root, 'shown'));
});

afterAll(() => rm(base, { recursive: true, force: true }));

const resolving = (path: unknown) => resolveWorkspace(root, path);
const refusal = (reason: string) => ({
  code: 'DESKTOP_WORKSPACE_FORBIDDEN',
  details: { reason },
  message: expect.stringContaining('WORKSPACE_ROOT'),
});

describe('a workspace', () => {
  it.each([
    ['', 'root', false],
    ['a/b', 'root/a/b', false],
    ['a/../a/./b/', 'root/a/b', false],
    ['a/in', 'root/a/b', false],
    ['ünï cödé', 'root/ünï cödé', false],
    ['a/b/.git/c', 'root/a/b/.git/c', true],
    ['.hidden/x', 'root/.hidden/x', true],
    ['shown/x', 'root/.hidden/x', true],
    ['../outside/back/b', 'root/a/b', false],
    ['out/back/b', 'root/a/b', false],
  ])('%j is %s', async (path, expected, hidden) => {
    expect(await resolving(`${root}/${path}`)).toEqual({ path: join(base, expected), hidden });
  });

  it.each([
    ['missing', 'missing'],
    ['dangling', 'missing'],
    ['file', 'not_a_folder'],
    ['file/x', 'not_a_folder'],
    ['loop', 'link'],
    ['out', 'link'],
    ['out/a', 'link'],
    ['a/out/a', 'link'],
    ['..', 'outside'],
    ['../root-other', 'outside'],
    ['../root-other/a', 'outside'],
    ['../nothing/there', 'outside'],
    ['../../../../../../..', 'outside'],
    ['a\0b', 'invalid'],
  ])('%j is refused as %s', async (path, reason) => {
    await expect(resolving(`${root}/${path}`)).rejects.toMatchObject(refusal(reason));
  });

  it.each([['a'], ['./a'], ['~'], ['../root']])('%j is refused as relative', async (path) => {
    await expect(resolving(path)).rejects.toMatchObject(refusal('relative'));
  });

  it.each([[''], [null], [7], [{}]])('%j is no path at all', async (path) => {
    await expect(resolving(path)).rejects.toMatchObject(refusal('invalid'));
  });

  it('is at most as long as a path can be', async () => {
    await expect(resolving('/'.repeat(5000))).rejects.toMatchObject(refusal('invalid'));
  });

  it('may have a root that is itself a link or hidden', async () => {
    await symlink(root, join(base, 'linked-root'));
    const linked = join(base, 'linked-root');
    expect(await resolveWorkspace(linked, join(linked, 'a'))).toEqual({ path: join(root, 'a'), hidden: false });
    await expect(resolveWorkspace(linked, join(linked, 'out'))).rejects.toMatchObject(refusal('link'));
    const hidden = join(root, '.hidden');
    expect(await resolveWorkspace(hidden, join(hidden, 'x'))).toEqual({ path: join(hidden, 'x'), hidden: false });
    await expect(resolveWorkspace(join(base, 'gone'), root)).rejects.toMatchObject(refusal('missing'));
    expect(await resolveWorkspace('/', base)).toEqual({ path: base, hidden: false });
  });
});

const names = fc.constantFrom(
  'a',
  'b',
  '.',
  '..',
  '',
  'in',
  'out',
  'back',
  'file',
  '.hidden',
  'x',
  'shown',
  'root',
  'root-other',
  'outside',
  'loop',
  'dangling',
);

/** Every entry below a folder, links not followed: what it is, where a link leads, and when it was changed last. */
async function entriesOf(folder: string): Promise<Record<string, object>> {
  const found: Record<string, object> = {};
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    const facts = await lstat(path, { bigint: true });
    found[path] = {
      mode: facts.mode,
      inode: facts.ino,
      changed: facts.ctimeNs,
      leads: facts.isSymbolicLink() ? await readlink(path) : null,
    };
    if (facts.isDirectory()) Object.assign(found, await entriesOf(path));
  }
  return found;
}

function trulyInside(path: string): string | null {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() && `${real}/`.startsWith(`${root}/`) ? real : null;
  } catch {
    return null;
  }
}

describe('any path at all', () => {
  it('[req:DS-12-3] is accepted exactly when its real folder is inside', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('root', '', 'outside', 'root/a'),
        fc.array(names, { maxLength: 9 }),
        async (from, steps) => {
          const path = `${base}/${from}/${steps.join('/')}`;
          const expected = trulyInside(path);
          if (expected === null)
            await expect(resolving(path)).rejects.toMatchObject({ code: 'DESKTOP_WORKSPACE_FORBIDDEN' });
          else expect((await resolving(path)).path).toBe(expected);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('changes nothing on disk', async () => {
    const before = await entriesOf(base);
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 60 }),
        async (path) => void (await resolving(`${root}/${path}`).catch(() => null)),
      ),
    );
    const after = await entriesOf(base);
    const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((path) => !isDeepStrictEqual(before[path], after[path]))
      .map((path) => `${path}: ${inspect(before[path])} → ${inspect(after[path])}`);
    expect(differing).toEqual([]);
  });
});

describe('containment', () => {
  const step = fc.stringMatching(/^[a-z.]{1,4}$/).filter((it) => it !== '.' && it !== '..');
  const steps = fc.array(step, { maxLength: 5 });
  const at = (parts: string[]) => sep + parts.join(sep);

  it('goes by whole steps, never by the beginning of a name', () => {
    fc.assert(
      fc.property(steps, steps, (one, two) => {
        const inside = one.length <= two.length && one.every((name, index) => name === two[index]);
        expect(stepsInside(at(one), at(two))).toEqual(inside ? two.slice(one.length) : null);
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), step, steps, (one, more, rest) => {
        expect(stepsInside(at(one), `${at(one)}${more}${at(rest)}`)).toBeNull();
      }),
    );
    expect(stepsInside('/a', '/a/..b')).toEqual(['..b']);
  });
});
