/**
 * Text as X programs encode it: titles, clipboard and selections. Comes in: the name of a property's type or of a target, and bytes.
 * Goes out: text. See ICCCM 2.6.2 and the Compound Text Encoding of the X Consortium.
 */

const ESCAPE = 0x1b;
const DIRECTION = 0x9b;
const START_OF_TEXT = 0x02;
const UNKNOWN = '\ufffd';

/** Names of MIME types say the encoding, those of X are one. null: neither says it. */
function encodingOf(name: string): string | null {
  if (name === 'UTF8_STRING') return 'utf-8';
  if (name === 'text/unicode') return 'utf-16le';
  return /;\s*charset="?([^\s;"]+)/i.exec(name)?.[1] ?? null;
}

/** How much of a text a target can give, best first; null where it gives none, or none that can be read. */
export function textRank(target: string): number | null {
  const encoding = encodingOf(target);
  if (encoding !== null) {
    if (!/^text\/(plain|unicode)|^UTF8_STRING$/.test(target) || decoderOf(encoding) === null) return null;
    return target === 'UTF8_STRING' ? 0 : /^utf-?8$/i.test(encoding) ? 1 : /^utf/i.test(encoding) ? 2 : 5;
  }
  const at = ['text/plain', 'COMPOUND_TEXT', '', 'TEXT', 'STRING', 'C_STRING'].indexOf(target);
  return at === -1 || target === '' ? null : at + 3;
}

/** `type` is what the content came with. Where that is no encoding, the target that was asked for says it. */
export function decodeText(type: string, data: Buffer, target = type): string {
  const text = decode(type, data, target);
  return text.replace(/\0+$/, '');
}

function decode(type: string, data: Buffer, target: string): string {
  if (type === 'COMPOUND_TEXT') return decodeCompound(data);
  // Latin-1 by its definition, but some programs write UTF-8, which Latin-1 hardly ever looks like.
  if (type === 'STRING' || type === 'C_STRING') return utf8OrLatin1(data);
  const marked = byMark(data);
  if (marked !== null) return marked;
  const encoding = encodingOf(type) ?? encodingOf(target);
  if (encoding !== null) return decoderOf(encoding)?.decode(data) ?? data.toString('latin1');
  return utf8OrLatin1(data);
}

function utf8OrLatin1(data: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return data.toString('latin1');
  }
}

function byMark(data: Buffer): string | null {
  if (data[0] === 0xff && data[1] === 0xfe) return data.toString('utf16le', 2);
  if (data[0] === 0xfe && data[1] === 0xff) return new TextDecoder('utf-16be').decode(data);
  return null;
}

function decoderOf(encoding: string): { decode(bytes: Uint8Array): string } | null {
  try {
    return new TextDecoder(encoding);
  } catch {
    return null;
  }
}

/** A character set of one or two bytes each; its bytes are decoded with their high bit set. */
interface CharacterSet {
  bytes: 1 | 2;
  encoding: string;
  /** Puts it beside the others of its encoding. */
  prefix?: number;
}

const ASCII: CharacterSet = { bytes: 1, encoding: 'ascii' };
const latin = (part: string): CharacterSet => ({ bytes: 1, encoding: `iso-8859-${part}` });
/** By the intermediate bytes of their escape sequence, without the one that says left or right, and its final byte. */
const SETS: Readonly<Record<string, CharacterSet>> = {
  'B': ASCII, 'J': ASCII, 'I': { bytes: 1, encoding: 'euc-jp', prefix: 0x8e },
  '-A': latin('1'), '-B': latin('2'), '-C': latin('3'), '-D': latin('4'), '-F': latin('7'), '-G': latin('6'), '-H': latin('8'),
  '-L': latin('5'), '-M': { bytes: 1, encoding: 'windows-1254' }, '-T': { bytes: 1, encoding: 'windows-874' }, '-V': latin('10'),
  '-Y': latin('13'), '-_': latin('14'), '-b': latin('15'), '-f': latin('16'),
  '$A': { bytes: 2, encoding: 'gbk' }, '$B': { bytes: 2, encoding: 'euc-jp' }, '$C': { bytes: 2, encoding: 'euc-kr' },
  '$D': { bytes: 2, encoding: 'euc-jp', prefix: 0x8f },
}; // prettier-ignore
/** Of `$`, one side and a final byte: the set on the left (`(`) or on the right (`)`, `-`). */
const DESIGNATION = /^(\$?)([()-])(.)$/;

