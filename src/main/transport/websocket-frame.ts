const TEXT_AND_LAST = 0x81;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;

/** A whole message of text as a server sends it: one frame, unmasked (RFC 6455, 5.2). */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < LENGTH_IN_2_BYTES ? 2 : length < 2 ** 16 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = TEXT_AND_LAST;
  if (head === 2) frame[1] = length;
  if (head === 4) frame.writeUInt16BE(length, frame.writeUInt8(LENGTH_IN_2_BYTES, 1));
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), frame.writeUInt8(LENGTH_IN_8_BYTES, 1));
  frame.write(text, head);
  return frame;
}

/** Frames of texts; the same text to many pages in one turn is encoded once. */
export function createSharedFrames(): (text: string) => Buffer {
  let last: { text: string; frame: Buffer } | null = null;
  const forget = (): void => {
    last = null;
  };
  return (text) => {
    if (last?.text === text) return last.frame;
    if (last === null) process.nextTick(forget);
    last = { text, frame: textFrame(text) };
    return last.frame;
  };
}
