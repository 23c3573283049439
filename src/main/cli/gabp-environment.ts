/** What a bridge that launches this host says in the environment. The variables are GABP's (`GABP_*`) and those of the GABS bridge (`GABS_*`). */
import { message } from '../../messages/index.js';
import type { GabpServing } from '../host/options.js';
import { EXIT, Failure } from './failure.js';
import { parseWholeNumber } from './whole-number.js';

type Env = Readonly<Record<string, string | undefined>>;

const OURS_TO_TAKE = /^GAB[PS]_/i;
const MIN_TOKEN_CHARS = 32;
const MAX_AGENT_ID_CHARS = 128;
const MAX_PORT = 65_535;

/** Removes the variables, so that no program started by this one gets the bridge's token, and returns the environment as it was. */
export function takeGabpVariables(env: Record<string, string | undefined>): Env {
  const before = { ...env };
  for (const name of Object.keys(env)) if (OURS_TO_TAKE.test(name)) delete env[name];
  return before;
}

/** Throws a Failure that names the variable at fault. */
export function readGabpLaunch(env: Env, { argv, cwd }: { argv: readonly string[]; cwd: string }) {
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
