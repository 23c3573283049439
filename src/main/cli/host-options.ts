/** From command line and environment to what `createHost` takes. The command line wins; the environment can never widen a policy. */
import { userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostPaths } from '../host/paths.js';
import type { HostOptions } from '../host/options.js';
import { insideHome, settingsRelocated } from '../shim/environment.js';
import { EXIT, Failure } from './failure.js';
import { wholeNumber } from './numbers.js';

export interface HostFlags {
  port?: string;
  workspaceRoot?: string;
  backend?: HostOptions['backend'];
  display?: HostOptions['display'];
  policy?: string;
  stdio?: boolean;
  tcp?: string;
  printPairing?: boolean;
  resetPairings?: boolean;
  start?: boolean;
  acceptSyntheticInput?: boolean;
  background?: boolean;
}

interface Place {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** By the system's record, not by $HOME. */
  home: string;
  paths: HostPaths;
}

export type Chosen = Omit<HostOptions, 'log' | 'env' | 'stdio'>;

const PRESETS = new Set(['standard', 'strict', 'readonly', 'unattended']);
const BACKENDS = new Map<string, HostOptions['backend']>([
  ['auto', 'auto'],
  ['macos', 'macos'],
  ['linux', 'linux'],
  ['simulated', 'simulated'],
]);
const MOST_PORT = 65_535;

/** Throws a Failure that names the option at fault. */
export function hostOptions(flags: HostFlags, place: Place): Chosen {
  const { env, home, paths } = place;
  const background = flags.background === true;
  const synthetic = flags.acceptSyntheticInput === true;
  const linked = flags.printPairing === true || flags.resetPairings === true;
  if (background && (flags.policy !== undefined || linked || synthetic)) {
    throw new Failure(
      '--background takes neither --policy, --print-pairing, --reset-pairings nor --accept-synthetic-input: start the host in a terminal for these.',
      EXIT.usage,
    );
  }
  const port = flags.port ?? env['PORT'];
  const backend = flags.backend ?? backendOf(env['CHAPERONE_BACKEND']);
  return {
    paths,
    ...(port === undefined || port === ''
      ? {}
      : { port: wholeNumber(port, flags.port === undefined ? 'PORT' : '--port', 0, MOST_PORT) }),
    workspaceRoot: workspaceRoot(flags, place),
    backend,
    // `auto` finds out itself, and says what stands in for what.
    display: flags.display ?? (backend === 'linux' && !env['DISPLAY'] ? 'virtual' : 'current'),
    ...(flags.policy === undefined
      ? {}
      : { policy: PRESETS.has(flags.policy) ? flags.policy : resolve(place.cwd, flags.policy) }),
    narrow: background && settingsRelocated(env, home),
    ...(flags.tcp === undefined ? {} : { tcp: wholeNumber(flags.tcp, '--tcp', 0, MOST_PORT) }),
    background,
    ...(flags.resetPairings === true ? { resetPairings: true } : {}),
    ...(synthetic ? { acceptSyntheticInput: true } : {}),
    assets: fileURLToPath(new URL('../../renderer', import.meta.url)),
  };
}

/** A host in the background was started by an agent's shim, so the environment may only make its workspace smaller. */
function workspaceRoot(flags: HostFlags, { env, cwd, home }: Place): string {
  const wanted = env['WORKSPACE_ROOT'];
  if (flags.workspaceRoot !== undefined) return resolve(cwd, flags.workspaceRoot);
  if (flags.background === true) return insideHome(wanted, home) ?? home;
  if (wanted === undefined || wanted === '') return home;
  if (!isAbsolute(wanted)) throw new Failure(`WORKSPACE_ROOT must be an absolute folder, not "${wanted}".`, EXIT.usage);
  return wanted;
}

function backendOf(name: string | undefined): HostOptions['backend'] {
  if (name === undefined || name === '') return 'auto';
  const backend = BACKENDS.get(name);
  if (backend === undefined)
    throw new Failure(
      `CHAPERONE_BACKEND must be one of ${[...BACKENDS.keys()].join(', ')}, not "${name}".`,
      EXIT.usage,
    );
  return backend;
}

export function placeOf(paths: HostPaths): Place {
  return { env: process.env, cwd: process.cwd(), home: userInfo().homedir, paths };
}
