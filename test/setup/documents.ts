/** Configuration files as people and programs leave them: comments, odd spacing, either line end, trailing commas. */
import fc from 'fast-check';

const word = fc.constantFrom(
  'a',
  'other',
  'x y',
  'é',
  'url',
  'path\\to',
  '#no',
  '// no',
  '[t]',
  '{',
  ',',
  'it"s',
  "it's",
);
const eol = fc.constantFrom('\n', '\r\n');
const gap = fc.constantFrom('', ' ', '  ');

interface Style {
  eol: string;
  unit: string;
  inLines: boolean;
  trailing: boolean;
  gap: string;
}

const style = fc.record({
  eol,
  unit: fc.constantFrom('  ', '    ', '\t'),
  inLines: fc.boolean(),
  trailing: fc.boolean(),
  gap,
});

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(word, tie('any'), { maxKeys: 3 }),
  ),
})).any;

/** `containers` are sometimes there, with servers of others in them. */
export function jsonc(containers: string[]): fc.Arbitrary<string> {
  const own = fc.record({
    style,
    comments: fc.array(fc.constantFrom('', '// one', '/* two */', '// , {', '/* "x": 1, */'), { maxLength: 12 }),
    top: fc.dictionary(word, value, { maxKeys: 4 }),
    servers: fc.option(fc.dictionary(word, value, { maxKeys: 3 }), { nil: undefined }),
    first: fc.boolean(),
    end: fc.constantFrom('', '\n', '\n\n'),
  });
  const made = own.map(({ comments, top, servers, first, end, ...rest }) => {
    const inner = servers === undefined ? {} : Object.fromEntries(containers.map((name) => [name, servers]));
    const left = [...comments];
    return draw(first ? { ...inner, ...top } : { ...top, ...inner }, rest.style, '', () => left.shift() ?? '') + end;
  });
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('', '\n', '{}', '{\n}\n', '{ }') },
    { weight: 9, arbitrary: made },
  );
}

function draw(it: unknown, how: Style, indent: string, comment: () => string): string {
  if (typeof it !== 'object' || it === null || Array.isArray(it)) return JSON.stringify(it);
  const pairs = Object.entries(it);
  if (pairs.length === 0) return `{${how.gap}}`;
  const line = how.inLines ? how.eol + indent + how.unit : how.gap;
  const note = () => {
    const text = comment();
    return how.inLines || text.startsWith('/*') || text === '' ? text : '';
  };
  const body = pairs.map(([key, inner], index) => {
    const comma = index < pairs.length - 1 || how.trailing ? ',' : '';
    const before = note();
    const apart = before === '' ? '' : before + (how.inLines ? how.eol + indent + how.unit : '');
    return `${line}${apart}${JSON.stringify(key)}${how.gap}:${how.gap}${draw(inner, how, indent + how.unit, comment)}${how.gap}${comma} ${note()}`;
  });
  return `{${body.join('')}${how.inLines ? how.eol + indent : how.gap}}`;
}

const bare = fc.constantFrom('model', 'a-b', '"quoted key"', "'x.y'", 'n1');
const scalar = fc.constantFrom(
  '"text # no comment"',
  "'[not.a.table]'",
  '1_000',
  '3.5e1',
  'true',
  '1979-05-27T07:32:00Z',
  '[1, 2,\n  # [mcp_servers.chaperone]\n  3, ]',
  '"""\n[mcp_servers.chaperone]\ncommand = "x"\n"""',
  "'''it''s'''",
  '"""ends with a quote"""""',
  '{ inline = "] }", n = [1] }',
);

