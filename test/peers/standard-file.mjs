/**
 * `standard-file.mjs to-environment|from-environment COMMAND…`: runs the command where the one side knows only the configuration file at
 * the place of the specification (below HOME), and the other the variables of bridges.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [way, program, ...args] = process.argv.slice(2);
const file = join(process.env.HOME, '.config/gabp/bridge.json');

/** A bridge wrote the file; whom it launched wants variables. */
function variables() {
  const { token, transport } = JSON.parse(readFileSync(file, 'utf8'));
  return { GABP_TOKEN: token, ...(transport.type === 'tcp' ? { GABP_SERVER_PORT: transport.address } : {}) };
}

/** A bridge named its file in a variable; whom it launched looks at the place of the specification. */
function place() {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  copyFileSync(process.env.GABP_BRIDGE_PATH, file);
  return {};
}

const more = way === 'to-environment' ? variables() : place();
// The bridge reads the standard output of whom it launched only where it speaks with it over that.
const output = more.GABP_SERVER_PORT === undefined ? 'inherit' : 2;
const child = spawn(program, args, { env: { ...process.env, ...more }, stdio: ['inherit', output, 'inherit'] });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
