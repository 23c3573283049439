import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameDecoder, frameHeader, FramingError } from '../../src/main/protocol/framing.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const join = (parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const frame = (body: Uint8Array, header = frameHeader(body.length)): Uint8Array => join([bytes(header), body]);
const texts = (frames: Uint8Array[]): string[] => frames.map((each) => new TextDecoder().decode(each));

/** Feeds the bytes in the pieces the cuts make. */
function feed(decoder: ReturnType<typeof createFrameDecoder>, all: Uint8Array, cuts: number[]): Uint8Array[] {
  const points = [...new Set([0, ...cuts.map((cut) => cut % (all.length + 1)), all.length])].sort((a, b) => a - b);
  return points.slice(1).flatMap((end, at) => decoder.push(all.subarray(points[at], end)));
}

describe('frameHeader', () => {
  it('[req:DS-3-2] names the length first and in exactly this case', () => {
    expect(frameHeader(12)).toBe('Content-Length: 12\r\nContent-Type: application/json\r\n\r\n');
  });
});

describe('createFrameDecoder', () => {
  it('[req:DS-12-3] gives the same bodies however the stream is cut', () => {
    const body = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(
        fc.array(body, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(5_000), { maxLength: 40 }),
        (bodies, cuts) => {
          const decoder = createFrameDecoder();
          const out = feed(decoder, join(bodies.map((each) => frame(each))), cuts);
          expect(out.map((each) => [...each])).toEqual(bodies.map((each) => [...each]));
          expect(decoder.partial()).toBe(false);
        },
      ),
    );
  });

  it('[req:DS-3-2] takes headers in any order and case, with LF alone, blanks and unknown names', () => {
    const name = fc.constantFrom('Content-Length', 'content-length', 'CONTENT-LENGTH', 'cOnTeNt-LeNgTh');
    const eol = fc.constantFrom('\r\n', '\n');
    const blanks = fc.constantFrom('', ' ', '\t ', '   ');
    const others = fc.array(
      fc.constantFrom('Content-Type: application/json; charset=utf-8', 'X-Other: 1', 'content-type:'),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(name, eol, blanks, blanks, others, fc.boolean(), (spelled, end, before, after, extra, first) => {
        const length = `${spelled}:${before}7${after}`;
        const lines = first ? [length, ...extra] : [...extra, length];
        const decoder = createFrameDecoder();
        expect(texts(decoder.push(frame(bytes('{"a":1}'), lines.join(end) + end + end)))).toEqual(['{"a":1}']);
      }),
    );
  });

  it.each([
    ['twice', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n'],
    ['twice in another case', 'Content-Length: 2\r\ncontent-length: 3\r\n\r\n'],
    ['negative', 'Content-Length: -2\r\n\r\n'],
    ['zero', 'Content-Length: 0\r\n\r\n'],
    ['NaN', 'Content-Length: NaN\r\n\r\n'],
    ['hexadecimal', 'Content-Length: 0x10\r\n\r\n'],
    ['a fraction', 'Content-Length: 2.5\r\n\r\n'],
    ['an exponent', 'Content-Length: 1e3\r\n\r\n'],
    ['signed', 'Content-Length: +2\r\n\r\n'],
    ['a list', 'Content-Length: 2, 2\r\n\r\n'],
    ['empty', 'Content-Length:\r\n\r\n'],
    ['absurd', `Content-Length: ${'9'.repeat(400)}\r\n\r\n`],
    ['missing', 'Content-Type: application/json\r\n\r\n'],
    ['missing, with no header at all', '\r\n'],
    ['not a header but HTTP', 'POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n'],
    ['folded', 'Content-Length: 2\r\n folded\r\n\r\n'],
    ['named with a blank', 'Content-Length : 2\r\n\r\n'],
    ['beside a control character', 'X: a\u0000b\r\nContent-Length: 2\r\n\r\n'],
    ['beside a lone CR', 'X: a\rb\r\nContent-Length: 2\r\n\r\n'],
    ['beside non-ASCII', 'X: é\r\nContent-Length: 2\r\n\r\n'],
  ])('refuses a length that is %s, for good', (_, header) => {
    const decoder = createFrameDecoder();
    expect(() => decoder.push(bytes(`${header}{}`))).toThrow(FramingError);
    expect(() => decoder.push(frame(bytes('{}')))).toThrow(FramingError);
  });

  it('hands over frames that were whole before the fault', () => {
    const decoder = createFrameDecoder();
    const fault = caught(() => decoder.push(join([frame(bytes('1')), bytes('nonsense\r\n\r\n')])));
    expect(texts(fault.before)).toEqual(['1']);
  });

  it('refuses a body over the limit on its header alone', () => {
    const decoder = createFrameDecoder({ maxBody: 10 });
    expect(texts(decoder.push(frame(bytes('0123456789'))))).toEqual(['0123456789']);
    expect(() => decoder.push(bytes(frameHeader(11)))).toThrow(/limit/);
  });

  it('raises the limit from the next header on', () => {
    const decoder = createFrameDecoder({ maxBody: 1 });
    decoder.setMaxBody(5);
    expect(texts(decoder.push(frame(bytes('12345'))))).toEqual(['12345']);
  });

  it('raises it within one chunk when the first body earns it', () => {
    const decoder = createFrameDecoder({ maxBody: 2 });
    const found: string[] = [];
    for (const body of decoder.take(join([frame(bytes('{}')), frame(bytes('12345'))]))) {
      found.push(...texts([body]));
      decoder.setMaxBody(5);
    }
    expect(found).toEqual(['{}', '12345']);
  });

  it('refuses a header block over the limit before it ends, exactly at the limit it is taken', () => {
    const block = (size: number): string => {
      const rest = 'Content-Length: 1\r\n\r\n';
      return `X: ${'a'.repeat(size - rest.length - 5)}\r\n${rest}`;
    };
    expect(texts(createFrameDecoder({ maxHeader: 100 }).push(frame(bytes('1'), block(100))))).toEqual(['1']);
    expect(() => createFrameDecoder({ maxHeader: 100 }).push(bytes(block(101)))).toThrow(FramingError);
    expect(() => createFrameDecoder({ maxHeader: 100 }).push(bytes('a'.repeat(101)))).toThrow(FramingError);
  });

  it('holds no more than has arrived, whatever a header claims', () => {
    const before = process.memoryUsage().arrayBuffers;
    const decoders = Array.from({ length: 40 }, () => createFrameDecoder());
    for (const decoder of decoders) decoder.push(bytes(`${frameHeader(16 * 1024 * 1024)}x`));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    expect(decoders.every((decoder) => decoder.partial())).toBe(true);
  });

  it('takes much byte by byte, and sixteen at once', () => {
    const body = new Uint8Array(200_000).fill(0x61);
    const slow = createFrameDecoder();
    let found: Uint8Array[] = [];
    for (const byte of frame(body)) found = found.concat(slow.push(Uint8Array.of(byte)));
    expect(found.map((each) => each.length)).toEqual([body.length]);
    const large = new Uint8Array(16 * 1024 * 1024).fill(0x62);
    const whole = new Uint8Array(large.length + frameHeader(large.length).length);
    whole.set(bytes(frameHeader(large.length)));
    whole.set(large, whole.length - large.length);
    expect(createFrameDecoder().push(whole)[0]?.length).toBe(large.length);
  });

  it('never gives out what the next chunk overwrites', () => {
    const decoder = createFrameDecoder();
    const chunk = frame(bytes('first'));
    const [body] = decoder.push(chunk);
    chunk.fill(0);
    expect(texts([body ?? new Uint8Array()])).toEqual(['first']);
  });

  it('takes the usual headers within a chunk as it takes them byte by byte', () => {
    const type = 'Content-Type: application/json\r\n';
    const headers = [
      'Content-Length: 4\r\n\r\n',
      `Content-Length: 4\r\n${type}\r\n`,
      'Content-Length: 0004\r\n\r\n',
      `Content-Length: 4\r\n${type}${type}\r\n`,
      'Content-Length: 4\n\n',
    ];
    for (const header of headers) {
      const all = bytes(`${header}true${header}null`);
      expect(texts(createFrameDecoder().push(all)), header).toEqual(['true', 'null']);
      const decoder = createFrameDecoder();
      expect(texts([...all].flatMap((byte) => decoder.push(Uint8Array.of(byte)))), header).toEqual(['true', 'null']);
    }
    for (const header of [
      'Content-Length: 0\r\n\r\n',
      'Content-Length: \r\n\r\n',
      `Content-Length: ${'0'.repeat(15)}4\r\n\r\n`,
    ])
      expect(
        caught(() => createFrameDecoder().push(bytes(`${header}true`))),
        header,
      ).toBeInstanceOf(FramingError);
  });

  it('says whether a frame has begun', () => {
    const decoder = createFrameDecoder();
    expect(decoder.partial()).toBe(false);
    decoder.push(bytes('C'));
    expect(decoder.partial()).toBe(true);
    decoder.push(bytes('ontent-Length: 2\r\n\r\n{'));
    expect(decoder.partial()).toBe(true);
    decoder.push(bytes('}'));
    expect(decoder.partial()).toBe(false);
  });
});

function caught(act: () => unknown): FramingError {
  try {
    act();
  } catch (error) {
    if (error instanceof FramingError) return error;
  }
  throw new Error('no framing error was thrown');
}
