import { describe, expect, test } from 'vitest';
import { WaitEnded } from '../../src/main/approvals/request.js';
import type { CallToolResult } from '../../src/main/calls/types.js';
import { createKeptCalls, type AttemptOutcome } from '../../src/main/calls/tool-calls.js';
import { createCallEvents } from '../../src/main/pipeline/dependencies.js';
import { WireError } from '../../src/main/protocol/index.js';
import { verbatim } from '../../src/messages/index.js';

const AGENT = 'agent';
const call = (callId: string) => ({ callId, name: 'click', arguments: {} });
const waiting = () => ({ onProgress: () => undefined, signal: new AbortController().signal });
const thrown = (error: unknown) => expect.fail(String(error));
const PARKED = new WireError('DESKTOP_TIMEOUT', verbatim('waiting'), { reason: 'awaiting_human' });
const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });
const ended = (words: string, valueSize = 0) => ({ result: text(words), valueSize });

describe('calls that outlive their callers', () => {
  test('two that take a parked call up at once start it once', async () => {
    const kept = createKeptCalls(createCallEvents(thrown), thrown);
    const first = new AbortController();
    let starts = 0;
    let parkIt: () => void = () => undefined;
    const parking = kept.join(AGENT, call('a'), { ...waiting(), signal: first.signal }, (signal) => {
      starts += 1;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          parkIt = () => resolve({ parked: PARKED });
        });
      });
    });
    first.abort(new WaitEnded('detach'));
    const attempt = async () => {
      starts += 1;
      return ended('done');
    };
    const again = [1, 2].map(() => kept.join(AGENT, call('a'), waiting(), attempt));
    parkIt();
    await expect(parking).rejects.toBe(PARKED);
    expect(await Promise.all(again)).toEqual([text('done'), text('done')]);
    expect(starts).toBe(2);
  });

  test('who leaves does not take the call from another that waits for it', async () => {
    const kept = createKeptCalls(createCallEvents(thrown), thrown);
    const first = new AbortController();
    let finish: (words: string) => void = () => undefined;
    let aborted = false;
    const attempt = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise<AttemptOutcome>((resolve) => (finish = (words) => resolve(ended(words))));
    };
    const leaving = kept.join(AGENT, call('a'), { ...waiting(), signal: first.signal }, attempt);
    const staying = kept.join(AGENT, call('a'), waiting(), attempt);
    first.abort(new WaitEnded('detach'));
    await expect(leaving).rejects.toMatchObject({ code: 'DESKTOP_TIMEOUT', details: { reason: 'awaiting_human' } });
    expect(aborted).toBe(false);
    finish('done');
    expect(await staying).toEqual(text('done'));
  });

  test('who withdraws it takes it from all', async () => {
    const kept = createKeptCalls(createCallEvents(thrown), thrown);
    let reason: unknown = null;
    const attempt = (signal: AbortSignal) =>
      new Promise<AttemptOutcome>((resolve) =>
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          resolve(ended('withdrawn'));
        }),
      );
    const first = new AbortController();
    const waits = [{ ...waiting(), signal: first.signal }, waiting()];
    const both = waits.map((one) => kept.join(AGENT, call('a'), one, attempt));
    first.abort(new WaitEnded('withdraw'));
    expect(await Promise.all(both)).toEqual([text('withdrawn'), text('withdrawn')]);
    expect(reason).toEqual(new WaitEnded('withdraw'));
  });

  test('results are kept as long as there is room for them, however few they are', async () => {
    const kept = createKeptCalls(createCallEvents(thrown), thrown);
    const big = 'x'.repeat(5 * 1024 * 1024);
    for (const callId of ['a', 'b', 'c', 'd']) await kept.join(AGENT, call(callId), waiting(), async () => ended(big));
    expect(kept.find(AGENT, 'a')).toBeNull();
    expect(kept.find(AGENT, 'd')).not.toBeNull();
  });

  test('what is in their values counts too, once for each call', async () => {
    const kept = createKeptCalls(createCallEvents(thrown), thrown);
    const size = 5 * 1024 * 1024;
    for (const callId of ['a', 'b', 'c', 'd'])
      await kept.join(AGENT, call(callId), waiting(), async () => ended('', size));
    expect(kept.find(AGENT, 'a')).toBeNull();
    for (let turn = 0; turn < 5; turn += 1) await kept.join(AGENT, call('d'), waiting(), async () => ended('', size));
    expect(kept.find(AGENT, 'b')).not.toBeNull();
  });
});
