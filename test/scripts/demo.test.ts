import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve as absolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { shellLine } from '../../src/main/protocol/local-command.js';

const main = new URL('../../scripts/demo/main.mjs', import.meta.url).href;

/** Virtual desktop, GTK application, shim, page in Chromium: the demo checks each step by the application's own state. */
it('[req:DS-12-2] the demo plays the main job from end to end', { timeout: 180_000 }, async () => {
  const code = `const { demo } = await import('${main}'); process.exitCode = await demo({ auto: true });`;
  const line = shellLine([process.execPath, '--input-type=module', '-e', code]);
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const exit = await new Promise((resolve) => child.on('close', resolve));
  expect(output).toContain('Everything happened, and the application says so itself.');
  expect(output).not.toContain('✗');
  expect(exit).toBe(0);
  // What it says of its evidence holds after it has ended, and the page that ends with it is not named.
  const folder = /evidence lies in (\S+)/.exec(output)?.[1] ?? '';
  expect(['before.png', 'after.png', 'result.json'].map((name) => existsSync(join(folder, name)))).toEqual([true, true, true]); // prettier-ignore
  expect(output).not.toContain('#/evidence/');
  const left = absolute(folder, '../../../../..');
  expect(existsSync(join(left, 'home'))).toBe(false);
  rmSync(left, { recursive: true });
});
