import { describe, expect, it } from 'vitest';
import { DesktopError, type DesktopBackend } from '../../src/native/desktop.js';
import { openDesktop, type Backends, type OpenedDesktop, type OpenOptions } from '../../src/native/open.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import type { ProcessTable } from '../../src/native/peer/types.js';
import { formatEnglish, verbatim } from '../../src/messages/index.js';

const processes: ProcessTable = {
  peerOf: () => {
    throw new Error('nobody is there');
  },
  lookup: () => null,
  isSameProcess: () => true,
  watch: () => ({ isSame: () => true, close: () => undefined }),
  lineage: () => [],
  tcpClient: () => Promise.resolve(null),
};
const missing = new DesktopError('unsupported', verbatim('Packages are missing: xvfb. Run: apt install xvfb'), {
  missing: ['xvfb'],
});

/** Backends that only tell what was opened and closed; the desktops themselves are simulated ones. */
function fakes(failures: { linux?: Error; session?: Error } = {}) {
  const events: string[] = [];
  const desktop = (name: string): DesktopBackend => {
    const real = openSimulated({ apps: [] });
    return { ...real, close: () => real.close().then(() => void events.push(`closed ${name}`)) };
  };
  const backends: Backends = {
    macos: (startHelper) => {
      events.push(`macos ${startHelper === undefined ? 'on Node' : 'in the app'}`);
      return Promise.resolve(desktop('desktop'));
    },
    linux: ({ display, env }) => {
      events.push(`linux ${display} ${env['MARK'] ?? ''}`.trim());
      return failures.linux === undefined
        ? Promise.resolve({ ...desktop('desktop'), provides: [] })
        : Promise.reject(failures.linux);
    },
    session: ({ width, height, runtimeDir }) => {
      events.push(`session ${width}x${height} in ${runtimeDir}`);
      const close = (): Promise<void> => Promise.resolve(void events.push('closed session'));
      const session = { env: { DISPLAY: ':77', MARK: 'inner' }, display: ':77', close };
      return failures.session === undefined ? Promise.resolve(session) : Promise.reject(failures.session);
    },
    simulated: () => Promise.resolve(desktop('simulated')),
  };
  return { events, backends };
}

function open(options: Partial<OpenOptions>) {
  const log = { info: () => undefined, warn: () => undefined };
  return openDesktop({
    backend: 'auto',
    display: 'current',
    env: {},
    log,
    processes,
    platform: 'linux',
    runtimeDir: '/run/x',
    ...options,
  });
}

const noteOf = ({ note }: OpenedDesktop) => (note === null ? null : formatEnglish(note));

