import type { XRandr } from 'x11';
import type { Display, Rect } from '../../desktop.js';
import type { XConnection } from './connection.js';
import { whenMissing } from './properties.js';

interface Monitor {
  name: number;
  primary: boolean;
  frame: Rect;
}

const GET_MONITORS = 42;
const MONITOR_BYTES = 24;

/** The monitors, main one first. X has one coordinate system in pixels, so the scale is 1. */
export async function listDisplays(x: XConnection): Promise<Display[]> {
  const randr = await x.extension('randr');
  // An X server older than RandR 1.5 has no monitors, only its screen.
  const found = randr === null ? [] : ((await monitors(x, randr).catch(whenMissing)) ?? []);
  const whole: Rect = { x: 0, y: 0, width: x.screen.pixel_width, height: x.screen.pixel_height };
  if (found.length === 0) return [{ id: 'screen', name: 'screen', frame: whole, scale: 1, main: true }];
  const main = found.find(({ primary }) => primary) ?? found.find(({ frame }) => frame.x === 0 && frame.y === 0);
  const chosen = main ?? found[0];
  const named = await Promise.all(
    found.map(async (monitor) => {
      const name = await x.atomName(monitor.name);
      return { id: name, name, frame: monitor.frame, scale: 1, main: monitor === chosen };
    }),
  );
  return named.sort((a, b) => Number(b.main) - Number(a.main));
}

/** The RandR request GetMonitors, which the library does not have. Monitors may also be parts of one physical screen. */
function monitors({ query, client, root }: XConnection, randr: XRandr): Promise<Monitor[]> {
  const request = Buffer.alloc(12);
  request.writeUInt8(randr.majorOpcode, 0);
  request.writeUInt8(GET_MONITORS, 1);
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt32LE(root, 4);
  request.writeUInt8(1, 8);
  return query<Monitor[]>((reply) => {
    client.seq_num += 1;
    client.replies[client.seq_num] = [readMonitors, reply];
    client.pack_stream.put(request);
    client.pack_stream.submit(true);
  });
}

/** The reply after its first 8 bytes. */
function readMonitors(reply: Buffer): Monitor[] {
  const found: Monitor[] = [];
  for (let at = 24, left = reply.readUInt32LE(4); left > 0; left -= 1) {
    const side = (offset: number) => reply.readUInt16LE(at + offset);
    const frame = { x: reply.readInt16LE(at + 8), y: reply.readInt16LE(at + 10), width: side(12), height: side(14) };
    found.push({ name: reply.readUInt32LE(at), primary: reply.readUInt8(at + 4) !== 0, frame });
    at += MONITOR_BYTES + 4 * side(6);
  }
  return found;
}
