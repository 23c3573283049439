/** The packaged app where the native part of the bridge service is missing or broken, on the stand-in and as doctor tells it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServiceJob } from '../../src/main/app/options.js';
import { formatEnglish } from '../../src/messages/index.js';
import { loadServiceAddon } from '../../src/native/xpc/index.js';
import { appTests } from '../support/app-tests.js';
import { doctorSays } from '../support/doctor-says.js';
import { eventually } from '../support/eventually.js';
import { openGabp } from '../support/gabp.js';

const { start, agent } = appTests();
const FIX = 'Programs reach Chaperone by its socket meanwhile. To have the service, install Chaperone again.';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chp-addon-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test.each(['missing', 'broken'])(
  '[req:AP-A-15] an addon that is %s is told in one sentence; chat and agents are served',
  async (how) => {
    const file = join(folder, 'darwin-arm64', 'desktop_bridge.node');
    if (how === 'broken') {
      await mkdir(join(folder, 'darwin-arm64'));
      await writeFile(file, 'no library');
    }
    const registered: unknown[] = [];
    const addon = loadServiceAddon({ platform: 'darwin', arch: 'arm64', folder });
    const app = await start({
      platform: 'darwin',
      serviceJob: createServiceJob({
        app: {
          getLoginItemSettings: () => expect.fail('the system is asked nothing'),
          setLoginItemSettings: (item) => void registered.push(item),
        },
        addon,
        launchctl: () => '',
      }),
    });
    const { host } = app.running;
    const issues =
      host.menubar.health()?.issues.map(({ title, fix }) => [formatEnglish(title), formatEnglish(fix)]) ?? [];
    const ours = issues.filter(([title]) => title?.includes('bridge service'));
    expect(ours).toEqual([
      [
        expect.stringMatching(
          /^The bridge service is not open: its native part is missing or cannot be loaded \(.+\)\.$/,
        ),
        FIX,
      ],
    ]);
    if (how === 'missing') expect(ours[0]?.[0]).toContain(file);
    expect(registered).toEqual([]);
    // Before this process is an agent, which is told of nobody's health.
    expect(await doctorSays(app.home)).toContain(`${ours[0]?.[0]}\n      ${FIX}`);
    const health = await (await agent()).result('desktop.health');
    expect(health).toMatchObject({ bridge: { doors: ['socket'], serviceClosed: ours[0]?.[0] } });
    const gabp = await openGabp({ home: app.home, host });
    const answered = expect(gabp.tool('send_message', { text: 'Shall I go on?' })).rejects.toThrow();
    await eventually(() => host.menubar.questions().map(({ text }) => text)).toEqual(['Shall I go on?']);
    gabp.close();
    await answered;
  },
);
