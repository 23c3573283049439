import { describe, expect, test } from 'vitest';
import { languageFor } from '../../src/messages/index.js';
import { localeFor } from '../../src/renderer/strings.js';

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
