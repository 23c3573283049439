import { describe, expect, it } from 'vitest';
import { matchesFilter, searchExpression, searchedWords } from '../../src/main/protocol/index.js';
import { activity } from '../support/page-samples.js';

describe('the words that an action is searched by', () => {
  const row = activity({ tool: 'click_element' });

  it('are each there once, without case and accents, and each sign of a text without spaces is one', () => {
    const subject = { ...row.subject, target: 'Über ÜBER über', app: '发送 ファイル', place: null };
    const words = searchedWords({ ...row, subject, note: null }).split(' ');
    expect(new Set(words).size).toBe(words.length);
    expect(words).toEqual(expect.arrayContaining(['click', 'element', 'uber', '发', '送', 'フ']));
    expect(words).not.toContain('über');
  });

  it('of new rows are found as the host finds them: all, and whole', () => {
    const subject = { ...row.subject, target: 'Send mail', app: 'Mail' };
    const fits = (text: string) => matchesFilter({ text }, { ...row, subject });
    expect(['mail SEND', 'Click', '', ' ?! '].map(fits)).toEqual([true, true, true, true]);
    expect(['sen', 'mail nowhere'].map(fits)).toEqual([false, false]);
  });

  it('say nothing to the database but themselves', () => {
    expect(searchExpression('a" OR words:b* NEAR(c) -d')).toBe('"a" "or" "words" "b" "near" "c" "d"');
    expect(searchExpression(' "*" ')).toBeUndefined();
  });
});
