/** `npm run bench [-- names]`: measures Chaperone beside a peer or a floor in one run, and writes bench/RESULTS.md when all were run. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { main, root } from './lib/run.mjs';
import { setup } from './setup.mjs';

const NEEDS_DESKTOP = new Set(['find', 'screenshot']);
const ALL = ['calls', 'frames', 'find', 'acts', 'screenshot', 'start', 'page', 'scrolling'];

await main(async (args) => {
  await setup({ test: true });
  const { machine, report } = await import('../bench/report.mjs');
  const before = await machine();
  const sections = [];
  for (const name of args.length > 0 ? args : ALL) sections.push({ name, rows: await measure(name) });
  const text = report(before, sections);
  console.log(text);
  if (args.length === 0) writeFileSync(join(root, 'bench/RESULTS.md'), text);
});

async function measure(name) {
  console.error(`measuring ${name} …`);
  const module = await import(`../bench/${name}.mjs`);
  const folder = mkdtempSync(join(tmpdir(), 'chp-bench-'));
  const closers = [() => rmSync(folder, { recursive: true, force: true })];
  const own = (close) => void closers.unshift(close);
  try {
    return await module[name](NEEDS_DESKTOP.has(name) ? await openDesktop(folder, own) : { folder, own });
  } finally {
    for (const close of closers) await close();
  }
}

/** A private 1920×1080 session with our backend on it; `show` starts a program and resolves its pid once its window is there. */
async function openDesktop(folder, own) {
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
