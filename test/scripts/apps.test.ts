import { expect, test } from 'vitest';

interface Result {
  application: string;
  task: string;
  calls: number;
  tokens: number;
  seconds: number;
  failure: string | null;
}
const at = (path: string) => new URL(`../../scripts/apps/${path}`, import.meta.url).href;
const { chosen, record, table } = (await import(at('report.mjs'))) as {
  chosen(args: string[], known: string[]): string[];
  table(results: Result[]): string;
  record(before: string, results: Result[], applications: Record<string, { tasks: { name: string }[] }>): string;
};
const { APPLICATIONS } = (await import(at('index.mjs'))) as {
  APPLICATIONS: Record<string, { packages: string[]; tasks: { name: string }[] }>;
};
const { ordinaryUser } = (await import(at('user.mjs'))) as { ordinaryUser(uid: number): { as: string[] } };

test('applications are tried in the order of the list; an unknown one names those there are', () => {
  expect(chosen(['b', 'a'], ['a', 'b', 'c'])).toEqual(['a', 'b']);
  expect(chosen([], ['a', 'b'])).toEqual(['a', 'b']);
  expect(() => chosen(['a', 'clac'], ['calc', 'a'])).toThrow('There is no clac. There are: calc, a.');
});

test('each application says which packages bring it, and has five tasks with names of their own', () => {
  for (const [name, { packages, tasks }] of Object.entries(APPLICATIONS)) {
    expect(packages, name).not.toEqual([]);
    expect(new Set(tasks.map((task) => task.name)).size, name).toBe(5);
  }
});

test('the table says what each task cost and why one failed, and counts only those that are done', () => {
  const one = { application: 'calc', calls: 3, tokens: 100.4, seconds: 2.34 };
  const text = table([
    { ...one, task: 'add', failure: null },
    { ...one, task: 'sort', failure: `a | b\n${'long '.repeat(100)}` },
  ]);
  expect(text).toContain('| calc | add | done | 3 | 100 | 2.3 |');
  expect(text).toMatch(/\| calc \| sort \| a \/ b long long .{200,300}… \| 3 \|/);
  expect(text).toContain('1 of 2 tasks done, in 3 calls and 100 tokens.');
});

test('the record keeps the cost of each task from when it was done last, in the order of the list', () => {
  const applications = { calc: { tasks: [{ name: 'add' }, { name: 'sort' }] }, files: { tasks: [{ name: 'move' }] } };
  const done = (application: string, task: string, tokens: number, failure: string | null = null) => ({
    ...{ application, task, calls: 3, tokens, seconds: 1, failure },
  });
  const first = record(
    '',
    [done('files', 'move', 7.6), done('calc', 'gone', 5), done('calc', 'sort', 9)],
    applications,
  );
  const now = record(
    first,
    [done('calc', 'add', 20), done('files', 'move', 1, 'lost'), done('calc', 'sort', 8)],
    applications,
  );
  expect(
    now
      .split('\n')
      .filter((line) => line.endsWith(' |'))
      .slice(2),
  ).toEqual(['| calc | add | 3 | 20 |', '| calc | sort | 3 | 8 |', '| files | move | 3 | 8 |']);
});

test('root runs applications as an ordinary user, and anybody else as they are', () => {
  expect(ordinaryUser(0).as.join(' ')).toMatch(/^setpriv --reuid=[1-9]\d+ /);
  expect(ordinaryUser(1000).as).toEqual([]);
});
