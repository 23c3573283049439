/** What `npm start` does on a Mac besides. */
import { join } from 'node:path';
import { root, run } from './run.mjs';

/** Electron's program comes from github.com, with the package's own installer. True when it is there. */
export async function fetchElectron(exec = run) {
  console.error('fetching Electron for the menu bar app …');
  return (await exec(process.execPath, [join(root, 'node_modules/electron/install.js')])).code === 0;
}

/** Arguments and words for a host on plain Node, where macOS knows only the terminal that it was started in. */
export function terminalStart(args, env) {
  const backend = backendOf(args) ?? env.CHAPERONE_BACKEND;
  if (backend === 'simulated') return { args, lines: [] };
  const terminal = env.TERM_PROGRAM ?? 'this terminal';
  const granted = `On plain Node, macOS gives permissions to ${terminal}: every program started in it would have them too, also what agents run in their own shells.`;
  if (backend === 'macos') return { args, lines: [granted] };
  return {
    args: [...args, '--backend', 'simulated'],
    lines: [
      granted,
      'So this starts on a simulated desktop. For your own desktop use the app, or, if you accept that: npm start -- --backend macos',
    ],
  };
}

function backendOf(args) {
  const at = args.findIndex((arg) => arg === '--backend' || arg.startsWith('--backend='));
  if (at < 0) return undefined;
  return args[at].includes('=') ? args[at].slice('--backend='.length) : args[at + 1];
}
