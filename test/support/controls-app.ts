import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DesktopApp } from './desktop-app.js';

export interface ControlsApp extends DesktopApp {
  /** What one control told, in order. */
  told(control: string, event: string): Promise<string[]>;
}

/** The application with every kind of control, on the desktop that `env` names. */
export async function startControls(
  kit: 'gtk' | 'qt',
  env: Record<string, string>,
  title: string,
): Promise<ControlsApp> {
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-controls-'));
  const file = join(folder, 'journal.jsonl');
  await writeFile(file, '');
  const program = join(import.meta.dirname, 'apps', `${kit}-controls.py`);
  const child = spawn('/usr/bin/python3', [program, '--journal', file, '--title', title], {
    env: { ...env, PATH: '/usr/bin:/bin' },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // What follows the last line break is still being written.
  const journal: DesktopApp['journal'] = async () =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { control: string; event: string; value: string });
  return {
    pid: child.pid ?? 0,
    journal,
    told: async (control, event) =>
      (await journal()).filter((one) => one.control === control && one.event === event).map((one) => one.value),
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
