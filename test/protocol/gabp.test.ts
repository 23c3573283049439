import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimOf, GABP_NAME, GabpFault, gabpEvent, gabpFailure, gabpSuccess, NIL_UUID, readGabp, readHello, readToolCall } from '../../src/main/protocol/gabp.js'; // prettier-ignore
import { WireError } from '../../src/main/protocol/index.js';
import { Unreadable } from '../../src/main/protocol/transport.js';
import { verbatim } from '../../src/messages/index.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const request = { v: 'gabp/1', id: ID, type: 'request', method: 'tools/list' };

function refusal(message: unknown): [string, number] | string {
  const read = readGabp(message);
  return read.kind === 'refuse' && read.fault instanceof GabpFault ? [read.id, read.fault.code] : read.kind;
}

describe('readGabp', () => {
  it('reads a request and its params, absent and null ones as none', () => {
    for (const params of [undefined, null, {}]) {
      expect(readGabp({ ...request, params })).toEqual({
        kind: 'request',
        request: { id: ID, method: 'tools/list', params: {} },
      });
    }
  });

  it('echoes ids that are no UUID, and takes fields it does not know', () => {
    for (const id of ['0123456789abcdef0123456789abcdef', '1', 'x'.repeat(128)]) {
      expect(readGabp({ ...request, id, timestamp: 'now' })).toMatchObject({ kind: 'request', request: { id } });
    }
  });

  it('ignores answers and events', () => {
    expect(refusal({ v: 'gabp/1', id: ID, type: 'response', result: 1 })).toBe('ignore');
    expect(refusal({ v: 'gabp/1', id: ID, type: 'event', channel: 'a', seq: 0, payload: 1 })).toBe('ignore');
  });

  it.each([
    ['unreadable JSON', new Unreadable(verbatim('x')), NIL_UUID, -32700],
    ['an array', [], NIL_UUID, -32600],
    ['null', null, NIL_UUID, -32600],
    ['no version', { ...request, v: undefined }, ID, -32202],
    ['version 2', { ...request, v: 'gabp/2' }, ID, -32200],
    ['a numeric version', { ...request, v: 1 }, ID, -32200],
    ['no type', { ...request, type: undefined }, ID, -32202],
    ['an unknown type', { ...request, type: 'ask' }, ID, -32201],
    ['no id', { ...request, id: undefined }, NIL_UUID, -32202],
    ['a numeric id', { ...request, id: 4 }, NIL_UUID, -32203],
    ['an empty id', { ...request, id: '' }, NIL_UUID, -32203],
    ['an endless id', { ...request, id: 'x'.repeat(129) }, NIL_UUID, -32203],
    ['no method', { ...request, method: undefined }, ID, -32202],
    ['a method of one segment', { ...request, method: 'invalid_method_name' }, ID, -32600],
    ['an upper-case method', { ...request, method: 'Tools/List' }, ID, -32600],
    ['a numeric method', { ...request, method: 1 }, ID, -32600],
    ['array params', { ...request, params: [] }, ID, -32602],
    ['text params', { ...request, params: 'x' }, ID, -32602],
  ])('refuses %s', (_, message, id, code) => {
    expect(refusal(message)).toEqual([id, code]);
  });

  it('[req:TP-43] checks version before type before id before method', () => {
    expect(refusal({ v: 'gabp/9', type: 'nonsense' })).toEqual([NIL_UUID, -32200]);
    expect(refusal({ v: 'gabp/1', type: 'nonsense' })).toEqual([NIL_UUID, -32201]);
    expect(refusal({ v: 'gabp/1', type: 'request', method: 'bad' })).toEqual([NIL_UUID, -32202]);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (message) => void readGabp(message)));
    const near = fc.record({
      v: fc.constant('gabp/1'),
      id: fc.anything(),
      type: fc.constant('request'),
      method: fc.anything(),
      params: fc.anything(),
    });
    fc.assert(fc.property(near, (message) => void readGabp(message)));
  });
});