/** `container` is the table that holds the servers. */
export function toml(container: string): fc.Arbitrary<string> {
  const pairs = fc.uniqueArray(fc.tuple(bare, scalar), { maxLength: 3, selector: ([key]) => key });
  const table = fc.record({
    name: fc.constantFrom(
      'profiles.x',
      `${container}.other`,
      `${container}."my server"`,
      'tui',
      `${container}.other.env`,
      '[list]',
    ),
    pairs,
    comment: fc.constantFrom('', '# note', '# [mcp_servers.chaperone]'),
    blank: fc.boolean(),
  });
  return fc
    .record({
      eol,
      top: pairs,
      tables: fc.uniqueArray(table, { maxLength: 5, selector: ({ name }) => (name === '[list]' ? {} : name) }),
      end: fc.constantFrom('', '\n', '\n\n', '\n# the end'),
    })
    .map(({ eol: newline, top, tables, end }) => {
      const lines = (from: [string, string][]) => from.map(([key, text]) => `${key} = ${text}`);
      const all = [
        ...lines(top),
        ...tables.flatMap(({ name, pairs: own, comment, blank }) => [
          ...(blank ? [''] : []),
          ...(comment === '' ? [] : [comment]),
          `[${name}] ${comment}`,
          ...lines(own),
        ]),
      ];
      return (all.join('\n') + end).replaceAll('\n', newline);
    });
}

const yamlScalar = fc.constantFrom(
  '"text # no comment"',
  "'it''s: {here}'",
  'plain text',
  '[a, "b"]',
  '1_000',
  '|\n{in}extensions:\n{in}  chaperone: x',
  '>-\n{in}folded\n\n{in}# no comment',
  '"two\n{in}lines: of text"',
  '{a: 1,\n{in}b: "}" }',
  '# none',
  '\n{in}- one\n{in}- two: 2\n{in}  more: 3',
  '\n{in}chaperone:\n{in}  deeper: true',
);

/** `container` is the mapping that holds the servers. */
export function yaml(container: string): fc.Arbitrary<string> {
  const key = fc.constantFrom('GOOSE_MODEL', '"quoted: key"', 'a-b', "'x.y'", 'extensions2', 'n1');
  const pair = fc.record({
    key,
    text: yamlScalar,
    comment: fc.constantFrom('', '# note', '# chaperone:'),
    blank: fc.boolean(),
  });
  const pairs = (min: number) => fc.uniqueArray(pair, { minLength: min, maxLength: 4, selector: (one) => one.key });
  return fc
    .record({
      eol,
      head: fc.constantFrom('', '---\n', '# head\n'),
      before: pairs(0),
      servers: fc.option(pairs(1), { nil: undefined }),
      after: pairs(0),
      indent: fc.constantFrom('  ', '    '),
      end: fc.constantFrom('', '\n', '\n\n', '\n# the end\n'),
    })
    .map(({ eol: newline, head, before, servers, after, indent, end }) => {
      type Pairs = typeof before;
      const lines = (from: Pairs, at: string) =>
        from.flatMap(({ key: name, text, comment, blank }) => [
          ...(blank ? [''] : []),
          ...(comment === '' ? [] : [at + comment]),
          `${at}${name}: ${text.replaceAll('{in}', `${at}  `)}`,
        ]);
      const own = before.map((one) => one.key);
      const later = after.filter((one) => !own.includes(one.key));
      const inner = servers === undefined ? [] : [`${container}: # all`, ...lines(servers, indent)];
      const all = [...lines(before, ''), ...inner, ...lines(later, '')].join('\n');
      return (head + all + (all === '' ? '' : end)).replaceAll('\n', newline);
    });
}

/** The lines of `before` that are not in `after`, in order; a comma at the end aside. */
export function missingLines(before: string, after: string): string[] {
  const there = after.split(/\r?\n/);
  let from = 0;
  return before.split(/\r?\n/).filter((line) => {
    const bareLine = line.trimEnd();
    if (bareLine === '') return false;
    const found = there.findIndex((one, index) => index >= from && one.trimEnd().replace(/,$/, '') === bareLine.replace(/,$/, '')); // prettier-ignore
    if (found !== -1) from = found + 1;
    return found === -1;
  });
}
