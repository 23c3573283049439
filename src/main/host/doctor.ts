/** Checks this machine and the host's folders, and says how to fix problems. Changes nothing and raises no prompt. Called by the page's Health view and by `chaperone doctor`. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { verifyEvidence, type VerifyResult } from '../evidence/index.js';
import type { Finding, Health } from '../protocol/index.js';
import { loadServiceAddon } from '../../native/xpc/index.js';
import type { HostPaths } from './paths.js';
import type { Doctor } from '../serve/page/watching.js';
import { message, verbatim, type Message } from '../../messages/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

type DoctorMachine = ReturnType<typeof thisMachine>;

/** Programs of the private virtual desktop and their Debian packages. */
const VIRTUAL_DESKTOP_PROGRAMS = new Map([
  ['Xvfb', 'xvfb'],
  ['openbox', 'openbox'],
  ['dbus-daemon', 'dbus-daemon'],
]);

export function thisMachine(env: Environment) {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return {
    platform: process.platform,
    env,
    /** True when a program of that name is on the search path. */
    has: (program: string): boolean => folders.some((folder) => existsSync(join(folder, program))),
    /** The native part of the bridge service. */
    addon: loadServiceAddon,
  };
}

export function checkMachine(machine: DoctorMachine): Finding[] {
  const node = passed('node', verbatim(process.version));
  if (machine.platform === 'darwin') return [node, checkAddon(machine)];
  return machine.platform === 'linux' ? [node, checkDisplay(machine), checkVirtual(machine)] : [node];
}

/** No fault without it: programs use the socket. */
function checkAddon({ addon }: DoctorMachine): Finding {
  const loaded = addon();
  if (loaded.kind === 'loaded') return passed('bridge service', message('doctor.addon'));
  return {
    name: 'bridge service',
    ok: true,
    seen: message('service.no_addon', { why: loaded.why }),
    fix: message('doctor.build_addon'),
    command: 'xcode-select --install',
  };
}

function checkDisplay({ env }: DoctorMachine): Finding {
  const [wayland = '', display] = [env['WAYLAND_DISPLAY'], env['DISPLAY']];
  if (wayland !== '') return passed('display', message('doctor.wayland_only', { display: wayland }));
  return passed('display', display === undefined ? message('doctor.no_display') : message('doctor.x11', { display }));
}

function checkVirtual({ env, has }: DoctorMachine): Finding {
  const absent = [...VIRTUAL_DESKTOP_PROGRAMS].filter(([program]) => !has(program));
  if (absent.length === 0) return passed('virtual desktop', message('doctor.all_programs'));
  const packages = absent.map(([, name]) => name).join(' ');
  return {
    name: 'virtual desktop',
    ok: env['DISPLAY'] !== undefined,
    seen: message('doctor.missing_programs', { programs: absent.map(([program]) => program).join(', ') }),
    fix: message('doctor.install'),
    command: `sudo apt-get install --no-install-recommends ${packages} at-spi2-core`,
  };
}

export function checkFolders({ config, state, runtime }: Pick<HostPaths, 'config' | 'state' | 'runtime'>): Finding {
  for (const folder of [config, state, runtime]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const seen = message('doctor.folder_failed', { folder, why });
      const fix = message('doctor.make_writable', { folder });
      return { name: 'folders', ok: false, seen, fix, command: null };
    }
  }
  return passed('folders', verbatim(state));
}

/** The library for pictures is loaded with the first one, so a host starts without it. */
export async function checkPictures(load: () => Promise<unknown> = () => import('sharp')): Promise<Finding> {
  try {
    await load();
    return passed('pictures', message('doctor.pictures'));
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    const fix = message('doctor.install_again');
    return { name: 'pictures', ok: false, seen: message('doctor.no_pictures', { why }), fix, command: null };
  }
}

export function passed(name: string, seen: Message): Finding {
  return { name, ok: true, seen, fix: null, command: null };
}

/** One row for the server, and one for each ability. What nothing can bring is no fault. */
export function provisionsIn(health: Health | null): Finding[] {
  const provides = health?.provides ?? [];
  const rows = provides.map(({ ability, by, lacks, command }): Finding => {
    const seen = by === null ? message('doctor.not_given') : message('doctor.given_by', { by });
    return { name: ability, ok: command === null, seen, fix: lacks, command };
  });
  return rows.length === 0 || health === null ? [] : [passed('display server', verbatim(health.platform)), ...rows];
}

interface DoctorOptions {
  paths: HostPaths;
  env: Environment;
  workspaceRoot: string;
  health: { now(): Health | null; refresh(): Promise<void> };
  now(): Date;
}

const PROBLEMS_SHOWN = 20;

/** One check at a time: callers that ask while it runs get its result. */
export function createDoctor({ paths, env, workspaceRoot, health, now }: DoctorOptions): Doctor {
  let verifying: Promise<VerifyResult> | null = null;

  function verify(): Promise<VerifyResult> {
    verifying ??= verifyEvidence({ stateDir: paths.state }).finally(() => {
      verifying = null;
    });
    return verifying;
  }

  return {
    async check(record) {
      await health.refresh();
      const result = record ? await verify() : null;
      const log = join(paths.state, 'host.log');
      return {
        at: now().toISOString(),
        findings: [
          ...checkMachine(thisMachine(env)),
          await checkPictures(),
          checkFolders(paths),
          ...provisionsIn(health.now()),
          ...(health.now()?.doors ?? []).map((door) => passed('door', door)),
        ],
        record: result === null ? null : toReport(result),
        places: [
          { name: 'state', path: paths.state },
          { name: 'config', path: paths.config },
          ...(existsSync(log) ? [{ name: 'log' as const, path: log }] : []),
          { name: 'evidence', path: join(workspaceRoot, '…', 'artifacts', 'desktop') },
        ],
      };
    },
  };
}

function toReport({ ok, lines, problems, notes }: VerifyResult) {
  return {
    ok,
    lines,
    problems: problems.slice(0, PROBLEMS_SHOWN).map(({ description }) => description),
    problemCount: problems.length,
    notes: notes.slice(0, PROBLEMS_SHOWN),
  };
}
