import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** A private 1920×1080 session with our backend on it; `show` starts a program and resolves its pid once its window is there. */
export async function openDesktop({ folder, own }) {
  const { startVirtualSession, openLinux } = await import('../dist/native/linux/index.js');
  const { createProcessTable } = await import('../dist/native/peer/index.js');
  const session = await startVirtualSession({ width: 1920, height: 1080, runtimeDir: folder });
  own(() => session.close());
  const log = { info: () => undefined, warn: () => undefined };
  const desktop = await openLinux({ env: session.env, processes: createProcessTable(), log });
  own(() => desktop.close());
  return { folder, own, session, desktop, show: (program, args) => show(desktop, session, program, args) };
}

async function show(desktop, session, program, args) {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...session.env }, stdio: 'ignore' });
  const signal = AbortSignal.timeout(60_000);
  const limits = { maxDepth: 3, maxNodes: 20, timeoutMs: 5000 };
  for (;;) {
    const window = (await desktop.windows(signal)).find((one) => one.app.pid === child.pid);
    const scope = { pid: child.pid, windowId: window?.id };
    if (window !== undefined && (await desktop.tree(scope, limits, signal)).nodes.length > 2) return child.pid;
    await pause(100, undefined, { signal });
  }
}
