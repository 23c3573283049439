import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const APPS = join(import.meta.dirname, 'apps');

export interface DesktopApp {
  pid: number;
  /** What the application itself wrote down: the only witness that counts. */
  journal(): Promise<{ control: string; event: string; value: string }[]>;
  close(): Promise<void>;
}

/** A fixture application on the desktop that `env` names. */
export async function startApp(
  kit: 'gtk' | 'qt',
  env: Record<string, string>,
  args: string[] = [],
  script = join(APPS, `${kit}-fixture.py`),
): Promise<DesktopApp> {
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-app-'));
  const file = join(folder, 'journal.jsonl');
  await writeFile(file, '');
  const child = spawn('/usr/bin/python3', [script, '--journal', file, ...args], {
    env: { ...env, PATH: '/usr/bin:/bin' },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    pid: child.pid ?? 0,
    // What follows the last line break is still being written.
    journal: async () =>
      (await readFile(file, 'utf8'))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { control: string; event: string; value: string }),
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
