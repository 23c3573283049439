/** The table of a self-test, as a person can send it. */
import type { Row } from './types.js';

const RESULTS = ['right', 'wrong', 'error', 'unsupported', 'not_run'] as const satisfies readonly Row['result'][];

/** `incomplete`: nothing was wrong, but not everything was run. */
export function verdictOf(rows: readonly Row[]): 'passed' | 'failed' | 'incomplete' {
  if (rows.length === 0 || rows.some(({ result }) => result === 'wrong' || result === 'error')) return 'failed';
  return rows.some(({ result }) => result === 'not_run') ? 'incomplete' : 'passed';
}

export function countsOf(rows: readonly Row[]): Record<Row['result'], number> {
  const count = (result: Row['result']): number => rows.filter((row) => row.result === result).length;
  return {
    right: count('right'),
    wrong: count('wrong'),
    error: count('error'),
    unsupported: count('unsupported'),
    not_run: count('not_run'),
  };
}

/** Markdown. `facts` are lines above the table. */
export function reportText(rows: readonly Row[], facts: Readonly<Record<string, string>>): string {
  const counts = countsOf(rows);
  return [
    ...Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`),
    `- ${RESULTS.map((result) => `${result}: ${counts[result]}`).join(', ')}`,
    '',
    '| member | result | told | witness |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ member, result, told, witness }) => `| ${[member, result, cell(told), cell(witness)].join(' | ')} |`,
    ),
    '',
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll(/[\n\r]+/g, ' ').replaceAll('|', '\\|');
