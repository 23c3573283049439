/** Faults in the record: lines that come too late, or never. */

const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/evidence/${file}`, test: `test/evidence/${test}`, from, to, fails }); // prettier-ignore
const writer = at('evidence-writer.ts', 'groups.test.ts');
const queue = at('line-queue.ts', 'groups.test.ts');

// prettier-ignore
export const EVIDENCE = [
  writer('disclosed-before-its-line', "new Set(['read', 'bookkeeping'])", "new Set(['read', 'bookkeeping', 'disclose'])", 'of disclose is on disk before its answer'),
  writer('unwritten-reads-called-complete', ' && audit.isWritable()', '', 'are written with the next one'),
  queue('delayed-lines-forgotten', 'queue = queue.filter(({ soon }) => soon && !finishing);', 'queue = [];', 'are written with the next one'),
  queue('delayed-lines-never-given-up', '!soon || finishing', '!soon', 'are said to be lost when the recorder closes'),
];
