import type { XConnection } from './connection.js';
import { PROPERTY_CHANGE } from './event-masks.js';

const CLIENT_MESSAGE = 33;
const PART_BYTES = 20;

/** Sends a message of the startup notification protocol to the window manager: text in parts of 20 bytes. */
export async function sendStartupMessage(x: XConnection, text: string): Promise<void> {
  const [begin, more] = await Promise.all([x.atom('_NET_STARTUP_INFO_BEGIN'), x.atom('_NET_STARTUP_INFO')]);
  const window = x.client.AllocID();
  await x.send((done) => x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 1, 0, {}, done));
  const data = Buffer.from(`${text}\0`);
  for (let at = 0; at < data.length; at += PART_BYTES) {
    const event = Buffer.alloc(32);
    event.writeUInt8(CLIENT_MESSAGE, 0);
    event.writeUInt8(8, 1);
    event.writeUInt32LE(window, 4);
    event.writeUInt32LE(at === 0 ? begin : more, 8);
    data.copy(event, 12, at, Math.min(at + PART_BYTES, data.length));
    await x.send((done) => x.client.SendEvent(x.root, 0, PROPERTY_CHANGE, event, done));
  }
  await x.send((done) => x.client.DestroyWindow(window, done));
}
