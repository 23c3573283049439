import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRpc, rpcFailure, rpcSuccess } from '../../src/main/protocol/jsonrpc.js';
import { WireError } from '../../src/main/protocol/index.js';
import { Unreadable } from '../../src/main/protocol/transport.js';
import { verbatim } from '../../src/messages/index.js';

const reasonOf = (message: unknown): unknown => {
  const read = readRpc(message);
  return read.kind === 'refuse' ? [read.id, read.error.code, read.error.details['reason']] : read.kind;
};

describe('readRpc', () => {
  it('reads a request, with string, number or null id and absent params', () => {
    for (const id of ['a', 7, null, '']) {
      expect(readRpc({ jsonrpc: '2.0', id, method: 'desktop.health' })).toEqual({
        kind: 'request',
        request: { id, method: 'desktop.health', params: {} },
      });
    }
  });

  it('ignores notifications and answers', () => {
    expect(reasonOf({ jsonrpc: '2.0', method: 'desktop.click', params: {} })).toBe('ignore');
    expect(reasonOf({ jsonrpc: '2.0', id: 1, result: 3 })).toBe('ignore');
    expect(reasonOf({ jsonrpc: '2.0', id: 1, error: {} })).toBe('ignore');
  });

  it.each([
    ['unreadable', new Unreadable(verbatim('nope')), [null, 'unreadable_json']],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'x' }], [null, 'batch']],
    ['a number', 3, [null, 'not_an_object']],
    ['null', null, [null, 'not_an_object']],
    ['an object id', { jsonrpc: '2.0', id: {}, method: 'x' }, [null, 'invalid_id']],
    ['a boolean id', { jsonrpc: '2.0', id: true, method: 'x' }, [null, 'invalid_id']],
    ['an endless id', { jsonrpc: '2.0', id: 'x'.repeat(300), method: 'x' }, [null, 'invalid_id']],
    ['version 1', { jsonrpc: '1.0', id: 'q', method: 'x' }, ['q', 'invalid_envelope']],
    ['no version', { id: 'q', method: 'x' }, ['q', 'invalid_envelope']],
    ['no method', { jsonrpc: '2.0', id: 'q' }, ['q', 'invalid_envelope']],
    ['a numeric method', { jsonrpc: '2.0', id: 'q', method: 5 }, ['q', 'invalid_envelope']],
    ['positional params', { jsonrpc: '2.0', id: 'q', method: 'x', params: [1] }, ['q', 'invalid_envelope']],
    ['text params', { jsonrpc: '2.0', id: 'q', method: 'x', params: 'a' }, ['q', 'invalid_envelope']],
  ])('refuses %s, with the id where it can be read', (_, message, [id, reason]) => {
    expect(reasonOf(message)).toEqual([id, 'DESKTOP_INVALID_REQUEST', reason]);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (message) => void readRpc(message)));
  });
});

describe('answers', () => {
  it('have a result, null where there is none', () => {
    expect(rpcSuccess('a', undefined)).toEqual({ jsonrpc: '2.0', id: 'a', result: null });
    expect(rpcSuccess(1, 0)).toEqual({ jsonrpc: '2.0', id: 1, result: 0 });
  });

  it('have the contract’s error with a code of words', () => {
    const failure = rpcFailure('a', new WireError('DESKTOP_TIMEOUT', verbatim('late'), { timeoutMs: 5 }));
    expect(failure).toMatchObject({
      id: 'a',
      error: { code: 'DESKTOP_TIMEOUT', message: 'late', retryable: true, details: { timeoutMs: 5 } },
    });
    expect(rpcFailure(null, new Error('oops'))).toMatchObject({
      error: { code: 'DESKTOP_INTERNAL_ERROR', retryable: false },
    });
  });
});

it('[req:AG-COMMAND-1] errors name commands as this machine calls them', () => {
  const error = new WireError('DESKTOP_PERMISSION_MISSING', verbatim('Missing: see `chaperone status`.'));
  const own = '/opt/node /opt/chaperone.js';
  const sent = JSON.stringify(rpcFailure('a', error, own));
  expect(sent).toContain(`\`${own} doctor\``);
  expect(sent).toContain(`\`${own} status\``);
  expect(sent).not.toContain('`chaperone ');
});
