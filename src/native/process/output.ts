import type { Readable } from 'node:stream';

/** The output of one stream: its size, and its first and last part where it was too long to keep. */
export interface StreamOutput {
  bytes: number;
  head: Buffer;
  /** Empty while everything fits into `head`. */
  tail: Buffer;
}

/** Reads a stream to its end and keeps at most `cap` bytes, half from the start and half from the end. */
export function collect(stream: Readable, cap: number, onData: () => void): () => StreamOutput {
  const half = Math.floor(cap / 2);
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let bytes = 0;
  let kept = 0;
  let last = 0;

  const keepLast = (chunk: Buffer): void => {
    tail.push(chunk);
    last += chunk.length;
    for (let first = tail[0]; first !== undefined && last - first.length >= half; first = tail[0]) {
      last -= first.length;
      tail.shift();
    }
  };

  stream.on('data', (chunk: Buffer) => {
    onData();
    bytes += chunk.length;
    const room = Math.min(chunk.length, half - kept);
    if (room > 0) {
      head.push(chunk.subarray(0, room));
      kept += room;
    }
    if (room < chunk.length) keepLast(chunk.subarray(Math.max(0, room)));
  });
  // A stream that breaks off ends the same way as one that ends.
  stream.on('error', () => {});

  return () => {
    const end = Buffer.concat(tail);
    return { bytes, head: Buffer.concat(head), tail: end.subarray(Math.max(0, end.length - half)) };
  };
}
