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

export function decodeOutput({ bytes, head, tail }: Output, most: number): DecodedOutput {
  const all = Buffer.concat([head, tail]);
  if (all.length === bytes && bytes <= most) return { ...decode(all), truncated: false };
  const half = Math.floor(most / 2);
  const end = Math.min(half, head.length);
  const start = Math.max(end, all.length - half);
  const first = decode(all.subarray(0, end), true);
  const last = decode(fromCharacter(all.subarray(start)));
  const left = bytes - end - (all.length - start);
  return {
    text: `${first.text}\n[… ${left} bytes left out …]\n${last.text}`,
    binary: first.binary || last.binary,
    truncated: true,
  };
}

/** `stream`: leaves out an incomplete character at the end. */
function decode(bytes: Uint8Array, stream = false): { text: string; binary: boolean } {
  const text = (fatal: boolean) => new TextDecoder('utf-8', { fatal, ignoreBOM: true }).decode(bytes, { stream });
  try {
    return { text: text(true), binary: false };
  } catch {
    return { text: text(false), binary: true };
  }
}

/** Removes the rest of a character at the start. */
function fromCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

/** Keeps line ends and tabs; other invisible or direction-changing characters become codes. */
export function visible(text: string): string {
  return [...text.replaceAll('\r\n', '\n')]
    .map((one) => (one === '\n' || one === '\t' || hiddenKind(one) === null ? one : codePointLabel(one)))
    .join('');
}

const codePointLabel = (one: string): string =>
  `‹U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
