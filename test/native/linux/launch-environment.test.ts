import { expect, it } from 'vitest';
import { launchEnvironment } from '../../../src/native/linux/launch-environment.js';
import { sessionEnvironment } from '../../../src/native/linux/session/environment.js';

const NEEDED = {
  PATH: '/usr/bin', HOME: '/home/ada', LANG: 'de_DE.UTF-8', LC_TIME: 'C', DISPLAY: ':0', XAUTHORITY: '/run/x', WAYLAND_DISPLAY: 'wayland-0',
  XDG_RUNTIME_DIR: '/run/user/1000', XDG_DATA_DIRS: '/usr/share', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus', XMODIFIERS: '@im=ibus',
  GTK_MODULES: 'gail:atk-bridge', QT_ACCESSIBILITY: '1', QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1', GTK_IM_MODULE: 'ibus', GDK_SCALE: '2',
}; // prettier-ignore

it('gives an application what it needs of the desktop, and nothing else of what the host was started with', () => {
  const secrets = {
    ANTHROPIC_API_KEY: 'sk-1', GITHUB_TOKEN: 'ghp', AWS_SECRET_ACCESS_KEY: 'x', DATABASE_URL: 'postgres://u:p@h', NODE_OPTIONS: '--inspect',
    LD_PRELOAD: '/tmp/x.so', CHAPERONE_HOME: '/tmp/home', MY_LC_TIME: 'x', XDG_: 'x', npm_config_token: 'x', EMPTY: undefined,
  }; // prettier-ignore
  expect(launchEnvironment({ ...NEEDED, ...secrets })).toEqual(NEEDED);
});

it('gives the programs of a private desktop the shell of its user, and no secret', () => {
  const host = { PATH: '/usr/bin', SHELL: '/bin/zsh', GITHUB_TOKEN: 'ghp' };
  const made = sessionEnvironment('/run/desk', '/run/desk/xauthority', host);
  expect(launchEnvironment(made)).toMatchObject({ PATH: '/usr/bin', SHELL: '/bin/zsh', HOME: '/run/desk/home' });
  expect(made).not.toHaveProperty('GITHUB_TOKEN');
  expect(sessionEnvironment('/run/desk', '/run/desk/xauthority', {})).not.toHaveProperty('SHELL');
});
