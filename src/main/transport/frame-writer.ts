import type { Writable } from 'node:stream';

interface FrameWriter {
  /** False where there is no room for more. `onWritten`: the system has taken the whole frame. */
  write(frame: Buffer, onWritten?: () => void): boolean;
  /** Bytes that wait here or in the stream. */
  queued(): number;
  /** Must be called before the stream is ended. */
  flush(): void;
}

/** Larger frames are not copied to be joined with others. */
const MAX_JOINED_BYTES = 16 * 1024;

/**
 * The first frame of a turn of the event loop leaves at once; small ones after it leave together at the turn's end, and with them the
 * first of the next turn: where there are many at once, each write wakes the peer for nothing.
 */
export function createFrameWriter(out: Writable): FrameWriter {
  let inTurn = false;
  let [count, countBefore] = [0, 0];
  let frames: Buffer[] = [];
  let bytes = 0;
  let listeners: (() => void)[] = [];

  function endTurn(): void {
    inTurn = false;
    [count, countBefore] = [0, count];
    flush();
  }

  function flush(): void {
    if (frames.length === 0) return;
    const [joined, written] = [Buffer.concat(frames, bytes), listeners];
    [frames, bytes, listeners] = [[], 0, []];
    out.write(joined, (error) => {
      if (error == null) for (const each of written) each();
    });
  }

  function writeNow(frame: Buffer, onWritten?: () => void): boolean {
    flush();
    if (onWritten === undefined) return out.write(frame);
    return out.write(frame, (error) => void (error == null && onWritten()));
  }

  return {
    write(frame, onWritten) {
      if (!inTurn) setImmediate(endTurn);
      inTurn = true;
      count += 1;
      const isAlone = count === 1 && countBefore < 2;
      if (isAlone || frame.length > MAX_JOINED_BYTES) return writeNow(frame, onWritten);
      frames.push(frame);
      bytes += frame.length;
      if (onWritten !== undefined) listeners.push(onWritten);
      if (bytes > MAX_JOINED_BYTES) flush();
      return !out.writableNeedDrain;
    },
    queued: () => out.writableLength + bytes,
    flush,
  };
}
