import { readFile } from 'node:fs/promises';
import { DesktopError } from '../desktop.js';
import { message } from '../../messages/index.js';

/** Displays are also ports, from 6000 on. */
const HIGHEST_DISPLAY = 65535 - 6000;

/** The display to use; rejects with what to do where there is none that this backend can serve. */
export function requireX(asked: string | undefined, env: Record<string, string | undefined>): string {
  const display = asked ?? env['DISPLAY'];
  const wayland = (env['WAYLAND_DISPLAY'] ?? '') !== '' || env['XDG_SESSION_TYPE'] === 'wayland';
  if (wayland && asked === undefined) {
    throw new DesktopError('unsupported', message('display.wayland_uncontrolled'));
  }
  if (display === undefined || display === '') {
    throw new DesktopError('unsupported', message('display.not_set'));
  }
  if (!/^[\w./-]*:\d{1,5}(\.\d+)?$/.test(display) || Number(/:(\d+)/.exec(display)?.[1]) > HIGHEST_DISPLAY) {
    throw new DesktopError('unsupported', message('display.bad_name', { display }));
  }
  return display;
}

export async function readVersion(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const field = (key: string): string | undefined => new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(release)?.[1];
  const name = field('NAME')?.replace(/ GNU\/Linux$/, '') ?? 'Linux';
  return `${[name, field('VERSION_ID')].filter(Boolean).join(' ')}, X11`;
}
