import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/main/protocol/index.js';
import { connection, error, result } from '../support.js';
import { verbatim } from '../../../src/messages/index.js';

describe('tools', () => {
  it('are listed whole, by tag and by pattern', async () => {
    const { hello, ask } = connection();
    await hello();
    const names = async (params?: unknown): Promise<unknown> =>
      (result(await ask('tools/list', params))['tools'] as { name: string }[]).map(({ name }) => name);
    expect(await names()).toEqual(['test/look', 'test/click']);
    expect(await names({ filter: null })).toEqual(['test/look', 'test/click']);
    expect(await names({ filter: { tags: ['input', 'other'] } })).toEqual(['test/click']);
    expect(await names({ filter: { namePattern: '*/l??k' } })).toEqual(['test/look']);
    expect(await names({ filter: { namePattern: 'look' } })).toEqual([]);
    expect(result(await ask('tools/list'))['tools']).toEqual([
      {
        name: 'test/look',
        title: 'look',
        description: 'The look tool',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        tags: ['read-only'],
      },
      expect.objectContaining({ outputSchema: { type: 'object', required: ['x'] } }),
    ]);
  });

  it('[req:DS-3-7] [req:DS-3-8] are called by either spelling, and give their structured output', async () => {
    const { hello, ask, nth } = connection();
    await hello();
    for (const [at, params] of [
      { arguments: { a: 1 } },
      { parameters: { a: 1 } },
      { arguments: { a: 1 }, parameters: { b: 2 } },
    ].entries()) {
      const answer = ask('tools/call', { name: 'test/click', ...params });
      const call = await nth(at);
      expect(call).toMatchObject({ name: 'click', arguments: { a: 1 } });
      call.resolve({ content: [{ type: 'text', text: 'ok' }], structuredContent: { effect: 'confirmed' } });
      expect(result(await answer)).toEqual({ effect: 'confirmed' });
    }
  });

  it('[req:DS-3-7] give pictures as addresses that can be read', async () => {
    const { hello, ask, nth } = connection();
    await hello();
    const answer = ask('tools/call', { name: 'test/look' });
    (await nth(0)).resolve({
      content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }, { type: 'text', text: 'seen' }],
      _meta: { 'dev.chaperone/value': { image: { id: 'abc' } } },
    }); // prettier-ignore
    const images = [{ uri: 'gabp://chaperone/images/abc', mimeType: 'image/png' }];
    expect(result(await answer)).toEqual({ image: { id: 'abc' }, images });
    expect(result(await ask('resources/read', { uri: images[0]?.uri }))).toEqual({
      content: 'aGk=',
      mimeType: 'image/png',
      encoding: 'base64',
    });
    expect(error(await ask('resources/read', { uri: 'gabp://chaperone/images/none' }))).toMatchObject({ code: -32300 });
  });

  it('lose no picture that nobody keeps, and give bare text as text', async () => {
    const { hello, ask, nth } = connection();
    await hello();
    const answer = ask('tools/call', { name: 'test/look' });
    (await nth(0)).resolve({ content: [{ type: 'text', text: 'seen' }, { type: 'image', data: 'aGk=', mimeType: 'image/png' }] }); // prettier-ignore
    expect(result(await answer)).toEqual({
      text: 'seen',
      images: [{ uri: 'data:image/png;base64,aGk=', mimeType: 'image/png' }],
    });
  });

  it('fail with the code of what went wrong, said in the message too', async () => {
    const { hello, ask, nth } = connection();
    await hello();
    const shape = new WireError('DESKTOP_TARGET_CHANGED', verbatim('It moved.'), { was: 1 }).toJSON();
    const first = ask('tools/call', { name: 'test/look' });
    (await nth(0)).resolve({
      content: [{ type: 'text', text: 'long' }],
      isError: true,
      _meta: { 'dev.chaperone/error': shape },
    });
    expect(error(await first)).toMatchObject({
      code: -32303,
      message: expect.stringMatching(/^DESKTOP_TARGET_CHANGED: It moved\. \S/),
      data: shape,
    });
    const second = ask('tools/call', { name: 'test/look' });
    (await nth(1)).resolve({ content: [{ type: 'text', text: 'It broke.' }], isError: true });
    expect(error(await second)).toMatchObject({ code: -32402, message: 'It broke.' });
    expect(error(await ask('tools/call', { name: 'test/none' }))).toMatchObject({
      code: -32400,
      message: expect.stringMatching(/tool not found/i),
    });
    expect(error(await ask('tools/call', { name: 'test/__proto__' }))).toMatchObject({ code: -32602 });
  });

  it('run side by side, so many and no more', async () => {
    const { hello, ask, nth, send } = connection({ limits: { maxCalls: 2 } });
    await hello();
    await send('tools/call', { name: 'test/look' });
    const second = ask('tools/call', { name: 'test/look' });
    (await nth(1)).resolve({ content: [], structuredContent: { second: true } });
    expect(result(await second)).toEqual({ second: true });
    await send('tools/call', { name: 'test/look' });
    await nth(2);
    expect(error(await ask('tools/call', { name: 'test/look' }))).toMatchObject({
      data: { details: { reason: 'too_many_calls' } },
    });
    expect(result(await ask('session/ping'))).toEqual({});
  });

  it('are detached when the connection ends', async () => {
    const { hello, nth, near, served, send } = connection();
    await hello();
    await send('tools/call', { name: 'test/look' });
    const { options } = await nth(0);
    near.close();
    await served.closed;
    expect(options.signal.reason).toMatchObject({ mode: 'detach' });
  });
});
