import type { Display, Rect } from '../../desktop.js';
import type { XConnection } from './connection.js';
import { whenMissing } from './properties.js';

/** The monitors, main one first. X has one coordinate system in pixels, so the scale is 1. */
export async function listDisplays(x: XConnection): Promise<Display[]> {
  const found = await outputs(x);
  const whole: Rect = { x: 0, y: 0, width: x.screen.pixel_width, height: x.screen.pixel_height };
  if (found.length === 0) return [{ id: 'screen', name: 'screen', frame: whole, scale: 1, main: true }];
  const main = found.find((output) => output.primary) ?? found.find(({ frame }) => frame.x === 0 && frame.y === 0);
  const chosen = main ?? found[0];
  return found
    .map((output) => ({
      id: output.name,
      name: output.name,
      frame: output.frame,
      scale: 1,
      main: output === chosen,
    }))
    .sort((a, b) => Number(b.main) - Number(a.main));
}

async function outputs(x: XConnection): Promise<{ name: string; frame: Rect; primary: boolean }[]> {
  const randr = await x.extension('randr');
  if (randr === null) return [];
  const resources = await x
    .ask<{ config_timestamp: number; outputs: number[] }>((r) => randr.GetScreenResourcesCurrent(x.root, r))
    .catch(whenMissing);
  if (resources === null) return [];
  const stamp = resources.config_timestamp;
  const primary = await x.ask<number>((r) => randr.GetOutputPrimary(x.root, r)).catch(whenMissing);
  const all = await Promise.all(
    resources.outputs.map(async (id) => {
      const output = await x
        .ask<{ crtc: number; connection: number; name: string }>((r) => randr.GetOutputInfo(id, stamp, r))
        .catch(whenMissing);
      if (output === null || output.crtc === 0) return null;
      const frame = await x.ask<Rect>((r) => randr.GetCrtcInfo(output.crtc, stamp, r)).catch(whenMissing);
      if (frame === null || frame.width === 0) return null;
      const { x: left, y: top, width, height } = frame;
      return { name: output.name, frame: { x: left, y: top, width, height }, primary: id === primary };
    }),
  );
  return all.filter((output) => output !== null);
}
