/** The options of `createHost` from command line and environment. The command line overrides; the environment can never widen a policy. */
import { userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { message } from '../../messages/index.js';
import type { GabpServing, HostOptions } from '../host/options.js';
import { EXIT, Failure } from './failure.js';
import { parseWholeNumber } from './remote-flags.js';
import type { HostPaths } from '../host/paths.js';
import { insideHome, settingsRelocated } from '../shim/environment.js';

// What a bridge that launches this host says in the environment. The variables are GABP's (`GABP_*`) and those of the GABS bridge (`GABS_*`).

type Env = Readonly<Record<string, string | undefined>>;

const OURS_TO_TAKE = /^GAB[PS]_/i;
const MIN_TOKEN_CHARS = 32;
const MAX_AGENT_ID_CHARS = 128;

/** Removes the variables, so that no program started by this one gets the bridge's token, and returns the environment as it was. */
function takeGabpVariables(env: Record<string, string | undefined>): Env {
  const before = { ...env };
  for (const name of Object.keys(env)) if (OURS_TO_TAKE.test(name)) delete env[name];
  return before;
}

/** Throws a Failure that names the variable at fault. */
function readGabpLaunch(env: Env, { argv, cwd }: { argv: readonly string[]; cwd: string }) {
  const [port, token, agentId] = [env['GABP_SERVER_PORT'], env['GABP_TOKEN'], env['GABS_GAME_ID']];
  if (token && !(token.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(token)))
    throw new Failure(message('cli.bad_gabp_token', { min: MIN_TOKEN_CHARS }), EXIT.usage);
  return {
    port: port ? parseWholeNumber(port, 'GABP_SERVER_PORT', 0, MAX_PORT) : null,
    serving: {
      ...(token ? { token } : {}),
      ...(agentId ? { agentId: agentId.slice(0, MAX_AGENT_ID_CHARS) } : {}),
      ...(env['GABS_FORWARD_ENV'] === undefined ? {} : { observed: observe(env, argv, cwd) }),
    },
  };
}

/** How this process was really started. `argv` begins with the script, which the bridge leaves out when it compares. */
function observe(env: Env, argv: readonly string[], cwd: string): GabpServing['observed'] {
  const named = (variable: string) => (env[variable] ?? '').split(',').flatMap((name) => name.trim() || []);
  const values = named('GABS_FORWARD_ENV').flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    argv: [...argv],
    cwd,
    envValues: Object.fromEntries(values),
    envAbsent: named('GABS_ABSENT_ENV').filter((name) => env[name] === undefined),
  };
}

export interface HostFlags {
  port?: string;
  workspaceRoot?: string;
  backend?: HostOptions['backend'];
  display?: HostOptions['display'];
  wayland?: boolean;
  policy?: string;
  stdio?: boolean;
  tcp?: string;
  /** True without a port. */
  http?: string | true;
  strict?: boolean;
  maxConnections?: string;
  eventBuffer?: string;
  printPairing?: boolean;
  resetPairings?: boolean;
  start?: boolean;
  acceptSyntheticInput?: boolean;
  background?: boolean;
}

interface LaunchContext {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** As this process was started, without the interpreter. */
  argv?: readonly string[];
  /** From the system's user database, not $HOME. */
  home: string;
  paths: HostPaths;
}

type ChosenOptions = Omit<HostOptions, 'log' | 'env' | 'stdio'>;

const PRESETS = new Set(['standard', 'strict', 'readonly', 'unattended']);
const BACKENDS = new Map<string, HostOptions['backend']>([
  ['auto', 'auto'],
  ['macos', 'macos'],
  ['linux', 'linux'],
  ['simulated', 'simulated'],
]);
const MAX_PORT = 65_535;
/** Always the same one, because clients have the address in their settings. */
const HTTP_PORT = 7_866;
const MAX_CONNECTIONS = 1_000;
const MAX_EVENTS = 10_000;

