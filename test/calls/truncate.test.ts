import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateText, truncateValue } from '../../src/main/calls/results.js';

const size = (value: unknown): number => JSON.stringify(value).length;

describe('a result too large for a client', () => {
  it('keeps what fits of a list, in order, and says how much there was', () => {
    const items = Array.from({ length: 5_000 }, (_, id) => ({ id, text: 'x'.repeat(100) }));
    const value = truncateValue({ items, total: 5_000, next_page_token: 'more' });
    expect(size(value)).toBeLessThanOrEqual(200_000);
    const kept = value['items'] as typeof items;
    expect(kept.length).toBeGreaterThan(1_000);
    expect(kept).toEqual(items.slice(0, kept.length));
    expect(value).toMatchObject({
      total: 5_000,
      next_page_token: 'more',
      cut: { items: { kept: kept.length, of: 5_000 } },
    });
  });

  it('shortens long text, also deep inside, and leaves the rest alone', () => {
    const value = truncateValue({ element: { value: '🎉'.repeat(300_000), role: 'AXTextArea' }, effect: 'confirmed' });
    expect(size(value)).toBeLessThanOrEqual(200_000);
    expect(value).toMatchObject({ element: { role: 'AXTextArea' }, effect: 'confirmed' });
    expect(value['cut']).toMatchObject({ 'element.value': { of: 600_000 } });
    const { value: text } = value['element'] as { value: string };
    expect(text.length).toBeGreaterThan(10_000);
    expect(text).toMatch(/^(?:🎉)+$/u);
  });

  it('is the very same where it is small', () => {
    const value = { items: [1, 2, 3] };
    expect(truncateValue(value)).toBe(value);
    expect(truncateText('short')).toBe('short');
  });

  it('says in the text that it was cut, and of how much', () => {
    const text = truncateText('y'.repeat(1_000_000));
    expect(text.length).toBeLessThan(200_300);
    expect(text).toMatch(/\[Cut: 200000 of 1000000 characters\. Ask for less/);
  });

  it('never stays too large, and is never cut in silence', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.integer({ min: 1_200, max: 3_000 }),
        (value, most) => {
          const cut = truncateValue(value, most);
          expect(size(cut)).toBeLessThanOrEqual(most);
          if (size(value) > most) expect(Object.keys(cut['cut'] as object).length).toBeGreaterThan(0);
          else expect(cut).toBe(value);
        },
      ),
    );
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]));
    expect(size(truncateValue(wide))).toBeLessThanOrEqual(200_000);
    expect(truncateValue(wide)).toHaveProperty('cut');
  });
});
