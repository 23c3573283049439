/** The workflow for macOS: what it runs exists. Whether it passes, only GitHub can say. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const library = createRequire(import.meta.url);
const builder = createRequire(createRequire(library.resolve('electron-builder')).resolve('app-builder-lib'));
const { load } = z
  .object({ load: z.custom<(text: string) => unknown>((given) => typeof given === 'function') })
  .parse(builder('js-yaml'));

const workflow = z
  .object({
    permissions: z.object({ contents: z.literal('read') }),
    jobs: z.record(
      z.string(),
      z.object({
        'runs-on': z.string(),
        'timeout-minutes': z.number(),
        strategy: z.object({ matrix: z.object({ runner: z.array(z.string()) }) }).optional(),
        steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() }).loose()),
      }),
    ),
  })
  .loose()
  .parse(load(readFileSync(join(ROOT, '.github/workflows/macos.yml'), 'utf8')));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
const lines = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

describe('[req:MT-CI-1] the workflow for macOS', () => {
  it('has Apple’s and Intel’s processors, and the stand-ins on Linux', () => {
    expect(workflow.jobs['mac']?.strategy?.matrix.runner).toEqual([
      'macos-14',
      'macos-15',
      'macos-26',
      'macos-15-intel',
    ]);
    expect(workflow.jobs['stand-in']?.['runs-on']).toMatch(/^ubuntu-/);
  });

  it('runs only scripts and tests that there are', () => {
    const named = lines.flatMap((line) => [...line.matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name = '']) => name));
    expect(named).toEqual(expect.arrayContaining(['setup', 'test', 'package']));
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
    const paths = lines.flatMap((line) => [...line.matchAll(/\b(?:test|scripts)\/[\w./-]+/g)].map(([path]) => path));
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
  });

  it('builds the addon, packages, and does each step of a hosted Mac; none may fail', () => {
    const all = lines.join('\n');
    for (const part of [
      'node scripts/addon.mjs',
      ...['contract', 'self-test', 'app', 'service'].map((step) => `node scripts/hosted-mac.mjs ${step}`),
      'playwright install webkit',
      'package -- --dir --unsigned',
      'test/native/macos',
    ])
      expect(all).toContain(part);
    expect(all).not.toContain('||');
    const tables = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'));
    expect(JSON.stringify(tables)).toMatch(/always\(\).*contract\.md.*self-test-\*\.md/);
    expect(steps.filter((step) => 'continue-on-error' in step)).toEqual([]);
  });

  it('uses actions of GitHub only, by version', () => {
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
  });
});
