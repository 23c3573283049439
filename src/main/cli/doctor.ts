/** `chaperone doctor`: checks this machine and the running host, and says how to mend what is missing. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import * as z from 'zod';
import { healthSchema } from '../protocol/index.js';
import { ifHost, paths } from './running.js';
import { VERSION } from '../protocol/version.js';

export interface Finding {
  name: string;
  ok: boolean;
  /** What was seen. */
  seen: string;
  /** What to do; null where nothing is to be done. */
  fix: string | null;
}

interface Machine {
  platform: string;
  env: Readonly<Record<string, string | undefined>>;
  /** True when a program of that name is on the search path. */
  has(program: string): boolean;
}

const shownSchema = z.looseObject({ url: z.string(), health: healthSchema.nullable() });

/** Programs of the private virtual desktop and the Debian packages that bring them. */
const VIRTUAL = new Map([
  ['Xvfb', 'xvfb'],
  ['openbox', 'openbox'],
  ['dbus-daemon', 'dbus-daemon'],
]);

export async function doctor(options: { json?: boolean }): Promise<void> {
  const findings = [...checkMachine(thisMachine()), checkFolders(), ...(await checkHost())];
  if (options.json === true) process.stdout.write(`${JSON.stringify({ version: VERSION, findings }, null, 2)}\n`);
  else process.stdout.write(`${findings.map(line).join('\n')}\n`);
  if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
}

export function checkMachine(machine: Machine): Finding[] {
  const node: Finding = { name: 'node', ok: true, seen: process.version, fix: null };
  return machine.platform === 'linux' ? [node, checkDisplay(machine), checkVirtual(machine)] : [node];
}

function checkDisplay({ env }: Machine): Finding {
  const display = env['DISPLAY'];
  if (display !== undefined) return { name: 'display', ok: true, seen: `X11 at ${display}`, fix: null };
  const seen = env['WAYLAND_DISPLAY'] === undefined ? 'none at hand' : 'Wayland only, which cannot be controlled yet';
  return { name: 'display', ok: true, seen: `${seen}: the host uses a private virtual desktop`, fix: null };
}

function checkVirtual({ env, has }: Machine): Finding {
  const absent = [...VIRTUAL].filter(([program]) => !has(program));
  if (absent.length === 0) return { name: 'virtual desktop', ok: true, seen: 'all programs present', fix: null };
  const packages = absent.map(([, name]) => name).join(' ');
  return {
    name: 'virtual desktop',
    ok: env['DISPLAY'] !== undefined,
    seen: `missing: ${absent.map(([program]) => program).join(', ')}`,
    fix: `sudo apt-get install --no-install-recommends ${packages} at-spi2-core`,
  };
}

function checkFolders(): Finding {
  const { config, state, runtime } = paths();
  for (const folder of [config, state, runtime]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      const seen = `${folder}: ${error instanceof Error ? error.message : String(error)}`;
      return {
        name: 'folders',
        ok: false,
        seen,
        fix: `Make ${folder} writable for you, or set CHAPERONE_HOME to a folder that is.`,
      };
    }
  }
  return { name: 'folders', ok: true, seen: state, fix: null };
}

async function checkHost(): Promise<Finding[]> {
  const shown = await ifHost(async (session) => shownSchema.parse(await session.request('admin/status', {})));
  if (shown === null)
    return [{ name: 'host', ok: true, seen: 'not running', fix: 'An agent starts it, or run `chaperone host`.' }];
  const { url, health } = shown;
  const detail = health === null ? '' : `: ${health.hostVersion} on ${health.backend}, ${health.display}`;
  const issues = health?.issues ?? [];
  return [
    { name: 'host', ok: true, seen: `running at ${url}${detail}`, fix: null },
    ...issues.map((issue) => ({ name: 'host', ok: false, seen: issue.title, fix: issue.fix })),
  ];
}

function line({ name, ok, seen, fix }: Finding): string {
  return `${ok ? 'ok ' : 'NO '} ${name}: ${seen}${fix === null ? '' : `\n      ${fix}`}`;
}

function thisMachine(): Machine {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return {
    platform: process.platform,
    env: process.env,
    has: (program) => folders.some((folder) => existsSync(join(folder, program))),
  };
}
