/**
 * The menubar app: Electron's side of Chaperone. Comes in: the person's clicks and keys, the system's events, and the popover's page
 * over checked IPC. Goes out: a host in this process, with a tray icon, a popover and notifications around it. Started by Electron.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as electron from 'electron';
import { Command } from 'commander';
import { hostOptions, launchContext, type HostFlags } from '../cli/host-options.js';
import { ownCommand, ownLauncher } from '../cli/launcher.js';
import { fileLog, stderrLog } from '../cli/logging.js';
import { hostPaths } from '../host/discovery.js';
import { loadPermissionsLibrary, loadServiceAddon } from '../../native/xpc/index.js';
import { ownProgram } from '../shim/own-program.js';
import { createServiceJob } from './options.js';
import { handleProcessEvents } from './process-events.js';
import { SELF_TEST, selfTestInApp } from './self-test.js';
import { startApp } from './start.js';

/** By paths that hold in the bundle too. */
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Ignores the options that Electron adds to the command line. */
function flagsOf(args: readonly string[]): HostFlags {
  const command = new Command().allowUnknownOption().allowExcessArguments().helpOption(false);
  for (const flag of ['--port', '--workspace-root', '--backend', '--display', '--policy', '--tcp'])
    command.option(`${flag} <value>`);
  command.option('--http [port]');
  return command.parse(args, { from: 'user' }).opts<HostFlags>();
}

const paths = hostPaths(process.env);
const log = fileLog(join(paths.state, 'host.log'));
handleProcessEvents({ process, electron, log });
const args = process.argv.slice(1);
const packaged = electron.app.isPackaged;
if (args[0] === SELF_TEST) void selfTestInApp(electron, stderrLog());
else
  void startApp({
    electron,
    // Clients can start the packaged program as a shim, but not Electron's own binary.
    host: {
      ...hostOptions(flagsOf(args), launchContext(paths)),
      env: process.env,
      shim: ownLauncher(),
      ...(packaged ? { launcher: ownLauncher(), command: ownCommand() } : {}),
    },
    log,
    preload: file('../app/preload.cjs'),
    icons: file('../app/icons'),
    platform: process.platform,
    permissions: loadPermissionsLibrary(),
    ...(packaged && process.platform === 'darwin'
      ? {
          serviceJob: createServiceJob({ app: electron.app, addon: loadServiceAddon() }),
          updateConfig: join(process.resourcesPath, 'app-update.yml'),
        }
      : {}),
    command: packaged ? [ownProgram()] : [process.execPath, file('../app/main.js')],
  });
