import { expect, it } from 'vitest';
import { parseProcessStat } from '../../src/base/process-stat.js';

const NUMBERS = Array.from({ length: 49 }, (_, at) => String(at + 4));

it('reads the fields of proc(5), whatever the process is called', () => {
  const text = `12 (x) R 1 (2) S ${NUMBERS.join(' ')}\n`;
  expect(parseProcessStat(text)).toEqual({
    name: 'x) R 1 (2',
    state: 'S',
    ending: false,
    parentPid: 4,
    group: 5,
    session: 6,
    terminal: 7,
    startTicks: 22,
    image: '26:28:45',
    reaped: '11:13:16:17',
  });
});

it('is null without a start time, such as for a file that could be read only in part', () => {
  for (const text of ['', '12 (x', '12 (x) S 4 5', `12 (x) S ${NUMBERS.slice(0, 18).join(' ')}`])
    expect(parseProcessStat(text)).toBeNull();
});
