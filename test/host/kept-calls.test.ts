import { describe, expect, test } from 'vitest';
import { WaitEnded } from '../../src/main/action/ports.js';
import type { ToolResult } from '../../src/main/host/hub.js';
import { createKeptCalls } from '../../src/main/host/kept-calls.js';

const AGENT = 'agent';
const call = (callId: string) => ({ callId, name: 'click', arguments: {} });
const waiting = () => ({ onProgress: () => undefined, signal: new AbortController().signal });
const text = (words: string): ToolResult => ({ content: [{ type: 'text', text: words }] });

describe('calls that outlive their callers', () => {
  test('two that take a parked call up at once start it once', async () => {
    const kept = createKeptCalls();
    const first = new AbortController();
    let starts = 0;
    let parkIt: () => void = () => undefined;
    const parking = kept.join(AGENT, call('a'), { ...waiting(), signal: first.signal }, (signal) => {
      starts += 1;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          parkIt = () => resolve({ result: text('waiting'), parked: true });
        });
      });
    });
    first.abort(new WaitEnded('detach'));
    const attempt = async () => {
      starts += 1;
      return { result: text('done'), parked: false };
    };
    const again = [1, 2].map(() => kept.join(AGENT, call('a'), waiting(), attempt));
    parkIt();
    await parking;
    expect(await Promise.all(again)).toEqual([text('done'), text('done')]);
    expect(starts).toBe(2);
  });

  test('results are kept as long as there is room for them, however few they are', async () => {
    const kept = createKeptCalls();
    const big = 'x'.repeat(20 * 1024 * 1024);
    for (const callId of ['a', 'b', 'c', 'd'])
      await kept.join(AGENT, call(callId), waiting(), async () => ({ result: text(big), parked: false }));
    expect(kept.find(AGENT, 'a')).toBeNull();
    expect(kept.find(AGENT, 'd')).not.toBeNull();
  });
});
