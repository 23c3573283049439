/**
 * A GABP application (the "mod") for the imaginary game Cinderhold.
 *
 *   node application.mjs             launched by a bridge: reads the configuration file which the bridge wrote
 *                                    (transport.md 5.1, on Linux ~/.config/gabp/bridge.json) and serves the way it
 *                                    names: tcp, pipe or stdio.
 *   node application.mjs <path>      run by itself: listens on a free port of 127.0.0.1 and writes a configuration file
 *                                    with its own token to <path>; it removes the file on a clean exit.
 *
 * The security log goes to standard error. It ends on SIGTERM or SIGINT.
 */
import { randomUUID } from 'node:crypto';
import { audit } from './app/audit.mjs';
import { Application } from './app/server.mjs';
import {
  configPath,
  configProblems,
  isOpenToOthers,
  makeToken,
  portOf,
  readConfig,
  removeConfig,
  writeConfig,
} from './lib/config.mjs';

/** @returns {Promise<Application>} */
async function launched() {
  const path = configPath();
  const config = readConfig(path);
  const problems = configProblems(config);
  if (problems.length > 0) throw new Error(`${path}: ${problems.join('; ')}`);
  if (isOpenToOthers(path)) audit('configuration', 'failure', { reason: 'the file can be read by others' });
  const application = new Application(config.token);
  const { type, address } = config.transport;
  if (type === 'tcp') await application.listenTcp(portOf(address));
  else if (type === 'pipe') await application.listenPipe(address);
  else application.useStdio();
  return application;
}

/** @param {string} path @returns {Promise<Application>} */
async function standalone(path) {
  const token = makeToken();
  const application = new Application(token);
  const port = await application.listenTcp(0);
  writeConfig(path, {
    token,
    transport: { type: 'tcp', address: String(port) },
    metadata: { pid: process.pid, startTime: new Date().toISOString(), launchId: randomUUID() },
  });
  application.cleanups.push(() => removeConfig(path, token));
  return application;
}

async function main() {
  const paths = process.argv.slice(2);
  if (paths.length > 1) throw new Error('The only argument is the path of the configuration file');
  const application = paths.length === 1 ? await standalone(paths[0]) : await launched();
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      application.stop();
      process.exit(0);
    });
  }
  audit('start', 'success', { agentId: application.agentId });
}

main().catch((error) => {
  audit('start', 'failure', { reason: error.message });
  process.exitCode = 1;
});
