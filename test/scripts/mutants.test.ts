import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Mutant {
  name: string;
  file: string;
  test: string;
}

const root = join(import.meta.dirname, '../..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');
const script = async (file: string): Promise<unknown> => import(new URL(`../../scripts/${file}`, import.meta.url).href);

test('every fault of the mutant list fits exactly one place of its file, and its test is there', async () => {
  const { MUTANTS: mutants } = (await script('mutants/list.mjs')) as { MUTANTS: Mutant[] };
  const { mutated } = (await script('mutants.mjs')) as { mutated: (source: string, mutant: Mutant) => string };
  expect(mutants.length).toBeGreaterThanOrEqual(60);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  for (const mutant of mutants) {
    expect(mutated(text(mutant.file), mutant), mutant.name).not.toBe(text(mutant.file));
    expect(text(mutant.test), mutant.name).not.toBe('');
  }
});
