import { describe, expect, test } from 'vitest';
import { de } from '../../src/renderer/words/de.js';
import { en } from '../../src/renderer/words/en.js';
import { zh } from '../../src/renderer/words/zh.js';
import { languageFor, localeFor } from '../../src/renderer/strings.js';

/** The same in every language: names, commands, and words that happen to be one. */
const SAME = new Set(['Chaperone', 'Live', 'Codex', 'Cursor', 'VS Code', 'Claude Code', 'Agent', 'Name', 'Text', 'App', 'Standard', 'Version', 'System', 'Automation', 'Node', 'Backend']); // prettier-ignore
const COMMAND = /^(chaperone|npm)\b/;
/** Only numbers, names or what is handed in. */
const GIVEN = /^title|\.(other|version|size|bytes|grantIn)\(|\.names\.|\.id$/;

type Leaf = [path: string, text: string];

/** Functions are asked for what they say of one and of many, with marks for names. */
function leaves(words: unknown, path = ''): Leaf[] {
  if (typeof words === 'string') return [[path, words]];
  if (typeof words === 'function')
    return [1, 3].map((count) => {
      const given = Array.from({ length: words.length }, (_, index) => (index === 0 && /title/.test(path) ? 0 : count));
      return [`${path}(${count})`, String((words as (...given: unknown[]) => unknown)(...given))];
    });
  return Object.entries(words as object).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`));
}

const english = new Map(leaves(en));

describe.each([['German', de], ['Chinese', zh]])('%s', (name, words) => {
  const all = leaves(words);

  test('[req:AP-W-1] says everything English says, and nothing else', () => {
    expect(all.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
    const empty = all.filter(([path, text]) => (text.trim() === '') !== (english.get(path)?.trim() === ''));
    expect(empty).toEqual([]);
  });

  test('[req:AP-W-1] leaves no sentence in English', () => {
    const left = all.filter(([path, text]) => {
      const worded = /[a-z]/i.test(english.get(path) ?? '');
      return worded && text === english.get(path) && !SAME.has(text) && !COMMAND.test(text) && !GIVEN.test(path);
    });
    expect(left).toEqual([]);
  });

  test('has no em dash, no straight quotes and no full stop of another language', () => {
    const wrong = all.filter(([path, text]) => /—|"/.test(text) || (!path.startsWith('marks.') && /\s$/.test(text)) || (name === 'Chinese' ? /[a-z\u4e00-\u9fff]\.$/u.test(text) && /[\u4e00-\u9fff]/u.test(text) : /[，。]/u.test(text)));
    expect(wrong).toEqual([]);
  });
}); // prettier-ignore

describe('which language', () => {
  test.each([
    [['de-AT', 'en'], 'de', 'de-AT'],
    [['fr', 'zh-Hans-CN'], 'zh', 'zh-Hans-CN'],
    [['en-GB', 'de'], 'en', 'en-GB'],
    [['fr-CA'], 'en', 'en-US'],
    [[], 'en', 'en-US'],
  ] as const)('%j', (wanted, language, locale) => {
    expect(languageFor(wanted)).toBe(language);
    expect(localeFor(languageFor(wanted), wanted)).toBe(locale);
  });
});