describe('opening a desktop', () => {
  it('takes the display at hand', async () => {
    const { events, backends } = fakes();
    const opened = await open({ env: { DISPLAY: ':5', MARK: 'outer', NOT: undefined }, backends });
    expect(opened).toMatchObject({ name: 'linux', display: ':5', note: null });
    expect(opened.env).toEqual({ DISPLAY: ':5' });
    await opened.close();
    expect(events).toEqual(['linux :5 outer', 'closed desktop']);
  });

  it.each([[undefined], ['']])(
    'starts a private one where there is none (DISPLAY=%j), and ends it after the desktop',
    async (display) => {
      const { events, backends } = fakes();
      const opened = await open({ env: { DISPLAY: display }, backends });
      expect(opened).toMatchObject({ name: 'linux (virtual)', display: ':77', env: { MARK: 'inner' } });
      expect(noteOf(opened)).toContain('virtual desktop');
      expect(opened.harmless).toBe(true);
      await opened.close();
      expect(events).toEqual(['session 1920x1080 in /run/x', 'linux :77 inner', 'closed desktop', 'closed session']);
    },
  );

  it('starts a private one where the display at hand cannot be used, and says why', async () => {
    const { backends } = fakes();
    let first = true;
    const linux: Backends['linux'] = (options) => {
      if (!first) return backends.linux(options);
      first = false;
      return Promise.reject(new DesktopError('failed', verbatim('No X server answers.')));
    };
    const opened = await open({ env: { DISPLAY: ':5' }, backends: { ...backends, linux } });
    expect(opened.name).toBe('linux (virtual)');
    expect(noteOf(opened)).toContain('No X server answers.');
    expect(opened.harmless).not.toBe(true);
  });

  it('starts a private one on request, without a note', async () => {
    const { events, backends } = fakes();
    const opened = await open({
      display: 'virtual',
      env: { DISPLAY: ':5' },
      size: { width: 800, height: 600 },
      backends,
    });
    expect(opened.note).toBeNull();
    expect(events[0]).toBe('session 800x600 in /run/x');
  });

  it('[req:DS-9-6] simulates one where packages are missing, and says what to install', async () => {
    const { backends } = fakes({ session: missing });
    const opened = await open({ backends });
    expect(opened).toMatchObject({ name: 'simulated', env: null });
    expect(noteOf(opened)).toContain('apt install xvfb');
    expect(opened.harmless).not.toBe(true);
    expect(noteOf(opened)).toContain('simulated');
    expect(noteOf(opened)).toContain('nor DISPLAY is set');
  });

  it('does not simulate one where something else went wrong', async () => {
    const broken = new DesktopError('failed', verbatim('Xvfb did not start'));
    await expect(open({ backends: fakes({ session: broken }).backends })).rejects.toBe(broken);
    const bug = new TypeError('a bug');
    await expect(open({ env: { DISPLAY: ':5' }, backends: fakes({ linux: bug }).backends })).rejects.toBe(bug);
  });

  it('never stands in for a backend that was named', async () => {
    await expect(open({ backend: 'linux', backends: fakes().backends })).rejects.toMatchObject({ code: 'unsupported' });
    const asked = open({ backend: 'linux', display: 'virtual', backends: fakes({ session: missing }).backends });
    await expect(asked).rejects.toBe(missing);
    await expect(open({ backend: 'linux', platform: 'win32' })).rejects.toMatchObject({ code: 'unsupported' });
    await expect(open({ backend: 'macos' })).rejects.toThrow(/does not run on linux\. Leave --backend out, or use/);
    await expect(open({ backend: 'linux', platform: 'darwin' })).rejects.toMatchObject({ code: 'unsupported' });
  });

  describe('[req:MT-START-1] on a Mac', () => {
    const mac = { platform: 'darwin', env: { TERM_PROGRAM: 'iTerm.app' } };
    const startHelper = () => {
      throw new Error('nothing is to start');
    };

    it('opens its own desktop in the app', async () => {
      for (const backend of ['auto', 'macos'] as const) {
        const { events, backends } = fakes();
        const opened = await open({ ...mac, backend, startHelper, backends });
        expect(opened).toMatchObject({ name: 'macos', display: 'Quartz', note: null, env: {} });
        await opened.close();
        expect(events).toEqual(['macos in the app', 'closed desktop']);
      }
    });

    it('says in the app too that another program is granted, where that one answers for it', async () => {
      const opened = (path: string) =>
        open({ ...mac, startHelper, backends: fakes().backends, grantee: { name: 'iTerm', path } });
      expect(noteOf(await opened('/Applications/iTerm.app'))).toContain('permissions to iTerm: every program');
      expect((await opened(process.execPath)).note).toBeNull();
    });

    it('says on plain Node that the terminal would be granted, and simulates one', async () => {
      const { events, backends } = fakes();
      const opened = await open({ ...mac, backends });
      expect(opened).toMatchObject({ name: 'simulated', env: null });
      expect(opened.harmless).not.toBe(true);
      expect(noteOf(opened)).toMatch(/permissions to iTerm\.app: every program.*simulated desktop.*--backend macos/);
      expect(noteOf(await open({ ...mac, env: {}, backends }))).toContain('to the terminal:');
      expect(events).toEqual([]);
    });

    it('controls the real one on plain Node only where that is asked for, and says the same', async () => {
      const { events, backends } = fakes();
      const opened = await open({ ...mac, backend: 'macos', backends });
      expect(opened.name).toBe('macos');
      expect(noteOf(opened)).toContain('permissions to iTerm.app');
      expect(noteOf(opened)).not.toContain('simulated');
      expect(events).toEqual(['macos on Node']);
    });

    it('never takes the real one where a virtual one was asked for', async () => {
      const { events, backends } = fakes();
      const asked = open({ ...mac, display: 'virtual', startHelper, backends });
      await expect(asked).rejects.toMatchObject({ code: 'unsupported' });
      expect((await open({ ...mac, display: 'virtual', backends })).name).toBe('simulated');
      expect(events).toEqual([]);
    });
  });

  it('ends the private session when the desktop in it does not open', async () => {
    const broken = new DesktopError('failed', verbatim('no accessibility bus'));
    const { events, backends } = fakes({ linux: broken });
    await expect(open({ backend: 'linux', display: 'virtual', backends })).rejects.toBe(broken);
    expect(events.at(-1)).toBe('closed session');
  });

  it('ends the private session even when the desktop does not close', async () => {
    const { events, backends } = fakes();
    const stuck = { ...openSimulated({ apps: [] }), provides: [], close: () => Promise.reject(new Error('stuck')) };
    const opened = await open({
      backend: 'linux',
      display: 'virtual',
      backends: { ...backends, linux: () => Promise.resolve(stuck) },
    });
    await expect(opened.close()).rejects.toThrow('stuck');
    expect(events.at(-1)).toBe('closed session');
  });

  it('opens the simulated desktop where it is asked for, on any platform', async () => {
    const opened = await open({ backend: 'simulated', platform: 'win32' });
    expect(opened).toMatchObject({ name: 'simulated', note: null, desktop: { platform: 'simulated' } });
    expect(await opened.desktop.windows(new AbortController().signal)).not.toEqual([]);
    await opened.close();
  });
});
