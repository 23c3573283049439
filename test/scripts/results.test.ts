import { expect, test } from 'vitest';

interface Report {
  testResults: { status: string; assertionResults: { status: string; fullName: string }[] }[];
}
const script = new URL('../../scripts/lib/results.mjs', import.meta.url).href;
const { count, unproven } = (await import(script)) as {
  count(report: Partial<Report>): { passed: number; failed: number };
  unproven(report: Partial<Report>): string[];
};

const report = (...tests: [status: string, fullName: string][]): Report => ({
  testResults: [
    { status: 'passed', assertionResults: tests.map(([status, fullName]) => ({ status, fullName })) },
    { status: 'failed', assertionResults: [] },
  ],
});

test('a requirement whose every test was skipped is not proven', () => {
  const tests = report(
    ['skipped', '[req:A-1] [req:A-2] on a real Electron'],
    ['passed', '[req:A-2] on the stand-in'],
    ['todo', '[req:A-3] later'],
    ['failed', '[req:A-4] fails, and is counted as that'],
  );
  expect(unproven(tests)).toEqual(['A-1', 'A-3']);
  expect(count(tests)).toEqual({ passed: 1, failed: 2 });
  expect(unproven({})).toEqual([]);
});
