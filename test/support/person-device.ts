/** Moves the pointer as a person would: through a real input device of the X server, not through XTEST's own. */
import { connectX } from '../../src/native/linux/x11/connection.js';
import { readCookie } from '../../src/native/linux/x11/auth.js';
import type { Point } from '../../src/native/desktop.js';

const FAKE_INPUT = 2;
const MOTION_NOTIFY = 5;
const VALUATOR = 0;

interface Packets {
  seq_num: number;
  pack_stream: { put(data: Buffer): void; submit(): void };
}

/** XTEST can speak for an extension device; what it says then comes from that device. */
export async function moveAsPerson(display: string, env: Record<string, string>, to: Point): Promise<void> {
  const x = await connectX(display, await readCookie(display, env), () => {});
  try {
    const [xtest, input] = await Promise.all([x.extension('xtest'), x.extension('xinput')]);
    if (xtest === null || input === null) throw new Error('the X server has no XTEST or XInput');
    const devices = await x.ask<{ deviceId: number; use: number; name: string }[]>((reply) =>
      input.XIQueryDevice(input.AllDevices, reply),
    );
    const mouse = devices.find(({ name }) => name === 'Xvfb mouse');
    if (mouse === undefined) throw new Error('the X server has no mouse of its own');
    const packet = Buffer.alloc(68);
    packet.writeUInt8((xtest as unknown as { majorOpcode: number }).majorOpcode, 0);
    packet.writeUInt8(FAKE_INPUT, 1);
    packet.writeUInt16LE(packet.length / 4, 2);
    packet.writeUInt8(input.firstEvent + MOTION_NOTIFY, 4);
    packet.writeUInt8(mouse.deviceId, 35);
    packet.writeUInt8(input.firstEvent + VALUATOR, 36);
    packet.writeUInt8(mouse.deviceId, 37);
    packet.writeUInt8(2, 42);
    packet.writeInt32LE(to.x, 44);
    packet.writeInt32LE(to.y, 48);
    const client = x.client as unknown as Packets;
    client.seq_num += 1;
    client.pack_stream.put(packet);
    client.pack_stream.submit();
    await x.sync();
  } finally {
    await x.close();
  }
}
