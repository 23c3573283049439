/**
 * The composition root: builds a running host that serves agents over the socket and people over the page. Called by
 * `chaperone host` and by the menubar app. Everything opened here is closed here, in reverse order.
 */
import { mkdir } from 'node:fs/promises';
import { giveBackPixels } from '../../native/memory.js';
import { openDesktop, type OpenedDesktop } from '../../native/open.js';
import { createProcessTable, granteeOfThisProcess } from '../../native/peer/index.js';
import type { ProcessTable } from '../../native/peer/types.js';
import { withLengthLimits } from '../../native/methods.js';
import { createClosers, type Closers } from './closers.js';
import { claimHost } from './discovery.js';
import type { Host, HostOptions } from './options.js';
import { hostPolicy } from './policy.js';

export type { Host, HostOptions } from './options.js';
export type { MenubarHost, MenubarApp } from '../serve/menubar-app.js';

/** Rejects, with everything closed again, for an invalid policy, another running host, or an unavailable port or folder. */
export async function createHost(options: HostOptions): Promise<Host> {
  const closers = createClosers();
  giveBackPixels();
  try {
    return await open(options, closers);
  } catch (thrown) {
    await closers.close();
    throw thrown;
  }
}

async function open(options: HostOptions, closers: Closers): Promise<Host> {
  const { paths } = options;
  const policy = hostPolicy(options);
  const lock = await claimHost(paths);
  closers.add(lock.release);
  await mkdir(paths.config, { recursive: true, mode: 0o700 });
  const processes = createProcessTable();
  const opened = await openTheDesktop(options, processes, closers, () => void load().catch(() => undefined));
  const { runHost } = await load();
  return runHost({ options, policy, processes, opened }, closers);
}

/** Most of the host's code, read while the programs of a desktop start; in parts, because nothing is heard of them while one is read. */
async function load() {
  await import('../pipeline/run.js');
  await import('../tools/index.js');
  return import('./run.js');
}

async function openTheDesktop(
  {
    backend,
    display,
    wayland = false,
    env,
    log,
    startHelper,
    grantee = granteeOfThisProcess,
    openDesktop: open = openDesktop,
  }: HostOptions,
  processes: ProcessTable,
  closers: Closers,
  onIdle: () => void,
): Promise<OpenedDesktop> {
  const unbounded = await open({
    ...{ backend, display, wayland, env, log, processes, startHelper, onIdle },
    grantee: grantee(),
  });
  closers.add(() => unbounded.close());
  return { ...unbounded, desktop: withLengthLimits(unbounded.desktop) };
}
