/** The page as `npm run build` makes it, built if it is stale: in a process of its own, so that nothing of the tests' environment gets into it. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built page lies. */
    page: string;
  }
}

const ROOT = resolve(import.meta.dirname, '../..');

export default async function setup(project: TestProject): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build.mjs'), 'page'], { cwd: ROOT, env });
  project.provide('page', join(ROOT, 'dist/renderer'));
}
