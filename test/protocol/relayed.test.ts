import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gabpEvent, gabpFailure, gabpSuccess } from '../../src/main/protocol/gabp.js';
import { readJson } from '../../src/main/protocol/json.js';
import { readHostMessage, RelayedResult } from '../../src/main/protocol/relayed.js';
import { Unreadable } from '../../src/main/protocol/transport.js';

describe('a message of the host', () => {
  it('has a result to relay as it was written, under the id of its request', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.dictionary(fc.string(), fc.jsonValue()), (id, result) => {
        const read = readHostMessage(JSON.stringify(gabpSuccess(id, { relay: result })));
        expect(read).toEqual({ type: 'response', id, result: new RelayedResult(JSON.stringify(result)) });
      }),
    );
  });

  it('is read whole where it has none', () => {
    const id = randomUUID();
    const messages = [
      gabpSuccess(id, { content: [] }),
      gabpSuccess(id, { relay: [1] }),
      gabpSuccess('short', { relay: { content: [] } }),
      gabpFailure(id, new Error('no')),
      gabpEvent(id, 'tools/changed', 1, { relay: {} }),
    ];
    for (const message of messages) expect(readHostMessage(JSON.stringify(message))).toEqual(message);
  });

  it('is read whole where it is laid out in lines, which would end the line to the client', () => {
    const text = JSON.stringify(gabpSuccess(randomUUID(), { relay: { content: [] } })).replace('[]', '[\n]');
    expect(readHostMessage(text)).toEqual(readJson(text));
  });

  it('is unreadable where it is cut off', () => {
    const text = JSON.stringify(gabpSuccess(randomUUID(), { relay: { content: ['a'] } }));
    for (const left of [text.slice(0, -1), text.slice(0, 20), '']) {
      expect(readHostMessage(left)).toBeInstanceOf(Unreadable);
    }
  });
});
