/** `chaperone host` as a process of its own, which can be killed without a word and started again in the same home. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { vi } from 'vitest';
import { join } from 'node:path';
import { createHome, type Home, type Running } from './command.js';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';

export interface Killable {
  home: string;
  workspace: string;
  /** Of the host that runs now. */
  host: { url: string; link: string; socketPath: string };
  command: Home;
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** `more`: further arguments of the command. */
export async function startKillable(more: readonly string[] = []): Promise<Killable> {
  const command = createHome();
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'chaperone-work-')));
  let running: Running | null = null;

  const killable: Killable = {
    home: command.path,
    workspace,
    host: { url: '', link: '', socketPath: '' },
    command,
    async start() {
      const started = command.start(['host', '--print-pairing', '--workspace-root', workspace, ...more]);
      running = started;
      const link = () => /^http:\S+#pair=\S+$/m.exec(started.stdout())?.[0];
      const ended = started.ended.then(() => Promise.reject(new Error(`the host ended: ${started.stderr()}`)));
      const printed = vi.waitUntil(() => link() !== undefined, { timeout: 50_000 });
      await Promise.race([printed, ended]);
      const socketPath = readBridge(hostPaths({ CHAPERONE_HOME: command.path }))?.socket ?? '';
      killable.host = { url: started.stdout().split('\n')[0] ?? '', link: link() ?? '', socketPath };
    },
    async kill() {
      running?.child.kill('SIGKILL');
      await running?.ended;
    },
    async close() {
      await command.close();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
  await killable.start();
  return killable;
}
