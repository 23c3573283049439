/**
 * `npm start [-- host options]`: sets up the clone, then runs the menu bar app where there is Electron and a screen, else the host in
 * this terminal with the page in a browser.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hasScreen, openBrowser } from './lib/browser.mjs';
import { fetchElectron } from './lib/mac.mjs';
import { main, root, run } from './lib/run.mjs';
import { setup } from './setup.mjs';

const LINK = /^http:\/\/localhost:\d+(\/#pair=\S+)?$/;

/** Runs the host until it ends; this terminal started it, so it may show the pairing link. */
function startHost(args, { onLink }) {
  const command = [join(root, 'dist/main/cli/index.js'), 'host', '--start', ...args];
  const child = spawn(process.execPath, command, { stdio: ['inherit', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line);
    const link = LINK.exec(line);
    if (link) onLink(link[0]);
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  return new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? (signal ? 1 : 0))));
}

/** Options that only a host in a terminal has; of `--http`, only that host says where it is served. */
const HOST_ONLY =
  /^--(stdio|tcp|http|strict|max-connections|event-buffer|print-pairing|reset-pairings|accept-synthetic-input|background|help)\b/;

async function startsApp(args) {
  if (!hasScreen() || args.some((arg) => HOST_ONLY.test(arg))) return false;
  const { electronBinary } = await import('../dist/main/cli/app.js');
  if (electronBinary() !== null) return true;
  return process.platform === 'darwin' && (await fetchElectron()) && electronBinary() !== null;
}

await main(async (args) => {
  await setup({ optional: true });
  if (await startsApp(args))
    return (await run(process.execPath, [join(root, 'dist/main/cli/index.js'), 'app', ...args])).code;
  return startHost(args, { onLink: (link) => hasScreen() && process.stdout.isTTY && openBrowser(link) });
});
