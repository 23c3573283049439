import { readFile } from 'node:fs/promises';
import { DesktopError } from '../desktop.js';

/** Displays are also ports, from 6000 on. */
const HIGHEST_DISPLAY = 65535 - 6000;

/** The display to use; rejects with what to do where there is none that this backend can serve. */
export function requireX(asked: string | undefined, env: Record<string, string | undefined>): string {
  const display = asked ?? env['DISPLAY'];
  const advice = 'Log in to an X11 session, or start the host with --display virtual.';
  const wayland = (env['WAYLAND_DISPLAY'] ?? '') !== '' || env['XDG_SESSION_TYPE'] === 'wayland';
  if (wayland && asked === undefined) {
    throw new DesktopError(
      'unsupported',
      `This is a Wayland session, which gives no program control of others. ${advice}`,
    );
  }
  if (display === undefined || display === '') {
    throw new DesktopError('unsupported', `There is no display (DISPLAY is not set). ${advice}`);
  }
  if (!/^[\w./-]*:\d{1,5}(\.\d+)?$/.test(display) || Number(/:(\d+)/.exec(display)?.[1]) > HIGHEST_DISPLAY) {
    throw new DesktopError('unsupported', `${JSON.stringify(display)} is no X display name, such as :0. ${advice}`);
  }
  return display;
}

export async function readVersion(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const field = (key: string): string | undefined => new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(release)?.[1];
  const name = field('NAME')?.replace(/ GNU\/Linux$/, '') ?? 'Linux';
  return `${[name, field('VERSION_ID')].filter(Boolean).join(' ')}, X11`;
}
