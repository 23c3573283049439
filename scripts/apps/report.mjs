/** Which applications were asked for, and the table of what came of their tasks. */
import { Stop } from '../lib/run.mjs';

/** All of `known` where none is named. */
export function chosen(args, known) {
  const unknown = args.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Stop(`There is no ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  return args.length === 0 ? [...known] : known.filter((name) => args.includes(name));
}

const LONGEST_REASON = 300;

export function table(results) {
  const rows = results.map(({ application, task, calls, tokens, seconds, failure }) =>
    [application, task, failure === null ? 'done' : shorten(failure), calls, Math.round(tokens), seconds.toFixed(1)]
      .map((cell) => String(cell).replaceAll('|', '/').replaceAll(/\s+/g, ' '))
      .join(' | '),
  );
  const done = results.filter(({ failure }) => failure === null);
  const sum = (pick) => Math.round(done.reduce((total, one) => total + pick(one), 0));
  return [
    '| application | task | result | calls | tokens | seconds |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
    '',
    `${done.length} of ${results.length} tasks done, in ${sum(({ calls }) => calls)} calls and ${sum(({ tokens }) => tokens)} tokens.`,
  ].join('\n');
}

const shorten = (text) => (text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text);

const RECORD = `# Ordinary tasks in real applications

Written by \`npm run apps\`: what each task that was done cost last. Tokens are a quarter of the characters, and a picture’s pixels by 750.

| application | task | calls | tokens |
| --- | --- | --- | --- |
`;
const ROW = /^\| (\S+) \| (.+) \| (\d+) \| (\d+) \|$/gm;

/** `before` with the rows of what was done now. Tasks that there are no longer are left out. `applications`: the order. */
export function record(before, results, applications) {
  const rows = new Map(
    [...before.matchAll(ROW)].map(([, application, task, ...cost]) => [`${application} | ${task}`, cost]),
  );
  for (const { application, task, calls, tokens, failure } of results)
    if (failure === null) rows.set(`${application} | ${task}`, [calls, Math.round(tokens)]);
  const known = Object.entries(applications).flatMap(([name, { tasks }]) =>
    tasks.map((task) => `${name} | ${task.name}`),
  );
  const lines = known.filter((key) => rows.has(key)).map((key) => `| ${key} | ${rows.get(key).join(' | ')} |\n`);
  return `${RECORD}${lines.join('')}`;
}
