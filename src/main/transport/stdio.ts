/** GABP over a process's own streams: whoever spawned the host is the only peer. Called by host/ for `chaperone host --stdio`. */
import type { Readable, Writable } from 'node:stream';
import { frameTransport, type FramedTransport } from './frames.js';

/** The end of `input` ends the transport; `output` is never closed, and nothing else may write to it. */
export function stdioTransport(input: Readable, output: Writable): FramedTransport {
  return frameTransport({ in: input, out: output, shared: true }, { first: { maxBody: 64 * 1024, ms: 10_000 } });
}
