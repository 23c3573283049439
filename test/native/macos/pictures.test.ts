import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message } from '../../../src/messages/index.js';
import { DesktopError, type Capture, type CaptureTarget, type DesktopReader } from '../../../src/native/desktop.js';
import { createCapture, createScreenshotProgram, readPicture } from '../../../src/native/macos/pictures/capture.js';
import { pictureSource } from '../../../src/native/macos/pictures/picture-source.js';
import { takePicture } from '../../../src/native/macos/pictures/screen-capture-kit.js';
import { rejectionOf } from '../../support/macos/errors.js';
import type { Opened } from '../../support/macos/reader.js';
import { addApp, at, MAIN, SECOND } from '../../support/macos/scene.js';
import { withScene } from '../../support/macos/with-scene.js';

const KIT = { well: 0, never: 1, twice: 2, errs: 3, deep: 4, empty: 5, padded: 6 };
const USER_DECLINED = -3801;
const SIDE = '37D8832A-2D66-02CA-B9F7-000000000005';
const { signal } = new AbortController();

let opened: Opened;
let desktop: Pick<DesktopReader, 'capture' | 'windowPaint'>;
let folder: string;
const { script } = withScene((started) => ({ opened } = started));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaperone-test-'));
  const program = join(folder, 'screencapture');
  desktop = createCapture(
    {
      pictureSource: async (target) => pictureSource(opened, target),
      takePicture: (source) => takePicture(opened.core, source),
    },
    createScreenshotProgram(program),
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const capture = (target: CaptureTarget): Promise<Capture> => desktop.capture(target, signal);
const windowOf = ({ window }: typeof MAIN): CaptureTarget => ({ kind: 'window', windowId: String(window) });
const refusal = (target: CaptureTarget) => rejectionOf(capture(target));

/** Stands in for the system's program: writes this picture, and tells how it was called. */
function program(picture: Buffer): void {
  writeFileSync(join(folder, 'picture'), picture);
  const script = `#!/bin/sh\necho "$@" >> ${folder}/calls\nfor last; do :; done\ncp ${folder}/picture "$last"\n`;
  writeFileSync(join(folder, 'screencapture'), script);
  chmodSync(join(folder, 'screencapture'), 0o700);
}
const calls = (): string[] => {
  const path = join(folder, 'calls');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
};

function chunk(type: string, body: Buffer): Buffer {
  const whole = Buffer.alloc(12 + body.length);
  whole.writeUInt32BE(body.length, 0);
  whole.write(type, 4, 'latin1');
  body.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + body.length)), 8 + body.length);
  return whole;
}

/** Rows are given as they are stored, each with its filter before it. */
function png(width: number, rows: readonly number[][], form = {}): Buffer {
  return pngOf(width, rows.length, Buffer.from(rows.flat()), form);
}

