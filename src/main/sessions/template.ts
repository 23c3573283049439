/** Replaces `{{name}}` in the texts of a macro's steps, in one pass: placeholders inside values stay text. Pure. */

/** `{{{{` stands for a literal `{{`. */
const TOKEN = /\{\{\{\{|\{\{([A-Za-z][A-Za-z0-9_]{0,39})\}\}|\{\{/g;

/** The parameter names used, and whether there are braces that are neither a placeholder nor escaped. */
export function placeholders(value: unknown): { names: Set<string>; stray: boolean } {
  const names = new Set<string>();
  let stray = false;
  mapTexts(value, (text) => {
    for (const [token, name] of text.matchAll(TOKEN))
      if (name !== undefined) names.add(name);
      else stray ||= token === '{{';
    return text;
  });
  return { names, stray };
}

export function fill<T>(value: T, values: ReadonlyMap<string, string>): T {
  return mapTexts(value, (text) =>
    text.replace(TOKEN, (token, name: string | undefined) => (name === undefined ? '{{' : (values.get(name) ?? token))),
  );
}

/** Escapes braces in typed text, so that it is repeated literally. */
export function literal<T>(value: T): T {
  return mapTexts(value, (text) => text.replaceAll('{{', '{{{{'));
}

/** Replaces texts that equal `text` by the placeholder; null where there is none. */
export function parameterize<T>(value: T, text: string, name: string): T | null {
  let found = false;
  const changed = mapTexts(value, (one) => {
    if (one !== text) return one;
    found = true;
    return `{{${name}}}`;
  });
  return found ? changed : null;
}

function mapTexts<T>(value: T, change: (text: string) => string): T {
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return change(one);
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner)]));
  };
  // Only texts change, so the shape stays.
  return walk(value) as T;
}
