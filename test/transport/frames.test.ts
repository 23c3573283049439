import { Duplex, PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameHeader } from '../../src/main/protocol/framing.js';
import { Unreadable } from '../../src/main/protocol/transport.js';
import { frameTransport, UnsendableError } from '../../src/main/transport/frames.js';
import { stdioTransport } from '../../src/main/transport/stdio.js';
import { record } from './support.js';
import { waitFor } from '../support/eventually.js';

/** A duplex whose other side is a plain pair of streams; `writes` are the chunks as they were handed over. */
function wire({ stuck = false } = {}) {
  const writes: Buffer[] = [];
  const pending: (() => void)[] = [];
  const stream = new Duplex({
    writableHighWaterMark: 1024,
    read() {},
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk);
      if (stuck) pending.push(done);
      else done();
    },
  });
  return {
    stream,
    writes,
    give: (bytes: string | Uint8Array) => stream.push(bytes),
    flush: () => pending.splice(0).forEach((done) => done()),
  };
}

const framed = (text: string): string => frameHeader(Buffer.byteLength(text)) + text;

describe('receiving', () => {
  it('[req:GT-2.3-1] parses what any cutting of any messages makes', async () => {
    const message = fc.jsonValue();
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 50 }),
        async (messages, step) => {
          const { stream, give } = wire();
          const seen = record(frameTransport(stream));
          const all = Buffer.concat(messages.map((each) => Buffer.from(framed(JSON.stringify(each)))));
          for (let at = 0; at < all.length; at += step) give(all.subarray(at, at + step));
          await waitFor(() => expect(seen.messages).toHaveLength(messages.length), 1);
          expect(JSON.stringify(seen.messages)).toBe(JSON.stringify(messages));
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each<[string, string, number | null, boolean[]]>([
    ['within the bytes that waited', framed('1') + framed('2'), framed('1').length + 1, [true, true, true, false]],
    ['before nothing waited any more', framed('1'), 0, [true, false, false]],
    ['where nobody knows how many waited', framed('1'), null, [true, true, true]],
  ])('calls early what begins %s', async (_, before, waiting, expected) => {
    const { stream, give } = wire();
    const transport = frameTransport(stream);
    const early: (boolean | undefined)[] = [];
    transport.onMessage((_message, _reply, is) => early.push(is));
    const [taken, rest] = [framed('1'), before.slice(framed('1').length)];
    give(taken);
    await waitFor(() => expect(early).toHaveLength(1));
    transport.drawLine(waiting);
    give(rest.slice(0, 3));
    give(rest.slice(3) + framed('3') + framed('4'));
    await waitFor(() => expect(early.length).toBe(expected.length));
    expect(early).toEqual(expected);
  });

  it('keeps control characters, astral characters and lone surrogates', async () => {
    const text = '\u0000\u0007\u001b[2J\u2028\u202e\u{1f600}\ud800';
    const a = wire();
    const sender = frameTransport(a.stream);
    await sender.send({ text });
    const b = wire();
    const seen = record(frameTransport(b.stream));
    b.give(Buffer.concat(a.writes));
    await waitFor(() => expect(seen.messages).toEqual([{ text }]));
  });

  it('gives a whole frame that is no JSON, or no UTF-8, as unreadable, and goes on', async () => {
    const { stream, give } = wire();
    const seen = record(frameTransport(stream));
    give(framed('{"a":'));
    give(Buffer.concat([Buffer.from(frameHeader(3)), Buffer.from([0x22, 0xff, 0x22])]));
    give(framed('1'));
    await waitFor(() => expect(seen.messages).toHaveLength(3));
    expect(seen.messages.slice(0, 2).every((each) => each instanceof Unreadable)).toBe(true);
    expect(seen.messages[2]).toBe(1);
    expect(seen.ends).toEqual([]);
  });

  it('delivers what came before a framing error, then closes', async () => {
    const { stream, give } = wire();
    const seen = record(frameTransport(stream));
    give(`${framed('"ok"')}Content-Length: -1\r\n\r\n`);
    await waitFor(() => expect(seen.ends).toHaveLength(1));
    expect(seen.messages).toEqual(['ok']);
    expect(seen.ends[0]).toMatch(/framing error/);
  });

  it('stops delivering once closed, even within one chunk', async () => {
    const { stream, give } = wire();
    const transport = frameTransport(stream);
    const seen = record(transport);
    transport.onMessage(() => transport.close());
    give(framed('1') + framed('2'));
    await waitFor(() => expect(seen.ends).toEqual([null]));
    expect(seen.messages).toEqual([1]);
  });

  it('calls a half frame at the end what it is', async () => {
    const { stream, give } = wire();
    const seen = record(frameTransport(stream));
    give(framed('"half"').slice(0, -2));
    give('');
    stream.push(null);
    await waitFor(() => expect(seen.ends).toEqual(['the peer closed in the middle of a message']));
    expect(seen.messages).toEqual([]);
  });

  it('gives up a frame that does not get whole in time, however steadily it drips', async () => {
    const { stream, give } = wire();
    const seen = record(frameTransport(stream, { partialMs: 60 }));
    const drip = setInterval(() => give('C'), 5);
    await waitFor(() => expect(seen.ends).toEqual(['a frame was begun and not finished in time']));
    clearInterval(drip);
  });
});

describe('proving', () => {
  const first = { maxBody: 20, ms: 60_000 };

  it('reads only small bodies until accepted', async () => {
    const small = wire();
    const seen = record(frameTransport(small.stream, { first }));
    small.give(framed(JSON.stringify('x'.repeat(40))));
    await waitFor(() => expect(seen.ends[0]).toMatch(/limit/));
    const full = wire();
    const transport = frameTransport(full.stream, { first });
    const after = record(transport);
    transport.accept();
    full.give(framed(JSON.stringify('x'.repeat(40))));
    await waitFor(() => expect(after.messages).toHaveLength(1));
  });

  it('[req:TP-61] ends a connection that is not accepted in time, though it sends', async () => {
    const { stream, give } = wire();
    const seen = record(frameTransport(stream, { first: { maxBody: 20, ms: 30 } }));
    give(framed('1'));
    await waitFor(() => expect(seen.ends).toEqual(['nothing acceptable was sent in time']));
  });
});

describe('sending', () => {
  it('[req:TP-6] [req:DS-3-2] makes one write a message', async () => {
    const { stream, writes } = wire();
    const transport = frameTransport(stream);
    await transport.send({ é: 1 });
    expect(writes.map(String)).toEqual([framed('{"é":1}')]);
  });

  it('[req:TP-7] sends the messages of a turn whole and in order, the small ones joined, and says of each that it was written', async () => {
    const { stream, writes } = wire();
    const transport = frameTransport(stream);
    const texts = [1, 2, 3, 20_000, 4, 5, 9_000, 9_000, 6].map((size, index) => `${index} ${'é'.repeat(size)}`);
    const written: string[] = [];
    const sends = texts.map((text) => transport.send(text, () => written.push(text)));
    await Promise.all(sends);
    await waitFor(() => expect(written).toEqual(texts));
    expect(Buffer.concat(writes).toString()).toBe(texts.map((text) => framed(JSON.stringify(text))).join(''));
    expect(writes.length).toBeLessThan(texts.length);
  });

  it('joins the first message of a turn too after a turn with several, and sends one alone at once', async () => {
    const { stream, writes } = wire();
    const transport = frameTransport(stream);
    const turn = (...values: number[]) => {
      void Promise.all(values.map((value) => transport.send(value)));
      return new Promise((resolve) => setImmediate(resolve));
    };
    const joined = (...values: number[]) => values.map((value) => framed(`${value}`)).join('');
    await turn(1, 2, 3);
    await turn(4, 5);
    await turn(6);
    await turn(7);
    void transport.send(8);
    const texts = () => writes.map(String);
    expect(texts()).toEqual([joined(1), joined(2, 3), joined(4, 5), joined(6), joined(7), joined(8)]);
  });

  it('sends what the connection was given in the turn in which it is closed', async () => {
    const { stream, writes } = wire();
    const transport = frameTransport(stream);
    const sends = [1, 2, 3].map((one) => transport.send(one));
    transport.close();
    await Promise.all(sends);
    await waitFor(() =>
      expect(Buffer.concat(writes).toString()).toBe([1, 2, 3].map((one) => framed(`${one}`)).join('')),
    );
  });

  it('counts what waits to be joined as held for a peer that does not read', async () => {
    const { stream } = wire({ stuck: true });
    const transport = frameTransport(stream, { maxQueued: 10_000 });
    const seen = record(transport);
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => transport.send('x'.repeat(100))));
    expect(seen.ends).toEqual(['the peer does not read what it is sent']);
    expect(results.at(-1)?.status).toBe('rejected');
  });

  it('waits for room', async () => {
    const { stream, flush } = wire({ stuck: true });
    const transport = frameTransport(stream);
    let sent = 0;
    const sends = [transport.send('x'.repeat(2000)), transport.send('y'.repeat(2000))].map((each) =>
      each.then(() => sent++),
    );
    await new Promise(setImmediate);
    expect(sent).toBe(0);
    const pump = setInterval(flush, 1);
    await Promise.all(sends);
    clearInterval(pump);
    expect(sent).toBe(2);
  });

  it('[req:GT-7.3-1] closes on a peer that does not read, and rejects everyone who waits', async () => {
    const { stream } = wire({ stuck: true });
    const transport = frameTransport(stream, { maxQueued: 10_000 });
    const seen = record(transport);
    const sends = Array.from({ length: 8 }, () => transport.send('x'.repeat(2000)));
    const results = await Promise.allSettled(sends);
    expect(results.every((each) => each.status === 'rejected')).toBe(true);
    expect(seen.ends).toEqual(['the peer does not read what it is sent']);
    await expect(transport.send(1)).rejects.toThrow('does not read');
  });

  it('refuses what cannot be sent and stays open', async () => {
    const { stream, writes } = wire();
    const transport = frameTransport(stream, { maxBody: 10 });
    await expect(transport.send('x'.repeat(20))).rejects.toThrow(UnsendableError);
    await expect(transport.send(undefined)).rejects.toThrow(UnsendableError);
    await transport.send('fine');
    expect(writes).toHaveLength(1);
  });

  it('turns a broken stream into the end', async () => {
    const { stream } = wire();
    const transport = frameTransport(stream);
    const seen = record(transport);
    stream.destroy(new Error('EPIPE'));
    await waitFor(() => expect(seen.ends).toEqual(['EPIPE']));
    await expect(transport.send(1)).rejects.toThrow('EPIPE');
  });
});

describe('stdioTransport', () => {
  it('ends with its input and never closes the output', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const transport = stdioTransport(input, output);
    const seen = record(transport);
    input.write(framed('1'));
    await transport.send('answer');
    input.end();
    await waitFor(() => expect(seen.ends).toEqual([null]));
    expect(seen.messages).toEqual([1]);
    expect(String(output.read())).toBe(framed('"answer"'));
    expect(output.writable).toBe(true);
  });
});
