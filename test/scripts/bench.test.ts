import { expect, test } from 'vitest';

interface Found {
  value: number;
  low: number;
  high: number;
  verdict: string;
}
type Rounds = Record<'ours' | 'peer' | 'again', number[]>;
const at = (path: string) => new URL(`../../bench/${path}`, import.meta.url).href;
const { compareRatios, compareShares } = (await import(at('statistics.mjs'))) as {
  compareRatios(rounds: Rounds & { isLessBetter: boolean }): Found;
  compareShares(rounds: Rounds): Found;
};
const { chosen } = (await import(at('rows.mjs'))) as { chosen(args: string[]): { name: string }[] };
const { report } = (await import(at('report.mjs'))) as {
  report(facts: object, measured: readonly object[], before?: string): string;
};
const { createStageTimes } = (await import(at('stages.mjs'))) as {
  createStageTimes(): { add(tool: string, times: object): void; lines(): string[] };
};
const { inRounds } = (await import(at('rounds.mjs'))) as {
  inRounds(ours: object, peers: object, options: object): Promise<{ again: object }>;
};

/** Twenty values around `middle`, none more than `width` per cent away, in an order of their own by `step`. */
const around = (middle: number, width: number, step: number) =>
  Array.from({ length: 20 }, (_, round) => middle * (1 + (((round * step) % 20) - 9.5) * (width / 950)));
const ratios = (ours: number, width: number, isLessBetter = true) =>
  compareRatios({
    ours: around(ours, width, 3),
    peer: around(100, width, 7),
    again: around(100, width, 9),
    isLessBetter,
  });

test('[req:BE-1] a ratio has a verdict only where its interval is apart from that of the peer against itself', () => {
  const slower = ratios(200, 5);
  expect(slower.verdict).toBe('worse');
  expect(slower.value).toBeCloseTo(0.5, 1);
  expect(slower.low).toBeLessThan(slower.value);
  expect(ratios(200, 5, false).verdict).toBe('better');
  expect(ratios(100, 1).verdict).toBe('no difference');
  expect(ratios(104, 60).verdict).toBe('too noisy to conclude');
  expect(ratios(200, 5)).toEqual(slower);
});

test('a share is larger only where the interval of the difference says so', () => {
  const none = new Array<number>(20).fill(0);
  const shares = (ours: number[]) => compareShares({ ours, peer: none, again: none }).verdict;
  expect(shares(none)).toBe('no more');
  expect(shares(around(0.6, 90, 3))).toBe('more');
  expect(shares(none.with(4, 12))).toBe('too noisy to conclude');
});

test('[req:BE-1] rows are chosen by their name or their group; an unknown name lists all', () => {
  expect(chosen(['--row', 'find-in-page']).map(({ name }) => name)).toEqual(['find-in-page']);
  expect(chosen(['start', '--row', 'png'])).toHaveLength(3);
  expect(chosen([]).length).toBeGreaterThan(15);
  expect(() => chosen(['--row', 'fnd'])).toThrow(/no row “fnd”[^]*scroll-activity/);
  expect(() => chosen(['--row'])).toThrow(/needs a name/);
});

test('a report renews the sections that were measured and keeps the others, in their order', () => {
  const facts = { date: 'today', commit: 'c0ffee', hardware: 'h', system: 's', load: '0.1', versions: {} };
  const rows = (section: string, name: string) => [
    {
      section,
      stages: [],
      lines: [{ what: name, unit: 'ms', beside: 'peer', ours: [1, 1], peer: [1, 1], again: [1, 1] }],
    },
  ];
  const first = report(facts, [...rows('find', 'old find'), ...rows('calls', 'a call')]);
  const second = report({ ...facts, commit: 'f00d' }, rows('find', 'new find'), first);
  const lines = second.split('\n').filter((line) => /^## |call \||find \||commit/.test(line));
  expect(lines.map((line) => /^## .*|a call|old find|new find|commit \w+/.exec(line)?.[0])).toEqual([
    '## A tool call',
    'commit c0ffee',
    'a call',
    '## Finding an element',
    'commit f00d',
    'new find',
  ]);
});

test('a row that failed says why in its place, beside those that were measured', () => {
  const facts = { date: 'today', commit: 'c0ffee', hardware: 'h', system: 's', load: '0.1', versions: {} };
  const line = { what: 'the other', unit: 'ms', beside: 'peer', ours: [1, 1], peer: [1, 1], again: [1, 1] };
  const failed = { section: 'find', stages: [], lines: [], failure: { row: 'find-qt', why: 'no window | no\nlist' } };
  const rows = report(facts, [failed, { section: 'find', stages: [], lines: [line] }])
    .split('\n')
    .filter((text) => text.startsWith('| ') && !text.startsWith('| what'));
  expect(rows[1]).toContain('the other');
  expect(rows[2]).toContain('| find-qt |');
  expect(rows[2]).toContain('not measured: no window / no list');
  expect(rows[2]?.split('|')).toHaveLength(rows[1]?.split('|').length ?? 0);
});

test('[req:BE-2] the stages of the calls of a row are summed by tool, the longest first', () => {
  const stages = createStageTimes();
  const call = (planMs: number, actMs: number) => ({
    totalMs: planMs + actMs,
    stages: [{ stage: 'plan', ms: planMs }, ...(actMs === 0 ? [] : [{ stage: 'act', ms: actMs }])],
    desktop: [{ method: 'windows', calls: 2, ms: planMs / 2 }],
  });
  for (let count = 0; count < 9; count += 1) stages.add('click', call(2, count < 5 ? 8 : 0));
  stages.add('rare', call(1, 1));
  expect(stages.lines()).toEqual([]);
  stages.add('click', call(2, 8));
  expect(stages.lines()).toEqual([
    '- `click`, 10 calls: 10.0 ms. Stages: act 8.0, plan 2.0. Desktop: windows 2 × 1.0.',
  ]);
});

test('[req:BE-1] a round has ours between two turns of each peer, and the next goes the other way', async () => {
  const order: string[] = [];
  const work = (name: string) => () => order.push(name);
  const peers = { one: work('one'), two: work('two') };
  const { again } = await inRounds({ ours: work('ours') }, peers, { rounds: 2, warmUp: 0 });
  expect(order.join(' ')).toBe('one two ours two one one two ours two one');
  expect(Object.keys(again)).toEqual(['two', 'one']);
});
