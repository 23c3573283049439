/** Moves and presses as a person would: through a real input device of the X server, not through XTEST's own. */
import { connectX, type XConnection, readCookie } from '../../src/native/linux/x11/connection.js';
import type { Point } from '../../src/native/desktop.js';

const FAKE_INPUT = 2;
const BUTTON_PRESS = 3;
const BUTTON_RELEASE = 4;
const MOTION_NOTIFY = 5;
const VALUATOR = 0;

interface Packets {
  seq_num: number;
  pack_stream: { put(data: Buffer): void; submit(): void };
}

export interface PersonDevice {
  move(to: Point): Promise<void>;
  button(down: boolean): Promise<void>;
  close(): Promise<void>;
}

/** XTEST can speak for an extension device; what it says then comes from that device. */
export async function openPersonDevice(display: string, env: Record<string, string>): Promise<PersonDevice> {
  const x = await connectX(display, await readCookie(display, env), () => {});
  const [xtest, input] = await Promise.all([x.extension('xtest'), x.extension('xinput')]);
  if (xtest === null || input === null) throw new Error('the X server has no XTEST or XInput');
  const devices = await x.query<{ deviceId: number; use: number; name: string }[]>((reply) =>
    input.XIQueryDevice(input.AllDevices, reply),
  );
  const mouse = devices.find(({ name }) => name === 'Xvfb mouse');
  if (mouse === undefined) throw new Error('the X server has no mouse of its own');
  const fake = (length: number, type: number): Buffer => {
    const packet = Buffer.alloc(length);
    packet.writeUInt8((xtest as unknown as { majorOpcode: number }).majorOpcode, 0);
    packet.writeUInt8(FAKE_INPUT, 1);
    packet.writeUInt16LE(length / 4, 2);
    packet.writeUInt8(input.firstEvent + type, 4);
    packet.writeUInt8(mouse.deviceId, 35);
    return packet;
  };
  return {
    async move(to) {
      const packet = fake(68, MOTION_NOTIFY);
      packet.writeUInt8(input.firstEvent + VALUATOR, 36);
      packet.writeUInt8(mouse.deviceId, 37);
      packet.writeUInt8(2, 42);
      packet.writeInt32LE(to.x, 44);
      packet.writeInt32LE(to.y, 48);
      await send(x, packet);
    },
    async button(down) {
      const packet = fake(36, down ? BUTTON_PRESS : BUTTON_RELEASE);
      packet.writeUInt8(1, 5);
      await send(x, packet);
    },
    close: () => x.close(),
  };
}

async function send(x: XConnection, packet: Buffer): Promise<void> {
  const client = x.client as unknown as Packets;
  client.seq_num += 1;
  client.pack_stream.put(packet);
  client.pack_stream.submit();
  await x.sync();
}

export async function moveAsPerson(display: string, env: Record<string, string>, to: Point): Promise<void> {
  const device = await openPersonDevice(display, env);
  await device.move(to).finally(device.close);
}
