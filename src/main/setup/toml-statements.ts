/** Finds where the statements of a TOML text begin and end. Does not check that the text is valid TOML. */
export interface Statement {
  kind: 'table' | 'array' | 'pair';
  start: number;
  /** Excludes space and comment after it. */
  end: number;
}

export function statementsOf(text: string): Statement[] {
  const found: Statement[] = [];
  const between = /(?:[ \t\r\n]+|#[^\n]*)*/y;
  let position = 0;
  for (;;) {
    between.lastIndex = position;
    position += between.exec(text)?.[0].length ?? 0;
    if (position >= text.length) return found;
    const end = statementEnd(text, position);
    const kind = text.startsWith('[[', position) ? 'array' : text[position] === '[' ? 'table' : 'pair';
    found.push({ kind, start: position, end: position + text.slice(position, end).trimEnd().length });
    position = end;
  }
}

/** The end of the first line on which all brackets and strings are closed, or the start of its comment. */
function statementEnd(text: string, from: number): number {
  let depth = 0;
  let position = from;
  while (position < text.length) {
    const char = text[position];
    if (char === '"' || char === "'") {
      position = stringEnd(text, position);
      continue;
    }
    if (char === '\n' && depth === 0) return position;
    if (char === '#') {
      if (depth === 0) return position;
      const line = text.indexOf('\n', position);
      if (line === -1) return text.length;
      position = line;
      continue;
    }
    if (char === '[' || char === '{') depth += 1;
    if (char === ']' || char === '}') depth -= 1;
    position += 1;
  }
  return text.length;
}

function stringEnd(text: string, from: number): number {
  const quote = text[from] ?? '';
  const long = text.startsWith(quote.repeat(3), from);
  const escapes = quote === '"';
  const closing = long ? quote.repeat(3) : quote;
  let position = from + closing.length;
  while (position < text.length) {
    if (escapes && text[position] === '\\') {
      position += 2;
      continue;
    }
    if (!long && text[position] === '\n') return position;
    if (text.startsWith(closing, position)) {
      position += closing.length;
      // A long string may end with one or two more quotes.
      for (let more = 0; long && more < 2 && text[position] === quote; more += 1) position += 1;
      return position;
    }
    position += 1;
  }
  return text.length;
}
