import { spawn } from 'node:child_process';

/** True where a person could see a browser window. */
export function hasScreen(env = process.env, platform = process.platform) {
  return platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Opens an address in the person's browser. Where that fails, the person uses the printed address. */
export function openBrowser(url, platform = process.platform) {
  const child = spawn(platform === 'darwin' ? 'open' : 'xdg-open', [url], { stdio: 'ignore', detached: true });
  child.on('error', () => console.log('No browser could be opened here; open the address above yourself.'));
  child.unref();
}