function pngOf(width: number, height: number, raw: Buffer, { depth = 8, kind = 2 } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, kind], 8);
  const data = deflateSync(raw, { level: 1 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const [one, other] = [data.subarray(0, 5), data.subarray(5)];
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', one), chunk('IDAT', other), chunk('IEND', Buffer.alloc(0))]); // prettier-ignore
}

function plain(width: number, height: number, value: number): Buffer {
  const raw = Buffer.alloc((width * 3 + 1) * height, value);
  for (let row = 0; row < height; row++) raw[row * (width * 3 + 1)] = 0;
  return pngOf(width, height, raw);
}

describe('pictures', () => {
  it('of a display have all its pixels, where it is', async () => {
    expect(await capture({ kind: 'display' })).toMatchObject({ width: 2880, height: 1800, origin: { x: 0, y: 0 }, scale: 2 });
    const side = await capture({ kind: 'display', displayId: SIDE });
    expect(side).toMatchObject({ width: 1920, height: 1080, origin: { x: 1440, y: 0 }, scale: 1 });
    expect(side.rgb).toHaveLength(1920 * 1080 * 3);
    expect([...side.rgb.subarray(4 * 3, 4 * 3 + 3)]).toEqual([1, 0, 40]);
  }); // prettier-ignore

  it('of a region are the same pixels, cut to the display that has most of it', async () => {
    const region = await capture({ kind: 'region', rect: at(120.4, 240, 30, 20) });
    expect(region).toMatchObject({ width: 62, height: 40, origin: { x: 120, y: 240 }, scale: 2 });
    const whole = await capture({ kind: 'display' });
    for (const row of [0, 39]) {
      const start = ((480 + row) * whole.width + 240) * 3;
      expect([...region.rgb.subarray(row * 62 * 3, (row + 1) * 62 * 3)]).toEqual([...whole.rgb.subarray(start, start + 62 * 3)]);
    }
    const between = await capture({ kind: 'region', rect: at(1430, 10, 40, 10) });
    expect(between).toMatchObject({ width: 30, height: 10, origin: { x: 1440, y: 10 }, scale: 1 });
    expect(await refusal({ kind: 'region', rect: at(9000, 9000, 5, 5) })).toMatchObject({ code: 'failed' });
    expect(await refusal({ kind: 'region', rect: at(10, 10, 0, 5) })).toMatchObject({ code: 'failed' });
    expect(await refusal({ kind: 'display', displayId: 'none' })).toMatchObject({ code: 'not_found' });
  }); // prettier-ignore

  it('of a window are its own, also where another covers it', async () => {
    const covered = await capture(windowOf(SECOND));
    expect(covered).toMatchObject({ width: 1200, height: 1000, origin: { x: 300, y: 200 }, scale: 2 });
    script.showWindow(MAIN.window, 0);
    expect(Buffer.compare((await capture(windowOf(SECOND))).rgb, covered.rgb)).toBe(0);
  });

  it('of a window that does not show there are none', async () => {
    script.showWindow(MAIN.window, 0);
    const hidden = { code: 'unsupported', text: { code: 'native.hidden_no_picture' } };
    expect(await refusal(windowOf(MAIN))).toMatchObject(hidden);
    expect(await refusal({ kind: 'window', windowId: 'none' })).toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['rows are padded', KIT.padded],
    ['colours are deep', KIT.deep],
    ['the completion is called twice', KIT.twice],
  ])('are the same where %s', async (_, mode) => {
    const before = await capture({ kind: 'region', rect: at(100, 100, 500, 400) });
    script.pictureMode(mode === KIT.twice ? mode : KIT.well, mode, 0);
    const now = await capture({ kind: 'region', rect: at(100, 100, 500, 400) });
    expect(Buffer.compare(now.rgb, before.rgb)).toBe(0);
  });

  it('of a display are without our own windows, whatever accessibility says of them; by the program there are none meanwhile', async () => {
    const region = { kind: 'region', rect: at(100, 100, 500, 400) } as const;
    const before = await capture(region);
    addApp(script, { pid: process.ppid, name: 'Chaperone', bundle: 'com.example.chaperone', policy: 1 });
    script.addWindow(85, process.ppid, 0, 101, 300, 200, 200, 200);
    script.hang(process.ppid, 1);
    expect(Buffer.compare((await capture(region)).rgb, before.rgb)).toBe(0);
    script.kitMissing(1);
    program(plain(2880, 1800, 7));
    expect(await refusal(region)).toMatchObject({ code: 'unsupported', text: { code: 'native.popover_in_picture' } });
    expect(calls()).toEqual([]);
    script.showWindow(85, 0);
    script.addWindow(86, process.ppid, 0, 25, 1300, 0, 30, 25);
    expect(await capture(region)).toMatchObject({ width: 1000, height: 800 });
    script.kitMissing(0);
  });

  it('of a window that moves meanwhile are taken again', async () => {
    script.movesBeforePicture(MAIN.window);
    expect(await capture(windowOf(MAIN))).toMatchObject({ origin: { x: 110, y: 100 } });
  });

  it('are taken one at a time, also where nobody waits for the first any more', async () => {
    const abort = new AbortController();
    const first = rejectionOf(desktop.capture({ kind: 'display' }, abort.signal));
    const others = [capture({ kind: 'display' }), capture(windowOf(MAIN))];
    abort.abort(new Error('enough'));
    expect(await first).toMatchObject({ message: 'enough' });
    expect((await Promise.all(others)).map(({ width }) => width)).toEqual([2880, 960]);
  });

  it('are not asked for without permission, and a refusal is one', async () => {
    script.record(0, 0);
    expect(await refusal({ kind: 'display' })).toMatchObject({ code: 'permission' });
    script.record(1, 1);
    script.pictureMode(KIT.errs, KIT.well, USER_DECLINED);
    expect(await refusal({ kind: 'display' })).toMatchObject({ code: 'permission' });
    expect(calls()).toEqual([]);
  });

  it('say nothing of when a window was painted', async () => {
    expect(await desktop.windowPaint(String(MAIN.window), null, signal)).toBeNull();
  });
});

describe('the system’s own program', () => {
  it.each([
    ['of an older system', () => script.kitMissing(1)],
    ['where the kit errs', () => script.pictureMode(KIT.errs, KIT.well, -3811)],
    ['where the picture fails', () => script.pictureMode(KIT.well, KIT.errs, -3811)],
    ['where the picture is empty', () => script.pictureMode(KIT.well, KIT.empty, 0)],
  ])('takes the picture %s', async (_, prepare) => {
    prepare();
    program(plain(960, 920, 7));
    const shot = await capture(windowOf(MAIN));
    script.kitMissing(0);
    expect(shot).toMatchObject({ width: 960, height: 920, origin: { x: 100, y: 100 }, scale: 2 });
    expect(new Set(shot.rgb)).toEqual(new Set([7]));
    expect(calls()).toEqual([expect.stringMatching(/^-x -o -l 71 \S+\/picture\.png$/)]);
    expect(existsSync(calls()[0]?.split(' ').at(-1) ?? '')).toBe(false);
  });

  it('takes the picture where the kit never answers, once its helper was ended', async () => {
    program(plain(960, 920, 7));
    const silent = createCapture(
      {
        pictureSource: async (target) => pictureSource(opened, target),
        takePicture: () => Promise.reject(new DesktopError('not_responding', message('native.app_silent'))),
      },
      createScreenshotProgram(join(folder, 'screencapture')),
    );
    expect((await silent.capture(windowOf(MAIN), signal)).rgb[0]).toBe(7);
  });

  it('takes the main display only, and nothing of another size', async () => {
    script.kitMissing(1);
    program(plain(2880, 1800, 9));
    const shot = await capture({ kind: 'region', rect: at(5, 5, 10, 10) });
    const other = await refusal({ kind: 'display', displayId: SIDE });
    program(plain(1920, 1080, 9));
    const odd = await refusal({ kind: 'display' });
    program(Buffer.from('no picture'));
    const none = await refusal({ kind: 'display' });
    script.kitMissing(0);
    expect(shot).toMatchObject({ width: 20, height: 20, origin: { x: 5, y: 5 }, scale: 2 });
    expect(other).toMatchObject({ code: 'unsupported', text: { code: 'native.main_display_only' } });
    expect(odd).toMatchObject({ code: 'failed', text: { code: 'native.changed_while_captured' } });
    expect(none).toMatchObject({ code: 'failed', text: { code: 'native.no_picture_given' } });
  });

  const whole = (size: { width: number; height: number }) => ({ x: 0, y: 0, ...size });

  it('writes deep and transparent files, of which the part is cut', async () => {
    const deep = png(1, [[0, 200, 1, 100, 2, 50, 3, 255, 255]], { depth: 16, kind: 6 });
    expect([...(await readPicture(deep, whole)).rgb]).toEqual([200, 100, 50]);
    const half = png(2, [[0, 0, 0, 0, 0, 200, 100, 50, 51]], { kind: 6 });
    expect([...(await readPicture(half, () => at(1, 0, 1, 1))).rgb]).toEqual([40, 20, 10]);
  });

  it.each([
    ['is cut', png(1, [[0, 1, 2]])],
    ['has an unknown filter', png(1, [[9, 1, 2, 3]])],
    ['has no header', Buffer.concat([png(1, [[0, 1, 2, 3]]).subarray(0, 8), chunk('IEND', Buffer.alloc(0))])],
  ])('writes no file that %s', async (_, file) => {
    await expect(readPicture(file, whole)).rejects.toThrow();
  });
});
