/** The self-test of this machine. On a Mac it tries every member of the desktop's interface and saves the table; on Linux, every ability on a window of its own. */
import { writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { DesktopBackend } from '../../native/desktop.js';
import { loadPermissionsLibrary } from '../../native/xpc/index.js';
import type { AbilityRow } from '../../native/linux/index.js';
import { openDesktop, type StartHelper } from '../../native/open.js';
import { createProcessTable, granteeOfThisProcess } from '../../native/peer/index.js';
import {
  MAC_ACTORS,
  countsOf,
  createMacWitness,
  type Asking,
  reportText,
  runProgram,
  runSelfTest,
  verdictOf,
  type Actors,
  type Row,
  type SelfTestOptions,
  type Witness,
} from '../../native/self-test/index.js';
import { VERSION } from '../protocol/local-command.js';

export type { Asking };

export interface SelfTestPlace {
  open(): Promise<DesktopBackend>;
  witness: Witness;
  actors: Actors;
  /** Where the table is saved. */
  folder: string;
  now(): Date;
  limits?: Pick<SelfTestOptions, 'limitMs' | 'agreeMs' | 'personMs'>;
}

export interface SelfTestResult {
  /** The table. */
  file: string;
  verdict: ReturnType<typeof verdictOf>;
  counts: ReturnType<typeof countsOf>;
}

/** `ask` tells the person what to do. The app starts helpers of its own; on plain Node they are processes of Node. */
export const thisMac = (
  log: Logger,
  signal: AbortSignal,
  ask: (what: Asking) => void,
  startHelper?: StartHelper,
): SelfTestPlace => ({
  open: () => openMac(log, startHelper),
  witness: createMacWitness(runProgram, signal, ask, () => loadPermissionsLibrary()?.read() ?? null),
  actors: MAC_ACTORS,
  folder: process.cwd(),
  now: () => new Date(),
});

async function openMac(log: Logger, startHelper?: StartHelper): Promise<DesktopBackend> {
  const options = { display: 'current', env: process.env, log, processes: createProcessTable(), startHelper } as const;
  return (await openDesktop({ backend: 'macos', ...options })).desktop;
}

/** `onRow` gets each row as it comes. */
export async function testDesktop(
  { open, witness, actors, folder, now, limits }: SelfTestPlace,
  onRow: (row: Row) => void,
  signal: AbortSignal,
): Promise<SelfTestResult> {
  const desktop = await open();
  const grantee = granteeOfThisProcess()?.path ?? 'unknown';
  const facts = { chaperone: VERSION, system: desktop.version, processor: arch(), node: process.version, grantee };
  const rows = await runSelfTest({ desktop, another: open, witness, actors, signal, onRow, ...limits }).finally(() =>
    desktop.close(),
  );
  const file = resolve(folder, `chaperone-self-test-${now().toISOString().slice(0, 10)}.md`);
  await writeFile(file, reportText(rows, facts));
  return { file, verdict: verdictOf(rows), counts: countsOf(rows) };
}

export type { AbilityRow };

export interface LinuxTest {
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
  signal: AbortSignal;
  /** Asked once the desktop is open, before anything shows on it; rejects where the person does not want it. */
  onStart(display: string): Promise<void>;
  /** For each row as it comes. */
  onRow(row: AbilityRow): void;
  limitMs?: number;
}

/** On the person's own display, or on a private one where there is none, as a host would. Rejects where neither can be used. */
export async function testLinux({ env, log, onStart, ...test }: LinuxTest): Promise<AbilityRow[]> {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  const display = isSet('WAYLAND_DISPLAY') || isSet('DISPLAY') ? 'current' : 'virtual';
  const opened = await openDesktop({
    backend: 'linux',
    display,
    env: { ...env },
    log,
    processes: createProcessTable(),
  });
  try {
    await onStart(opened.display);
    const { tryDesktop } = await import('../../native/linux/index.js');
    return await tryDesktop(opened.desktop, { env: display === 'current' ? { ...env } : (opened.env ?? {}), ...test });
  } finally {
    await opened.close();
  }
}
