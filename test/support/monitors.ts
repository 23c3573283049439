/** Puts a monitor on the screen, as `xrandr --setmonitor` does. */
import type { Rect } from '../../src/native/desktop.js';
import { connectToDisplay } from './x-connection.js';

const SET_MONITOR = 43;

export async function setMonitor(env: Record<string, string>, name: string, frame: Rect): Promise<void> {
  const x = await connectToDisplay(env);
  try {
    const randr = await x.extension('randr');
    if (randr === null) throw new Error('the X server has no RandR');
    const request = Buffer.alloc(32);
    request.writeUInt8(randr.majorOpcode, 0);
    request.writeUInt8(SET_MONITOR, 1);
    request.writeUInt16LE(request.length / 4, 2);
    request.writeUInt32LE(x.root, 4);
    request.writeUInt32LE(await x.atom(name), 8);
    [frame.x, frame.y, frame.width, frame.height].forEach((value, index) =>
      request.writeInt16LE(value, 16 + 2 * index),
    );
    x.client.seq_num += 1;
    x.client.pack_stream.put(request);
    x.client.pack_stream.submit(false);
    await x.sync();
  } finally {
    await x.close();
  }
}