describe('names', () => {
  it.each(['a/b', 'group/tool_name', 'g-1/x-2/y_3'])('takes %s', (name) => expect(name).toMatch(GABP_NAME));
  it.each(['a', 'a.b', '/a', 'a/', 'A/b', 'a//b', '1a/b', 'a/b\n'])('refuses %j', (name) =>
    expect(name).not.toMatch(GABP_NAME),
  );
});

describe('readHello', () => {
  const token = 't'.repeat(64);

  it.each([
    ['nothing else', { token }, null],
    ['a platform of its own', { token, platform: 'RimWorld', launchId: 'x' }, null],
    ['clientInfo as text', { token, clientInfo: 'coordinator' }, 'coordinator'],
    ['clientInfo with more keys', { token, clientInfo: { name: 'gabs', version: '1.1', author: 'p' } }, 'gabs 1.1'],
    ['clientInfo without a version', { token, clientInfo: { name: 'gabs' } }, 'gabs'],
    ['clientInfo of nonsense', { token, clientInfo: 7, bridgeVersion: [], platform: {} }, null],
    ['fields nobody knows', { token, more: 1 }, null],
  ])('takes a hello with %s', (_, params, claim) => {
    expect(readHello(params)).toMatchObject({ token, claim });
  });

  it.each([[{}], [{ token: 5 }], [{ token: null }]])('refuses a token of the wrong type: %j', (params) => {
    expect(() => readHello(params)).toThrow(GabpFault);
  });

  it('keeps claims short', () => {
    expect(claimOf({ name: 'n'.repeat(9999), version: 'v' })?.length).toBeLessThan(300);
  });
});

describe('readToolCall', () => {
  it('takes arguments before parameters, and neither as none', () => {
    expect(readToolCall({ name: 'a/b', arguments: { x: 1 }, parameters: { x: 2 } }).arguments).toEqual({ x: 1 });
    expect(readToolCall({ name: 'a/b', parameters: { x: 2 } }).arguments).toEqual({ x: 2 });
    expect(readToolCall({ name: 'a/b', arguments: null, parameters: { x: 2 } }).arguments).toEqual({ x: 2 });
    expect(readToolCall({ name: 'a/b' }).arguments).toEqual({});
  });

  it.each([[{}], [{ name: 4 }], [{ name: 'inventory.get' }], [{ name: 'single' }]])('refuses %j', (params) => {
    expect(() => readToolCall(params)).toThrow(expect.objectContaining({ code: -32602 }));
  });
});

describe('what is sent', () => {
  it('[req:DS-3-8] has no more keys than the envelope allows', () => {
    expect(gabpSuccess(ID, undefined)).toEqual({ v: 'gabp/1', id: ID, type: 'response', result: null });
    expect(gabpEvent(ID, 'a/b', 0, undefined)).toEqual({
      v: 'gabp/1',
      id: ID,
      type: 'event',
      channel: 'a/b',
      seq: 0,
      payload: null,
    });
    expect(gabpFailure(ID, new GabpFault(-32100, verbatim('no')))).toEqual({
      v: 'gabp/1',
      id: ID,
      type: 'response',
      error: { code: -32100, message: 'no' },
    });
  });

  it('says code and next step in the message, and everything in data', () => {
    const error = new WireError('DESKTOP_TARGET_CHANGED', verbatim('It moved.'));
    const sent = gabpFailure(ID, error);
    expect(sent).toMatchObject({
      error: { code: -32303, data: { code: 'DESKTOP_TARGET_CHANGED', message: 'It moved.' } },
    });
    expect('error' in sent && sent.error.message).toBe(`DESKTOP_TARGET_CHANGED: It moved. ${error.next}`);
    const plain = gabpFailure(ID, error, 'plain');
    expect('error' in plain && plain.error.message).toBe('It moved.');
  });
});

it('[req:AG-COMMAND-1] errors name commands as this machine calls them', () => {
  const error = new WireError('DESKTOP_PERMISSION_MISSING', verbatim('Missing: see `chaperone status`.'));
  const own = '/opt/node /opt/chaperone.js';
  const sent = JSON.stringify(gabpFailure(ID, error, 'full', own));
  expect(sent).toContain(`\`${own} doctor\``);
  expect(sent).toContain(`\`${own} status\``);
  expect(sent).not.toContain('`chaperone ');
});
