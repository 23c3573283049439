import type { XEvent, XRandr, XReply } from 'x11';
import type { Rect } from '../../desktop.js';
import { type CachedValue, createCachedValue } from './cached-value.js';
import type { XConnection } from './connection.js';

export interface Monitor {
  /** An atom. */
  name: number;
  primary: boolean;
  frame: Rect;
}

/** The monitors, kept up to date by events. Monitors may also be parts of one physical screen. */
export interface MonitorCache {
  /** null where the server has none, only its screen: RandR 1.5 brought them. */
  readonly monitors: CachedValue<Monitor[]> | null;
  /** True where the event reports a change of what was known. */
  expire(event: XEvent): boolean;
}

const GET_MONITORS = 42;
const MONITOR_BYTES = 24;
/** What RandR reports: first the screen, then outputs and the like. Monitors that a program sets are told of as changes of the root. */
const RANDR_EVENTS = 2;

/** The window cache selects the events of the root window. */
export async function openMonitorCache(x: XConnection): Promise<MonitorCache> {
  const randr = await x.extension('randr');
  if (randr === null || randr.major_version < 1 || (randr.major_version === 1 && randr.minor_version < 5))
    return { monitors: null, expire: () => false };
  const { ScreenChange, CrtcChange, OutputChange } = randr.NotifyMask;
  randr.SelectInput(x.root, ScreenChange | CrtcChange | OutputChange);
  let answers = true;
  const root = { xid: x.root, exists: () => answers, onMissing: () => void (answers = false) };
  const monitors = createCachedValue<Monitor[], Monitor[]>(x, root, requestMonitors(x, randr), (same) => same);
  const reportsChange = ({ name, type, wid1 }: XEvent): boolean =>
    name === 'ConfigureNotify' ? wid1 === x.root : type >= randr.firstEvent && type < randr.firstEvent + RANDR_EVENTS;
  return { monitors, expire: (event) => reportsChange(event) && monitors.expire() };
}

/** The RandR request GetMonitors, which the library does not have. */
function requestMonitors({ client, root }: XConnection, randr: XRandr): (reply: XReply<Monitor[]>) => void {
  const request = Buffer.alloc(12);
  request.writeUInt8(randr.majorOpcode, 0);
  request.writeUInt8(GET_MONITORS, 1);
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt32LE(root, 4);
  request.writeUInt8(1, 8);
  return (reply) => {
    client.seq_num += 1;
    client.replies[client.seq_num] = [readMonitors, reply];
    client.pack_stream.put(request);
    client.pack_stream.submit(true);
  };
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
