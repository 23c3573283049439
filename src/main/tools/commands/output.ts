/** Decodes command output as text, and escapes invisible characters for display. Pure. */
import { hiddenKind } from '../../protocol/characters.js';

interface Output {
  bytes: number;
  head: Uint8Array;
  tail: Uint8Array;
}

interface DecodedOutput {
  text: string;
  /** Invalid UTF-8 was replaced. */
  binary: boolean;
  /** The middle is left out. */
  truncated: boolean;
}

const CONTINUES = 0x80;

export function decodeOutput({ bytes, head, tail }: Output, most: number): DecodedOutput {
  const all = Buffer.concat([head, tail]);
  if (all.length === bytes && bytes <= most) return { ...decode(all), truncated: false };
  const half = Math.floor(most / 2);
  const end = Math.min(half, head.length);
  const start = Math.max(end, all.length - half);
  const first = decode(upToCharacter(all.subarray(0, end)));
  const last = decode(fromCharacter(all.subarray(start)));
  const left = bytes - end - (all.length - start);
  return {
    text: `${first.text}\n[… ${left} bytes left out …]\n${last.text}`,
    binary: first.binary || last.binary,
    truncated: true,
  };
}

function decode(bytes: Uint8Array): { text: string; binary: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), binary: false };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), binary: true };
  }
}

/** Removes an incomplete character at the end. */
function upToCharacter(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  for (let steps = 0; steps < 3 && start > 0 && isContinued(bytes[start] ?? 0); steps += 1) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}

function fromCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinued(bytes[start] ?? 0)) start += 1;
  return bytes.subarray(start);
}

const isContinued = (byte: number): boolean => (byte & 0xc0) === CONTINUES;

/** Keeps line ends and tabs; other invisible or direction-changing characters become codes. */
export function visible(text: string): string {
  return [...text.replaceAll('\r\n', '\n')]
    .map((one) => (one === '\n' || one === '\t' || hiddenKind(one) === null ? one : numbered(one)))
    .join('');
}

const numbered = (one: string): string =>
  `‹U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
