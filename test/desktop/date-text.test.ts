import { expect, test } from 'vitest';
import { numbersOf } from '../../src/main/desktop/date-field.js';
import { inFormOf } from '../../src/main/desktop/write-value.js';

test.each([
  ['31 Jan 2020', '2026-12-04', '04 Dec 2026'],
  ['Jan 1, 2020', '2026-12-24', 'Dec 24, 2026'],
  ['1. Januar 2020', '2026-03-04', '4. März 2026'],
  ['2020-01-31', '2026-12-04', '2026-12-04'],
  ['31.01.2020 01:02', '2026-12-04T14:05', '04.12.2026 14:05'],
  ['1/31/2020, 1:02 am', '2026-12-04T14:05', '12/04/2026, 2:05 pm'],
  ['01:02:03', '23:05', '23:05:00'],
  // Which is the day, and which century, nobody can tell.
  ['1/2/2020', '2026-12-04', null],
  ['1/31/20', '2026-12-04', null],
  ['31 Jan 2020', '14:05', null],
  ['01:02', '2026-12-04', null],
  ['31 Jan 2020', 'tomorrow', null],
])('%s, given %s, becomes %s', (shown, value, text) => {
  expect(inFormOf(shown, numbersOf(value))).toBe(text);
});