function decodeCompound(data: Buffer): string {
  let [left, right]: (CharacterSet | undefined)[] = [ASCII, latin('1')];
  let text = '';
  for (let at = 0; at < data.length;) {
    if (data[at] === DIRECTION) {
      at = data.indexOf(']', at) + 1 || data.length;
    } else if (data[at] === ESCAPE) {
      const sequence = /^\x1b[\x20-\x2f]*[\x30-\x7e]?/.exec(data.toString('latin1', at, at + 8))?.[0] ?? '\x1b';
      at += sequence.length;
      if (sequence === '\x1b%G') {
        const end = data.indexOf('\x1b%@', at, 'latin1');
        text += data.toString('utf8', at, end === -1 ? data.length : end);
        at = end === -1 ? data.length : end + 3;
      } else if (sequence.startsWith('\x1b%/')) {
        const length = (((data[at] ?? 0x80) & 0x7f) << 7) | ((data[at + 1] ?? 0x80) & 0x7f);
        text += decodeExtended(data.subarray(at + 2, at + 2 + length));
        at += 2 + length;
      } else {
        const [, wide = '', side = '', final = ''] = DESIGNATION.exec(sequence.slice(1)) ?? [];
        const set = SETS[`${wide}${side === '-' ? '-' : ''}${final}`];
        if (side === '(') left = set;
        else if (side !== '') right = set;
      }
    } else {
      const isRight = (data[at] ?? 0) >= 0x80;
      let end = at;
      while (end < data.length && isRight === (data[end] ?? 0) >= 0x80 && !isControl(data[end] ?? 0)) end += 1;
      if (end === at) end += 1;
      text += decodeSet(data.subarray(at, end), isRight ? right : left);
      at = end;
    }
  }
  return text;
}

const isControl = (byte: number): boolean => byte === ESCAPE || byte === DIRECTION;

/** Its name and its bytes, as `koi8-r\x02…`. */
function decodeExtended(segment: Buffer): string {
  const start = segment.indexOf(START_OF_TEXT);
  const name = segment.toString('latin1', 0, Math.max(0, start)).toLowerCase();
  const known = [
    name,
    name.replace(/-\d$/, ''),
    name.replace(/^microsoft-cp/, 'windows-'),
    name.replace(/^iso8859/, 'iso-8859'),
  ];
  const decoder = known.map(decoderOf).find((one) => one !== null);
  return decoder?.decode(segment.subarray(start + 1)) ?? UNKNOWN;
}

function decodeSet(bytes: Buffer, set: CharacterSet | undefined): string {
  if (set === undefined) return UNKNOWN.repeat(bytes.length);
  if (set === ASCII) return bytes.toString('latin1');
  // Line breaks, tabs and spaces are the same in every set.
  return bytes.toString('latin1').replace(/[!-\x7e\xa0-\xff]+/g, (part) => {
    const high = [...Buffer.from(part, 'latin1')].map((byte) => byte | 0x80);
    const { prefix } = set;
    const marked =
      prefix === undefined ? high : high.flatMap((byte, at) => (at % set.bytes === 0 ? [prefix, byte] : [byte]));
    return set.encoding === 'iso-8859-1'
      ? Buffer.from(high).toString('latin1')
      : new TextDecoder(set.encoding).decode(Uint8Array.from(marked));
  });
}
