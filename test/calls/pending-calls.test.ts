import { describe, expect, test } from 'vitest';
import type { Caller } from '../../src/main/pipeline/ports.js';
import type { CallOptions, Hub, ToolResult } from '../../src/main/calls/hub.js';
import { countCalls } from '../../src/main/calls/pending-calls.js';
import { QUESTION } from '../../src/main/tools/chat.js';

/** A door whose calls end when the test says so. */
function door() {
  const waiting = new Map<string, (result: ToolResult) => void>();
  const tool: Hub['tool'] = (_caller, { name }) => new Promise((resolve) => waiting.set(name, resolve));
  const counted = countCalls({ tool } as Hub);
  const call = (name: string) =>
    counted.hub.tool({} as Caller, { callId: name, name, arguments: {} }, {} as CallOptions);
  return { ...counted, call, end: (name: string) => waiting.get(name)?.({ content: [] }) };
}

describe('[req:AP-A-7] what is under way when the person quits', () => {
  test('is waited for, and whoever asked has the answer by then; a question is not waited for', async () => {
    const { call, end, ended } = door();
    const order: string[] = [];
    void call(QUESTION);
    void call('click').then(() => order.push('answered'));
    const over = ended(60_000).then(() => order.push('over'));
    end('click');
    await over;
    expect(order).toEqual(['answered', 'over']);
  });

  test('is not waited for longer than so', async () => {
    const { call, ended } = door();
    void call('click');
    await ended(1);
  });
});
