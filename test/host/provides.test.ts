/** Doctor and Health name the display server, and what gives each ability of agents. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { doctorSays } from '../support/doctor-says.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';

let linux: LinuxDesktop;
let chaperone: TestHost;
afterEach(async () => {
  await chaperone.close();
  await linux.close();
});

async function doctorOn(
  wayland: boolean | 'gnome',
  before: (env: Record<string, string>) => Promise<void> = async () => {},
) {
  linux = await openLinuxDesktop(undefined, { wayland });
  await before(linux.session.env);
  chaperone = await startHost({ backend: 'linux', display: 'current', env: linux.session.env });
  return doctorSays(chaperone.home);
}

describe('what gives each ability', () => {
  it('is named on X11', async () => {
    const said = await doctorOn(false);
    expect(said).toMatch(/^ok {2}display server: .*, X\.Org \d+\.\d+\.\d+, X11$/m);
    for (const line of ['windows: through EWMH, Openbox', 'keys: through XTEST, XKB', 'person: through XInput2', 'elements: through AT-SPI'])
      expect(said).toContain(`ok  ${line}\n`);
  }); // prettier-ignore

  it('is named on sway, with what no compositor tells', async () => {
    const said = await doctorOn(true);
    expect(said).toMatch(/^ok {2}display server: .*, sway 1\.\d+.*, Wayland$/m);
    expect(said).toContain('ok  screenshots: through zwlr_screencopy_manager_v1\n');
    expect(said).toMatch(/^ok {2}person: not available here\n +Wayland shows no program what you/m);
  });

  it('is named on GNOME, with what the shell does not tell', async () => {
    const said = await doctorOn('gnome');
    expect(said).toMatch(/^ok {2}display server: .*, GNOME 43\.\d+, Wayland$/m);
    expect(said).toContain('ok  windows: through chaperone@chaperone.dev\n');
    expect(said).toMatch(/only moves of the pointer/);
  });

  it('is red with the command that brings it, where it is missing', async () => {
    const said = await doctorOn(false, async (env) => {
      const [pid = ''] = execFileSync('pgrep', ['-f', 'openbox --sm-disable']).toString().split('\n').filter((one) => isIn(one, env)); // prettier-ignore
      process.kill(Number(pid));
      await eventually(async () => expect(existsSync(`/proc/${pid}`)).toBe(false));
    });
    expect(said).toMatch(/^NO {2}windows: not available here\n +No window manager runs.*\n +openbox --sm-disable &$/m);
  });
});

const isIn = (pid: string, env: Record<string, string>): boolean =>
  pid !== '' &&
  execFileSync('cat', [`/proc/${pid}/environ`])
    .toString()
    .includes(`XDG_RUNTIME_DIR=${env['XDG_RUNTIME_DIR']}\0`);
