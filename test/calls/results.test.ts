import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/main/pipeline/dependencies.js';
import { createImages } from '../../src/main/calls/images.js';
import { toolFailure, toolResult } from '../../src/main/calls/results.js';
import { WireError } from '../../src/main/protocol/index.js';
import { verbatim } from '../../src/messages/index.js';

const ran = (more: Partial<RunResult>): RunResult => ({
  executionId: 'x',
  effect: 'read',
  value: {},
  text: null,
  verified: null,
  decision: null,
  evidenceDir: null,
  kept: [],
  incomplete: false,
  times: { totalMs: 0, stages: [], desktop: [] },
  ...more,
});
const given = (more: Partial<RunResult>) => toolResult(ran(more), createImages(), { agentId: 'agent' }).result;

describe('a result', () => {
  it('[req:DS-5-7] of an act says its effect with before and after, in words and in the value', () => {
    const verified = { effect: 'confirmed' as const, before: 'a', after: 'b' };
    const { content, structuredContent } = given({
      effect: 'input',
      value: { clicked: true },
      text: 'Clicked.',
      verified,
    });
    expect(content).toEqual([
      { type: 'text', text: 'Clicked.\nEffect: confirmed: the change was seen\nBefore: "a"\nAfter: "b"' },
    ]);
    expect(structuredContent).toEqual({ clicked: true, effect: 'confirmed', before: 'a', after: 'b' });
  });

  it('that failed does not say the same list twice', () => {
    const error = new WireError('DESKTOP_INVALID_REQUEST', verbatim('Keys are: a, b.'), {
      reason: 'unknown_key',
      keys: ['a', 'b'],
    });
    const [block] = toolFailure(error).content;
    expect(block).toMatchObject({ text: expect.stringContaining('Details: {"reason":"unknown_key"}') });
  });

  it('too large for a client is cut, and says so, in words and in the value', () => {
    const items = Array.from({ length: 20_000 }, (_, index) => `item ${index} ${'x'.repeat(40)}`);
    const { content, structuredContent } = given({ value: { items }, text: items.join('\n') });
    expect(JSON.stringify(structuredContent).length).toBeLessThanOrEqual(200_000);
    expect(structuredContent).toMatchObject({ cut: { items: { of: 20_000 } } });
    expect(content[0]).toMatchObject({ text: expect.stringMatching(/\[Cut: 200000 of \d+ characters/) });
  });

  it('names its evidence where something was done or a picture was taken, and always beside the text', () => {
    const of = (effect: 'input' | 'disclose') => given({ effect, text: 'Said.', evidenceDir: '/e' });
    expect(of('input').content[0]).toMatchObject({ text: 'Said.\nEvidence: /e' });
    expect(of('disclose').content).toEqual([{ type: 'text', text: 'Said.' }]);
    for (const { _meta } of [of('input'), of('disclose')])
      expect(_meta?.['dev.chaperone/call']).toMatchObject({ evidence: '/e' });
  });

  it('names a desktop of the agent’s own where something was done there, and always beside the text', () => {
    const of = (effect: 'input' | 'disclose', own: boolean) =>
      toolResult(ran({ effect, text: 'Said.' }), createImages(), { agentId: 'agent', own }).result;
    expect(of('input', true).content).toEqual([{ type: 'text', text: 'Said.\nDesktop: your own' }]);
    expect(of('input', false).content).toEqual([{ type: 'text', text: 'Said.' }]);
    expect(of('disclose', true).content).toEqual([{ type: 'text', text: 'Said.' }]);
    expect(of('disclose', true)._meta?.['dev.chaperone/call']).toMatchObject({ desktop: 'own' });
    expect(of('disclose', false)._meta?.['dev.chaperone/call']).not.toHaveProperty('desktop');
  });

  it('too large does not hide what became of the act', () => {
    const long = 'z'.repeat(400_000);
    const verified = { effect: 'no_change' as const, before: long, after: long };
    const { content } = given({ effect: 'input', value: { long }, text: long, verified, evidenceDir: '/e' });
    expect(content[0]).toMatchObject({ text: expect.stringMatching(/Effect: no_change[^]*\nEvidence: \/e$/) });
    expect(JSON.stringify(content).length).toBeLessThan(220_000);
  });

  it('says whether an act that is not verified may still change something', () => {
    const said = (lines: [] | null) =>
      given({ effect: 'input', text: '', verified: { effect: 'unverified', before: lines, after: lines } }).content[0];
    expect(said([])).toMatchObject({ text: expect.stringContaining('nothing visible has changed so far') });
    expect(said(null)).toMatchObject({ text: expect.stringContaining('unverified: look before you go on') });
  });

  it('with the pictures of a reply has them as pictures, once', () => {
    const picture = { mimeType: 'image/png', base64: 'A'.repeat(300_000) };
    const result = given({ value: { reply: 'see', images: [picture, picture] }, text: 'see' });
    expect(result.content.map(({ type }) => type)).toEqual(['image', 'image', 'text']);
    expect(result.structuredContent).toBeUndefined();
    expect(result._meta?.['dev.chaperone/value']).toEqual({ reply: 'see' });
  });

  it('that is a failure has code, words, next step and what helps, and is cut as well', () => {
    const error = new WireError('DESKTOP_ELEMENT_NOT_FOUND', verbatim('Nothing fits.'), {
      candidates: ['y'.repeat(900_000)],
      next: 'Look.',
    });
    const { content, isError, _meta } = toolFailure(error);
    expect(isError).toBe(true);
    expect(content[0]).toMatchObject({
      text: expect.stringMatching(/^DESKTOP_ELEMENT_NOT_FOUND: Nothing fits\.\nNext: Look\.\nDetails: /),
    });
    expect(JSON.stringify([content, _meta]).length).toBeLessThan(450_000);
  });
});
