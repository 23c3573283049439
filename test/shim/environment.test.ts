import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { hostEnvironment, insideHome, settingsRelocated } from '../../src/main/shim/environment.js';

const home = mkdtempSync(join(tmpdir(), 'chp-home-'));
const outside = mkdtempSync(join(tmpdir(), 'chp-outside-'));
mkdirSync(join(home, 'work'));
mkdirSync(join(home, '.ssh'));
symlinkSync(outside, join(home, 'link'));
afterAll(() => {
  rmSync(home, { recursive: true });
  rmSync(outside, { recursive: true });
});

const ALLOWED = new Set([
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'],
  ...[
    'XDG_RUNTIME_DIR',
    'XDG_CONFIG_HOME',
    'XDG_STATE_HOME',
    'XDG_SESSION_TYPE',
    'XDG_CURRENT_DESKTOP',
    'XDG_SESSION_ID',
  ],
  ...['CHAPERONE_HOME', 'CHAPERONE_LOG', 'CHAPERONE_BACKEND', 'PORT', 'WORKSPACE_ROOT'],
]);

describe('the environment of a host that a shim starts', () => {
  it('is made of known names only, whatever the agent sets', () => {
    const name = fc.oneof(
      fc.constantFrom(...ALLOWED, 'NODE_OPTIONS', 'LD_PRELOAD', '__proto__', 'constructor'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (env) => {
        for (const key of Object.keys(hostEnvironment(env, home))) expect(ALLOWED).toContain(key);
      }),
    );
  });

  it('never takes the search path', () => {
    expect(hostEnvironment({ PATH: '/tmp/evil' }, home, 'linux')['PATH']).toBe(
      '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    );
  });

  it('takes a value only when it looks as it should', () => {
    const bad = {
      DISPLAY: 'evil.example:0',
      CHAPERONE_BACKEND: 'linux',
      PORT: '80; rm',
      DBUS_SESSION_BUS_ADDRESS: 'tcp:host=evil',
      CHAPERONE_HOME: 'relative',
      CHAPERONE_LOG: 'all',
    };
    expect(hostEnvironment(bad, home, 'linux')).toEqual({ PATH: expect.any(String), HOME: home });
    const good = { DISPLAY: ':1', CHAPERONE_BACKEND: 'simulated', PORT: '3003', CHAPERONE_HOME: '/tmp/x' };
    expect(hostEnvironment(good, home, 'linux')).toMatchObject(good);
  });

  it('takes a workspace only inside the home folder, and none that is hidden or reached through a link', () => {
    const root = (folder: string) => hostEnvironment({ WORKSPACE_ROOT: folder }, home)['WORKSPACE_ROOT'];
    expect(root(join(home, 'work'))).toBe(join(home, 'work'));
    for (const folder of [
      '/',
      home,
      outside,
      join(home, '.ssh'),
      join(home, 'link'),
      join(home, 'work/../..'),
      'work',
      join(home, 'none'),
    ]) {
      expect(root(folder)).toBeUndefined();
      expect(insideHome(folder, home)).toBeNull();
    }
  });

  it('tells when the settings are not where the system keeps them', () => {
    expect(settingsRelocated({ HOME: home }, home)).toBe(false);
    expect(settingsRelocated({}, home)).toBe(false);
    for (const env of [
      { HOME: outside },
      { CHAPERONE_HOME: outside },
      { XDG_CONFIG_HOME: outside },
      { XDG_STATE_HOME: outside },
    ]) {
      expect(settingsRelocated(env, home)).toBe(true);
    }
  });
});