/** Throws a Failure that names the option at fault. */
export function hostOptions(flags: HostFlags, context: LaunchContext): ChosenOptions {
  const { env, home, paths } = context;
  const background = flags.background === true;
  const synthetic = flags.acceptSyntheticInput === true;
  const printsLink = flags.printPairing === true || flags.resetPairings === true;
  if (background && (flags.policy !== undefined || flags.http !== undefined || printsLink || synthetic))
    throw new Failure(message('cli.background_options'), EXIT.usage);
  if (flags.wayland === true && flags.display === 'current')
    throw new Failure(message('cli.wayland_is_virtual'), EXIT.usage);
  const port = flags.port ?? env['PORT'];
  const backend = flags.backend ?? backendOf(env['CHAPERONE_BACKEND']);
  return {
    paths,
    ...(port === undefined || port === ''
      ? {}
      : { port: parseWholeNumber(port, flags.port === undefined ? 'PORT' : '--port', 0, MAX_PORT) }),
    workspaceRoot: workspaceRoot(flags, context),
    backend,
    // `auto` chooses a display itself and notes which.
    display:
      flags.display ?? (flags.wayland === true || (backend === 'linux' && !hasDisplay(env)) ? 'virtual' : 'current'),
    ...(flags.wayland === true ? { wayland: true } : {}),
    ...(flags.policy === undefined
      ? {}
      : { policy: PRESETS.has(flags.policy) ? flags.policy : resolve(context.cwd, flags.policy) }),
    narrow: background && settingsRelocated(env, home),
    ...(flags.http === undefined ? {} : { http: httpPort(flags.http) }),
    ...gabpOptions(flags, context),
    background,
    ...(flags.resetPairings === true ? { resetPairings: true } : {}),
    ...(synthetic ? { acceptSyntheticInput: true } : {}),
    assets: fileURLToPath(new URL('../../renderer', import.meta.url)),
  };
}

const hasDisplay = (env: LaunchContext['env']): boolean => Boolean(env['WAYLAND_DISPLAY']) || Boolean(env['DISPLAY']);

const httpPort = (given: string | true): number =>
  given === true ? HTTP_PORT : parseWholeNumber(given, '--http', 0, MAX_PORT);

/** A host in the background was started by an agent's shim, so the environment says nothing of GABP there. */
function gabpOptions(flags: HostFlags, { env, cwd, argv = [] }: LaunchContext): Pick<ChosenOptions, 'tcp' | 'gabp'> {
  const launch = flags.background === true ? null : readGabpLaunch(env, { argv, cwd });
  const tcp = flags.tcp === undefined ? launch?.port : parseWholeNumber(flags.tcp, '--tcp', 0, MAX_PORT);
  const number = (name: string, given: string | undefined, max: number) =>
    given === undefined ? undefined : parseWholeNumber(given, name, 1, max);
  const maxConnections = number('--max-connections', flags.maxConnections, MAX_CONNECTIONS);
  const maxEvents = number('--event-buffer', flags.eventBuffer, MAX_EVENTS);
  return {
    ...(tcp == null ? {} : { tcp }),
    gabp: {
      ...launch?.serving,
      ...(flags.strict === true ? { strict: true } : {}),
      ...(maxConnections === undefined ? {} : { maxConnections }),
      ...(maxEvents === undefined ? {} : { maxEvents }),
    },
  };
}

/** A host in the background was started by an agent's shim, so the environment can only narrow its workspace. */
function workspaceRoot(flags: HostFlags, { env, cwd, home }: LaunchContext): string {
  const wanted = env['WORKSPACE_ROOT'];
  if (flags.workspaceRoot !== undefined) return resolve(cwd, flags.workspaceRoot);
  if (flags.background === true) return insideHome(wanted, home) ?? home;
  if (wanted === undefined || wanted === '') return home;
  if (!isAbsolute(wanted)) throw new Failure(message('cli.bad_root', { folder: wanted }), EXIT.usage);
  return wanted;
}

function backendOf(name: string | undefined): HostOptions['backend'] {
  if (name === undefined || name === '') return 'auto';
  const backend = BACKENDS.get(name);
  if (backend === undefined)
    throw new Failure(message('cli.bad_backend', { names: [...BACKENDS.keys()].join(', '), name }), EXIT.usage);
  return backend;
}

/** Takes the launching bridge's variables out of this process's environment. */
export function launchContext(paths: HostPaths): LaunchContext {
  const argv = process.argv.slice(1);
  return { env: takeGabpVariables(process.env), cwd: process.cwd(), argv, home: userInfo().homedir, paths };
}
