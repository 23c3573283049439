import { describe, expect, test } from 'vitest';
import type { Capture } from '../../../src/native/desktop.js';
import { createRecognizer, type RecognizerOptions } from '../../../src/native/ocr/index.js';

const never = new AbortController().signal;

/** Letters of an unknown script, on white: what makes a line, and a line of its own by place and grey. */
function blocks(letters: { x: number; y: number; grey: number }[], { width = 200, height = 100 } = {}): Capture {
  const rgb = new Uint8Array(width * height * 3).fill(255);
  for (const { x, y, grey } of letters)
    for (let row = y; row < y + 10; row += 1) rgb.fill(grey, (row * width + x) * 3, (row * width + x + 7) * 3);
  return { width, height, rgb, origin: { x: 0, y: 0 }, scale: 1 };
}

type Start = NonNullable<RecognizerOptions['start']>;
const ANSWER = { blocks: [] };

/** Engines whose answers the test gives. */
function held(idleMs?: number) {
  const asked: { answer: () => void; crash: () => void }[] = [];
  const seen = { started: 0, ended: 0 };
  const start: Start = () => {
    seen.started += 1;
    const pending = new Set<(error: Error) => void>();
    return {
      recognize: () =>
        new Promise((resolve, reject) => {
          pending.add(reject);
          asked.push({ answer: () => resolve(ANSWER), crash: () => reject(new Error('crashed')) });
        }),
      async end() {
        seen.ended += 1;
        for (const reject of pending) reject(new Error('ended'));
      },
    };
  };
  const reading = createRecognizer({ start, ...(idleMs === undefined ? {} : { idleMs }) });
  let last = 0;
  /** One line of text, each time another. */
  const picture = () => blocks([{ x: 20, y: 10, grey: (last += 1) }]);
  const until = async (fits: () => boolean) => {
    while (!fits()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return {
    asked,
    seen,
    reading,
    picture,
    until,
    read: (signal = never) => reading.recognize(picture(), 'eng', signal),
  };
}

describe('its one thread', () => {
  test('takes one picture at a time, in order, and the same pixels only once', async () => {
    const { asked, reading, picture, until, seen } = held();
    const [first, second] = [picture(), picture()];
    const works = [first, second].map((one) => reading.recognize(one, 'eng', never));
    await until(() => asked.length === 1);
    asked[0]?.answer();
    await works[0];
    await until(() => asked.length === 2);
    asked[1]?.answer();
    await works[1];
    await reading.recognize(second, 'eng', never);
    expect([asked.length, seen.started]).toEqual([2, 1]);
    await reading.close();
  });

  test('[req:TX-1] reads only the lines that changed, wherever they moved to', async () => {
    const { asked, reading, until } = held();
    const [one, other, third] = [10, 60, 110];
    const read = (letters: { x: number; y: number; grey: number }[]) =>
      reading.recognize(blocks(letters), 'eng', never);
    const first = read([{ x: 20, y: 10, grey: one }, { x: 20, y: 60, grey: other }]); // prettier-ignore
    await until(() => asked.length === 2);
    for (const { answer } of asked) answer();
    await first;
    await read([{ x: 90, y: 40, grey: one }, { x: 20, y: 70, grey: other }]); // prettier-ignore
    const changed = read([{ x: 20, y: 10, grey: third }, { x: 20, y: 60, grey: other }]); // prettier-ignore
    await until(() => asked.length === 3);
    asked[2]?.answer();
    await changed;
    expect(asked).toHaveLength(3);
    await reading.close();
  });

  test('what was read before a call was given up is not read again', async () => {
    const { asked, reading, until } = held();
    const stop = new AbortController();
    const capture = blocks([{ x: 20, y: 10, grey: 10 }, { x: 20, y: 60, grey: 60 }]); // prettier-ignore
    const first = reading.recognize(capture, 'eng', stop.signal);
    await until(() => asked.length === 2);
    asked[0]?.answer();
    await new Promise(setImmediate);
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    const second = reading.recognize(capture, 'eng', never);
    await until(() => asked.length === 3);
    asked[2]?.answer();
    await second;
    expect(asked).toHaveLength(3);
    await reading.close();
  });

  test('ends with the call that is given up; those that wait go on with another', async () => {
    const { asked, read, until, seen, reading } = held();
    const stop = new AbortController();
    const [first, second] = [read(stop.signal), read()];
    await until(() => asked.length === 1);
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await until(() => asked.length === 2);
    asked[1]?.answer();
    expect(await second).toEqual([]);
    expect(seen).toEqual({ started: 2, ended: 1 });
    await reading.close();
  });

  test('crashes for one call only', async () => {
    const { asked, read, until, seen, reading } = held();
    const [first, second] = [read(), read()];
    await until(() => asked.length === 1);
    asked[0]?.crash();
    await expect(first).rejects.toThrow('crashed');
    await until(() => asked.length === 2);
    asked[1]?.answer();
    expect(await second).toEqual([]);
    expect(seen.started).toBe(2);
    await reading.close();
  });

  test('is given up when nothing is to be read, and with the reader', async () => {
    const { asked, read, until, seen, reading } = held(1);
    const first = read();
    await until(() => asked.length === 1);
    asked[0]?.answer();
    await first;
    await until(() => seen.ended === 1);
    const second = read();
    await until(() => asked.length === 2);
    await Promise.all([expect(second).rejects.toMatchObject({ code: 'lost' }), reading.close()]);
    expect(seen).toEqual({ started: 2, ended: 2 });
    await expect(read()).rejects.toMatchObject({ code: 'lost' });
  });

  test('lets only so many wait', async () => {
    const { read, reading } = held();
    const all = Array.from({ length: 40 }, () => read().then(() => 'read', (error: Error) => error.message)); // prettier-ignore
    const refused = await Promise.race(all);
    expect(refused).toContain('Too many');
    await reading.close();
    expect((await Promise.all(all)).filter((one) => one === refused)).toHaveLength(24);
  });

  test('a call that gives up waiting does not hold up the next', async () => {
    const { asked, read, until, reading } = held();
    const stop = new AbortController();
    const [first, second, third] = [read(), read(stop.signal), read()];
    stop.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    await until(() => asked.length === 1);
    asked[0]?.answer();
    await first;
    await until(() => asked.length === 2);
    asked[1]?.answer();
    expect(await third).toEqual([]);
    await reading.close();
  });
});
