import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reveal } from '../../src/main/protocol/reveal.js';

const kinds = (text: string): string[] => reveal(text).segments.map((segment) => segment.kind);
const labels = (text: string): string[] =>
  reveal(text)
    .segments.filter((s) => s.kind !== 'text')
    .map((s) => s.label);

describe('reveal', () => {
  test('leaves plain text alone', () => {
    for (const text of ['', 'Send', 'Straße, naïve, 日本語, שלום, Привет, Ωμέγα', 'a  b', "don't", '10 %']) {
      expect(reveal(text).marked, text).toBe(false);
    }
    expect(reveal('Send').segments).toEqual([{ kind: 'text', text: 'Send', label: '' }]);
  });

  test('names a direction override where it stands', () => {
    expect(reveal('invoice_\u202efdp.exe')).toEqual({
      marked: true,
      segments: [
        { kind: 'text', text: 'invoice_', label: '' },
        { kind: 'bidi', text: '\u202e', label: 'U+202E right-to-left' },
        { kind: 'text', text: 'fdp.exe', label: '' },
      ],
    });
  });

  test.each([
    ['\u061c', 'bidi'], ['\u200e', 'bidi'], ['\u2066', 'bidi'], ['\u2069', 'bidi'],
    ['\u200b', 'zero_width'], ['\ufeff', 'zero_width'], ['\u00ad', 'zero_width'], ['\u3164', 'zero_width'], ['\u2800', 'zero_width'],
    ['\u{e0041}', 'zero_width'], ['\u180e', 'zero_width'], ['\u034f', 'zero_width'],
    ['\u001b', 'control'], ['\u0000', 'control'], ['\u0008', 'control'], ['\t', 'control'], ['\r', 'control'], ['\u0085', 'control'],
    ['\u2028', 'control'], ['\ud800', 'control'], ['\ue000', 'control'], ['\u{10ffff}', 'control'],
  ])('marks %j as %s, inside and beside words', (hidden, kind) => {
    for (const text of [hidden, `a${hidden}b`, ` ${hidden} `]) {
      expect(reveal(text).marked).toBe(true);
      expect(kinds(text)).toContain(kind);
    }
  }); // prettier-ignore

  test('tells escape sequences', () => {
    expect(labels('\u001b[31mred')).toEqual(['U+001B escape']);
  });

  test('counts spaces from four on, and warns unless they indent a line', () => {
    expect(labels('Best,    Ana')).toEqual(['4 spaces']);
    expect(reveal('Best,    Ana').marked).toBe(true);
    expect(reveal('Best,   Ana').marked).toBe(false);
    expect(reveal('if x:\n    y()').marked).toBe(false);
    expect(labels('if x:\n    y()')).toEqual(['↵', '4 spaces']);
    expect(labels(`a${' '.repeat(5000)}b`)).toEqual(['5,000 spaces']);
    expect(reveal(`a\n${' '.repeat(5000)}b`).marked).toBe(true);
    expect(labels('10\u00a0%')).toEqual(['U+00A0 no-break space']);
  });

  test('shows line breaks without calling them hidden', () => {
    expect(kinds('a\r\nb\nc')).toEqual(['text', 'newline', 'text', 'newline', 'text']);
    expect(reveal('a\nb').marked).toBe(false);
  });

  test('marks a word of two alphabets, not a sentence of two', () => {
    expect(reveal('p\u0430ypal').segments[0]).toMatchObject({
      kind: 'mixed_script',
      label: 'Latin and Cyrillic letters',
    });
    expect(labels('\u03bfpen')).toEqual(['Latin and Greek letters']);
    expect(reveal('Привет world').marked).toBe(false);
  });

  test('keeps joined pictures whole, but not a joiner between letters', () => {
    expect(reveal('👩‍👩‍👧 ❤️ 👍🏽').marked).toBe(false);
    expect(reveal('a\u200db').marked).toBe(true);
    expect(reveal('a\ufe0fb').marked).toBe(true);
  });

  test('counts repeats and folds long mixed runs', () => {
    expect(labels('a' + '\u200b'.repeat(5000) + 'b')).toEqual(['U+200B zero-width space × 5,000']);
    expect(labels('a\u{e0049}\u{e0047}\u{e004e}\u{e004f}\u{e0052}\u{e0045}b')).toEqual(['6 hidden characters']);
  });

  test('never loses or invents a character', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\r',
        '\u202e',
        '\u200b',
        '\u0430',
        '\u200d',
        '👩',
        '\ud83d',
        '\t',
        '\u{e0041}',
      ),
    });
    fc.assert(fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (text) => {
      const { segments } = reveal(text);
      expect(segments.map((segment) => segment.text).join('')).toBe(text);
      for (const segment of segments) expect(segment.label === '').toBe(segment.kind === 'text');
    })); // prettier-ignore
  });
});
