/** The language of what the command line prints for a person. What agents and scripts read is English: JSON, results and logs. */
import { inEnglish, languageFor, type Formatter } from '../../messages/index.js';

/** In the order in which POSIX looks for the locale of messages. */
const VARIABLES = ['LC_ALL', 'LC_MESSAGES', 'LANG'];

export async function personFormatter(env: Readonly<Record<string, string | undefined>>): Promise<Formatter> {
  const locales = VARIABLES.flatMap((name) => env[name] || []).slice(0, 1);
  if (languageFor(locales) === 'en') return inEnglish;
  const { formatterFor } = await import('../../messages/catalogues.js');
  return formatterFor(locales);
}
