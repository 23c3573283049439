/** Nothing the host says to a person is missing in a language: what it says is read from its sources, or said by them. */
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { deHost } from '../../src/renderer/words/de-host.js';
import type { HostWords } from '../../src/renderer/words/host.js';
import { createPhrasebook, partsOf, type Phrases } from '../../src/renderer/words/phrasebook.js';
import { zhHost } from '../../src/renderer/words/zh-host.js';
import { piecesOf, readings, sentences, sources, type Said, type Source } from '../support/host-sentences.js';

const PAGE_FILES = [
  'assets',
  'clients',
  'commands',
  'demo',
  'conversation',
  'definition',
  'dispatch',
  'menubar',
  'pairings',
  'record',
  'table',
  'greeting',
  'headers',
  'history',
  'index',
  'limits',
  'news',
  'page',
  'settings',
  'watching',
  'agents',
  'approvals',
].map((name) => `main/serve/page/${name}.ts`);

const LANGUAGES: [string, HostWords][] = [
  ['German', deHost],
  ['Chinese', zhHost],
];

/** Told to agents, terminals or logs only, or the words of an error that is a bug. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'Wait until the person lets agents go on, then make the same call again.',
  'There is nothing at this address.',
  'This address cannot be read.',
  'Only GET and HEAD are answered here.',
  'This page has no service worker, so that none can outlive it on this port.',
  'The page has not been built. Run `npm run build`, then reload.',
  'Pictures of windows have no shadow here.',
  'There is no text in it that can be read.',
  'No control in it tells of itself: try find_text or coordinates.',
  "Not all controls of ${cut.join(', ')} could be read.",
  '${more} more controls have no number: picture one window, or find_elements.',
  'Only the ${MOST_WINDOWS} topmost windows are numbered.',
  'The message has no text.',
  'The message has ${text.length} characters; at most ${LIMITS.question} can be sent. Shorten it or split it.',
  '${quickReplies.length} quick replies were given; at most ${LIMITS.quickReplies} can be shown.',
  'A quick reply must have between 1 and ${LIMITS.quickReply} characters.',
  'A call id must have between 1 and ${LIMITS.callId} characters.',
  'You already have ${openOfAgent} unanswered questions; wait for an answer or withdraw one before you ask again.',
  'The person already has ${open} unanswered questions; ask again later.',
]);

/** Where a sentence has an expression that itself says something. */
const VALUES: Record<string, readonly string[]> = {
  into: ['the bare desktop', '“Mail”'],
  "stop ? ' or changes nothing' : ''": ['', ' or changes nothing'],
  what: ['is not valid', 'was left as it is'],
};

const isSentence = (pieces: readonly string[]) => {
  const text = pieces.join('X');
  return / /.test(text) && /^[A-Z“`]/.test(text) && /[.:]$/.test(text);
};

function plain(all: Source[]): Said[] {
  return sentences(all, { inside: ts.isSourceFile, sentence: isSentence });
}

/** What is told to the person in so many words, and the book it must be in. */
const SPOKEN: [what: string, book: keyof HostWords, said: Said[]][] = [
  ['answers to a page, pauses, refusals', 'said', plain(sources('main/chat/answering.ts', 'main/chat/limits.ts', ...PAGE_FILES, 'main/serve/pairing/index.ts', 'main/serve/pairing/codes.ts', 'main/setup'))],
]; // prettier-ignore

/** However it comes out where that is known; where not, as a name or a number, whichever fits. */
function isMissing(say: (sentence: string) => string | null, { file, pieces }: Said): boolean {
  const known = readings(
    pieces ?? [],
    (expression) => VALUES[`${file} ${expression}`] ?? VALUES[expression] ?? [`\0${expression}\0`],
  );
  return !known.every((one) =>
    readings(one.split('\0'), () => ['Someone', '7']).some((sentence) => say(sentence) !== null),
  );
}

describe.each(LANGUAGES)('%s sentences', (_name, words) => {
  test.each(SPOKEN)('[req:AP-W-2] none is missing: %s', (_what, book, said) => {
    const { say } = createPhrasebook(words[book]);
    const shown = said.filter(({ text }) => !NOT_SHOWN.has(text.replace(/^`|`$/g, '')));
    expect(shown.length).toBeGreaterThan(3);
    const left = shown.filter((one) => isMissing(say, one));
    expect(left.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  test('places are those of the English, each once', () => {
    const odd = (['said'] as const).flatMap((book) => Object.entries(words[book]).filter(([english, said]) => !samePlaces(english, said)));
    expect(odd).toEqual([]);
  });
}); // prettier-ignore

function samePlaces(english: string, said: string): boolean {
  const names = (phrase: string) => partsOf(phrase).flatMap((part) => (typeof part === 'string' ? [] : [part.name])).sort(); // prettier-ignore
  return names(english).join() === names(said).join() && new Set(names(said)).size === names(said).length;
}

test('languages have the same phrases', () => {
  const keys = (phrases: Phrases) => Object.keys(phrases).sort();
  for (const book of ['said'] as const) expect(keys(zhHost[book])).toEqual(keys(deHost[book]));
});

test('a literal is read as its pieces', () => {
  const source = ts.createSourceFile('x.ts', '`a ${b} c`', ts.ScriptTarget.Latest, true);
  const [statement] = source.statements;
  expect(statement !== undefined && ts.isExpressionStatement(statement) ? piecesOf(statement.expression) : null).toEqual(['a ', 'b', ' c']); // prettier-ignore
});
