/** The screen gets another size while Chaperone is connected: a monitor is plugged in, or a remote screen follows its window. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { openInputScene, type InputScene } from '../../support/input-scene.js';
import { type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';
import { eventually } from '../../support/eventually.js';
import { decoded, pixelAt } from '../../support/pictures.js';
import { openRpc, type Rpc } from '../../support/rpc.js';
import { setScreenSize, type ScreenSize } from '../../support/screen-size.js';
import { openXApplication, type XApplication } from '../../support/x-application.js';

const LARGE = { width: 1280, height: 800 };
const SMALL = { width: 800, height: 600 };
const TINY = { width: 640, height: 480 };

declare module 'x11' {
  interface XClient {
    ClearArea(window: number, x: number, y: number, width: number, height: number, exposures: number): void;
  }
}

let linux: LinuxDesktop;
let scene: InputScene;
let rpc: Rpc;
let app: XApplication;

beforeAll(async () => {
  linux = await openLinuxDesktop(LARGE);
  const { env } = linux.session;
  await setScreenSize(env, SMALL);
  scene = await openInputScene({ display: 'current', env });
  rpc = await openRpc(scene.chaperone.host.socketPath, scene.chaperone.workspace);
  app = await openXApplication(env);
});
afterAll(async () => {
  rpc.close();
  await app.close();
  await scene.close();
  await linux.close();
});
beforeEach(() => resize(SMALL));
afterEach(() => resize(LARGE));

const resize = (size: ScreenSize): Promise<void> => setScreenSize(linux.session.env, size);

const listed = async (): Promise<unknown> => (await scene.act('list_displays')).value['displays'];

/** All that no window covers, from now on and wherever the screen grows: windows of the host's own process would be masked. */
async function paint(colour: number): Promise<void> {
  const { client, root } = app.x;
  await app.request((done) => client.ChangeWindowAttributes(root, { backgroundPixel: colour }, done));
  client.ClearArea(root, 0, 0, 0, 0, 0);
  await app.x.sync();
}

async function picture(tool: string, args: Record<string, unknown> = {}) {
  const { images } = await scene.act(tool, { format: 'png', ...args });
  return decoded(Buffer.from(images[0]?.data ?? '', 'base64'));
}

const region = (x: number, y: number, width: number, height: number) =>
  picture('capture_region_screenshot', { x, y, width, height });

describe('a larger screen than the one Chaperone connected to', () => {
  test('[req:AR-5] is told, and pictured whole', async () => {
    const before = await picture('capture_screenshot');
    expect([before.width, before.height]).toEqual([SMALL.width, SMALL.height]);
    await paint(0x13579b);
    await resize(LARGE);
    expect(await listed()).toMatchObject([{ frame: { x: 0, y: 0, ...LARGE }, main: true }]);
    const whole = await picture('capture_screenshot');
    expect([whole.width, whole.height]).toEqual([LARGE.width, LARGE.height]);
    expect(pixelAt(whole, 1210, 710)).toEqual([0x13, 0x57, 0x9b]);
    const part = await region(1190, 690, 60, 50);
    expect([part.width, part.height, pixelAt(part, 11, 11)]).toEqual([60, 50, [0x13, 0x57, 0x9b]]);
    await paint(0x2468ac);
    expect(pixelAt(await region(1190, 690, 60, 50), 59, 49)).toEqual([0x24, 0x68, 0xac]);
  });

  test('[req:AR-5] takes clicks, moves, drags and drops everywhere, each in the window that is there', async () => {
    await resize(LARGE);
    const window = await scene.raw({
      title: 'Out there',
      place: { x: 850, y: 320 },
      size: { width: 300, height: 300 },
    });
    const frame = await scene.window('Out there');
    const at = { x: frame.x + 200, y: frame.y + 200 };
    expect(at.x).toBeGreaterThan(SMALL.width);
    const clicked = await scene.act('click', at);
    expect(clicked.text).toContain('Out there');
    await eventually(async () => (await window.events('press')).length).toBe(1);
    await scene.act('drag', { start_x: at.x, start_y: at.y, end_x: at.x + 50, end_y: at.y + 20 });
    await eventually(async () => (await window.events('release')).length).toBe(2);
    await scene.act('mouse_move', { x: 1270, y: 790 });
    expect((await scene.act('cursor_position')).value).toMatchObject({ x: 1270, y: 790, display: 'displays/screen' });
    const { evidence } = await rpc.result('desktop.observe', { options: { includeAxTree: false } });
    const { dir, screenshotPath } = evidence as { dir: string; screenshotPath: string };
    const seen = await decoded(await readFile(dir + screenshotPath));
    expect([seen.width, seen.height]).toEqual([LARGE.width, LARGE.height]);
    await window.close();
  });
});

describe('a smaller screen', () => {
  test('[req:AR-5] is told, pictured without what was there before, and has no points outside', async () => {
    await resize(LARGE);
    await paint(0x13579b);
    const large = await picture('capture_screenshot');
    expect([large.width, pixelAt(large, 795, 595)]).toEqual([LARGE.width, [0x13, 0x57, 0x9b]]);
    await resize(TINY);
    expect(await listed()).toMatchObject([{ frame: { x: 0, y: 0, ...TINY } }]);
    const small = await picture('capture_screenshot');
    expect([small.width, small.height]).toEqual([TINY.width, TINY.height]);
    expect(await scene.fails('click', { x: 795, y: 595 })).toContain('no window');
    expect(await scene.fails('mouse_move', { x: 795, y: 595 })).toMatch(/display/);
    expect(await scene.fails('drag', { start_x: 5, start_y: 5, end_x: 795, end_y: 595 })).toMatch(/display/);
    expect(await scene.fails('capture_region_screenshot', { x: 700, y: 500, width: 50, height: 50 })).toMatch(/frames/);
    const edge = await region(600, 440, 300, 300);
    expect([edge.width, edge.height]).toEqual([40, 40]);
    await paint(0x2468ac);
    await resize(LARGE);
    const again = await picture('capture_screenshot');
    expect([again.width, pixelAt(again, 795, 595)]).toEqual([LARGE.width, [0x24, 0x68, 0xac]]);
  });

  test('[req:AR-5] while it changes, each picture is of the screen as it was at one moment', async () => {
    await paint(0x13579b);
    const sizes = [TINY, LARGE, SMALL];
    const all = sizes.map(({ width, height }) => `${width}x${height}`);
    let ended = false;
    const changeOften = async (): Promise<void> => {
      for (let turn = 0; turn < 30; turn += 1) await resize(sizes[turn % 3] ?? SMALL);
    };
    const changing = changeOften().finally(() => (ended = true));
    while (!ended) {
      const answer = await scene.agent.call('capture_screenshot', { format: 'png' });
      if (answer.isError) {
        expect(answer.text).toMatch(/Make the same call again|target rect is not what was approved/);
        continue;
      }
      const seen = await decoded(Buffer.from(answer.images[0]?.data ?? '', 'base64'));
      expect(all).toContain(`${seen.width}x${seen.height}`);
      expect(pixelAt(seen, seen.width - 1, seen.height - 1)).toEqual([0x13, 0x57, 0x9b]);
    }
    await changing;
  });
});
