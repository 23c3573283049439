/** Nothing the host says to a person is missing in a language: what it says is read from its sources, or said by them. */
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { ERRORS, EFFECTS, PRESETS } from '../../src/main/protocol/index.js';
import { deHost } from '../../src/renderer/words/de-host.js';
import { createHost, textOf, type HostWords } from '../../src/renderer/words/host.js';
import { createPhrasebook, partsOf, type Phrases } from '../../src/renderer/words/phrasebook.js';
import { zhHost } from '../../src/renderer/words/zh-host.js';
import {
  piecesOf,
  readings,
  sentences,
  sources,
  sourcesWith,
  verbs,
  type Said,
  type Source,
} from '../support/host-sentences.js';
import { COMPUTED, NO_TITLES, OWN, WITHOUT_TARGET } from '../support/host-titles.js';

const PAGE_FILES = [
  'assets',
  'clients',
  'commands',
  'demo',
  'greeting',
  'handler',
  'handlers',
  'headers',
  'history',
  'index',
  'limits',
  'news',
  'outcomes',
  'page',
  'ports',
  'questions',
  'settings',
  'watching',
  'agents',
  'approvals',
].map((name) => `main/serve/page/${name}.ts`);

const LANGUAGES: [string, HostWords][] = [
  ['German', deHost],
  ['Chinese', zhHost],
];

const titled = (verb: string, target: string | null, app: string | null = 'Mail') => ({ verb, done: verb, target, app, place: null }); // prettier-ignore

describe.each(LANGUAGES)('%s titles', (_name, words) => {
  const host = createHost(words);
  const english = createHost(null);
  const said = verbs(sources('main/tools', 'main/pipeline', 'main/desktop', 'main/bridge'));

  test('[req:AP-W-2] every verb and what was done has words, with a target and without', () => {
    expect(said.length).toBeGreaterThan(100);
    const unknown = said.filter(({ text, pieces }) => pieces?.length !== 1 && !NO_TITLES.has(text) && !(text in COMPUTED)); // prettier-ignore
    expect(unknown.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
    const all = said.filter(({ text }) => !NO_TITLES.has(text)).flatMap(({ text }) => COMPUTED[text] ?? [text]);
    const left = [...new Set(all)].filter((verb) => {
      const targets = WITHOUT_TARGET.test(verb) ? [null] : ['Send', null];
      return targets.some((target) => {
        const subject = titled(verb, target);
        return textOf(host.title(subject, 'any')) === textOf(english.title(subject, 'any'));
      });
    });
    expect(left).toEqual([]);
  });

  test('[req:AP-W-2] a target in the host’s own words has words too, only under the tools that say it', () => {
    const left = OWN.filter(([tool, verb, target]) => textOf(host.title(titled(verb, target, null), tool)).includes(target));
    expect(left).toEqual([]);
    for (const [, verb, target] of OWN) expect(textOf(host.title(titled(verb, target), 'click_element'))).toContain(target);
    // A window of that name, as its place tells.
    const window = { ...titled('Take a picture of', 'the screen'), place: 'the screen' };
    expect(textOf(host.title(window, 'capture_screenshot'))).toContain('the screen');
  });
}); // prettier-ignore

test('[req:AP-W-2] what reads the same in English is told apart once it was done', () => {
  const host = createHost(deHost);
  expect(textOf(host.title(titled('Quit', null), 'quit_application'))).toBe('Mail beenden');
  expect(textOf(host.title({ ...titled('Quit', null), past: true }, 'quit_application'))).toBe('Mail beendet');
  expect(textOf(host.title({ ...titled('Clicked', 'Send'), past: true }, 'click'))).toBe('„Send“ in Mail angeklickt');
});

test.each<[string, string, string | null, string | null, string, string]>([
  ['mouse_move', 'Move the pointer to', null, null, 'Move the pointer', 'Den Zeiger bewegen'],
  ['mouse_move', 'Move the pointer to', 'Send', 'Mail', 'Move the pointer to “Send” in Mail', 'Den Zeiger in Mail auf „Send“ bewegen'],
  ['click_element', 'Scroll to, then press', 'Last', 'Mail', 'Scroll to “Last” in Mail, then press', 'In Mail zu „Last“ scrollen, dann drücken'],
  ['open_application', 'Open', null, 'Galculator', 'Open Galculator', 'Galculator öffnen'],
  ['open_application', 'Open', '/opt/thing', null, 'Open “/opt/thing”', '„/opt/thing“ öffnen'],
  ['quit_application', 'Force quit', null, 'Mail', 'Force quit Mail', 'Mail sofort beenden'],
  ['execute_shell_command', 'Run a shell command', 'make test', null, 'Run a shell command', 'Einen Shell-Befehl ausführen'],
  ['execute_shell_command', 'Ran', 'make test', null, 'Ran “make test”', '„make test“ ausgeführt'],
  ['click', 'Click', '(640, 400)', 'Mail', 'Click at (640, 400) in Mail', 'Bei (640, 400) in Mail klicken'],
  ['click', 'Double-click', '(640, 400)', null, 'Double-click at (640, 400)', 'Bei (640, 400) doppelt klicken'],
  ['drag', 'Drag', 'Inbox to (5, -9)', 'Mail', 'Drag “Inbox” to (5, -9) in Mail', '„Inbox“ nach (5, -9) in Mail ziehen'],
  ['drag', 'Drag', '(1, 2) to (5, 9)', null, 'Drag from (1, 2) to (5, 9)', 'Von (1, 2) nach (5, 9) ziehen'],
  ['left_mouse_up', 'Release the mouse button on', null, 'Mail', 'Release the mouse button in Mail', 'Die Maustaste in Mail loslassen'],
  ['find_elements', 'Read the controls of', null, 'Mail', 'Read the controls of Mail', 'Die Bedienelemente in Mail lesen'],
  ['capture_screenshot', 'Take a picture of', 'the screen', 'Mail, Files', 'Take a picture of the screen, with Mail, Files', 'Ein Bild des Bildschirms mit Mail, Files aufnehmen'],
  ['capture_screenshot', 'Take a picture of', 'HDMI-1', 'Mail', 'Take a picture of “HDMI-1”, with Mail', 'Ein Bild von „HDMI-1“ mit Mail aufnehmen'],
  ['validate_script', 'Check', 'a script (shell)', null, 'Check a script (shell)', 'Ein Skript prüfen (shell)'],
])('[req:PG-11] a title says it as a person would: %s, %s, %s, %s', (tool, verb, target, app, english, german) => {
  expect(textOf(createHost(null).title(titled(verb, target, app), tool))).toBe(english);
  expect(textOf(createHost(deHost).title(titled(verb, target, app), tool))).toBe(german);
}); // prettier-ignore

test.each([
  ['Click', 'Send', 'Mail', '„Send“ in Mail anklicken', '在 Mail 中点击“Send”'],
  ['Click', null, 'Mail', 'In Mail klicken', '在 Mail 中点击'],
  [
    'Scroll to, then press',
    'Send',
    'Mail',
    'In Mail zu „Send“ scrollen, dann drücken',
    '在 Mail 中滚动到“Send”，然后按下',
  ],
  ['Click', 'Send', null, '„Send“ anklicken', '点击“Send”'],
  [
    'Ctrl+right double-click',
    'Send',
    null,
    '„Send“ bei gedrücktem Ctrl mit rechts doppelt anklicken',
    '按住 Ctrl 右键双击“Send”',
  ],
  ['Type 12 characters into', null, 'Mail', 'In Mail 12 Zeichen eintippen', '在 Mail 中输入 12 个字符'],
  ['Press cmd+S in', null, 'Mail', 'In Mail cmd+S drücken', '在 Mail 中按 cmd+S'],
  [
    'Scroll 3 down and 1 right in',
    'List',
    null,
    '„List“ um 3 nach unten und um 1 nach rechts scrollen',
    '滚动“List”（向下 3 格、向右 1 格）',
  ],
  ['Do “press” on “x” on', 'Send', null, '„press” on “x“ an „Send“ ausführen', '对“Send”执行“press” on “x”'],
  ['Type {n} characters into', 'Send', null, 'Type {n} characters into “Send”', 'Type {n} characters into “Send”'],
  [
    'Something new of',
    'the clipboard',
    'Mail',
    'Something new of “the clipboard” in Mail',
    'Something new of “the clipboard” in Mail',
  ],
])('[req:AP-W-2] a title reads well: %s, %s, %s', (verb, target, app, german, chinese) => {
  const subject = titled(verb, target, app);
  expect(textOf(createHost(deHost).title(subject, 'any'))).toBe(german);
  expect(textOf(createHost(zhHost).title(subject, 'any'))).toBe(chinese);
});

test('[req:AP-W-2] names in a title stay pieces of their own, whatever they say', () => {
  const subject = titled('Click', '{app} Clicked the clipboard', 'Only this time');
  const names = createHost(deHost)
    .title(subject, 'click')
    .filter(({ kind }) => kind === 'name');
  expect(names.map(({ text }) => text)).toEqual(['{app} Clicked the clipboard', 'Only this time']);
});

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
  'WHO.get(where) ?? by': ['You', '`chaperone stop`', 'An agent', 'Chaperone'],
  whom: ['agents', 'this agent'],
  'main/approvals/decide.ts whom': ['Agents are', 'This agent is'],
  ended: ['ran out of time', 'was taken back by the agent'],
  "decision === 'allow' ? 'allowed' : 'denied'": ['allowed', 'denied'],
  what: ['is not valid', 'was left as it is'],
  "missing.map((name) => formatEnglish(NAMES[name])).join(' and ')": [
    'Accessibility',
    'Screen Recording',
    'Accessibility and Screen Recording',
  ],
};

const isSentence = (pieces: readonly string[]) => {
  const text = pieces.join('X');
  return / /.test(text) && /^[A-Z“`]/.test(text) && /[.:]$/.test(text);
};

function plain(all: Source[]): Said[] {
  return sentences(all, { inside: ts.isSourceFile, sentence: isSentence });
}

function stopped(all: Source[]): Said[] {
  const made = (node: ts.Node) => ts.isNewExpression(node) && node.expression.getText() === 'Stopped';
  return sentences(all, { inside: made, sentence: isSentence });
}

function attention(all: Source[]): Said[] {
  const set = (node: ts.Node) => ts.isCallExpression(node) && node.expression.getText() === 'attention.set';
  return sentences(all, { inside: set, sentence: (pieces) => / .*\.$/.test(pieces.join('X')) });
}

/** What is told to the person in so many words, and the book it must be in. */
const SPOKEN: [what: string, book: keyof Omit<HostWords, 'quotes' | 'where'>, said: Said[]][] = [
  ['answers to a page, pauses, refusals', 'said', plain(sources('main/approvals/answer.ts', 'main/approvals/control.ts', 'main/approvals/decide.ts', 'main/approvals/grants.ts', 'main/approvals/index.ts', 'main/approvals/store.ts', 'main/approvals/settled.ts', 'main/chat/answering.ts', 'main/chat/limits.ts', ...PAGE_FILES, 'main/serve/pairing/index.ts', 'main/serve/pairing/codes.ts', 'main/setup', 'main/evidence/execution-index.ts'))],
  ['why a call was stopped', 'said', stopped(sourcesWith('new Stopped(', 'main'))],
  ['what keeps agents from the desktop', 'said', attention(sourcesWith('attention.set(', 'main/host', 'main/agents'))],
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

test('[req:AP-W-2] English quotes what something is called, not what the host calls it', () => {
  const { title } = createHost(null);
  const look = { verb: 'Take a picture of', done: 'Took a picture of', app: 'Mail', place: null };
  expect(textOf(title({ ...look, target: 'the screen' }, 'capture_screenshot'))).toBe('Take a picture of the screen, with Mail');
  expect(textOf(title({ ...look, target: 'the screen', place: 'Inbox' }, 'capture_screenshot'))).toContain('“the screen”');
  expect(textOf(title({ ...look, target: 'the screen' }, 'click'))).toContain('“the screen”');
}); // prettier-ignore

test('[req:AP-W-2] English says no code that is for agents', () => {
  const { said } = createHost(null);
  for (const code of Object.keys(ERRORS)) expect(said(`${code}: Nobody foresaw it.`)).toMatch(/^[A-Z][a-z ]+: Nobody foresaw it\.$/);
}); // prettier-ignore

test('[req:AP-W-2] English tells what the host says in place of a No from what the person said', () => {
  const { refusal } = createHost(null);
  const standing = /^(You|An agent|Chaperone|`chaperone stop`) (paused|stopped) (agents|this agent)|^The policy [(k]|^Approvals failed|is closing|took over the|three requests|policy stricter|person quit/;
  const known = Object.keys(deHost.said).filter((english) => !english.startsWith('Agents') && standing.test(english));
  expect(known.length).toBeGreaterThan(12);
  for (const english of known) expect(refusal(english.replace(/\{\w+\*?\}/g, 'x'))).toBe(english.replace(/\{\w+\*?\}/g, 'x'));
  expect(refusal('Click Save instead.')).toBeNull();
}); // prettier-ignore

describe.each(LANGUAGES)('%s sentences', (_name, words) => {
  test.each(SPOKEN)('[req:AP-W-2] none is missing: %s', (_what, book, said) => {
    const { say } = createPhrasebook(words[book]);
    const shown = said.filter(({ text }) => !NOT_SHOWN.has(text.replace(/^`|`$/g, '')));
    expect(shown.length).toBeGreaterThan(3);
    const left = shown.filter((one) => isMissing(say, one));
    expect(left.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  test('[req:AP-W-2] every kind of failure has words, whatever the agent was told beside it', () => {
    const { said } = createHost(words);
    for (const code of Object.keys(ERRORS)) {
      expect(said(`${code}: Something nobody foresaw.`)).not.toContain(code);
      expect(said(`${code}: Something nobody foresaw.`)).toContain('Something nobody foresaw.');
    }
  });

  test('[req:AP-W-2] what the policy refuses is said with its own names', () => {
    const { said } = createHost(words);
    for (const effect of EFFECTS)
      for (const preset of [...PRESETS, 'custom'])
        expect(said(`The policy (${preset}) refuses ${effect} actions.`)).not.toMatch(new RegExp(`${preset}|${effect}`));
  });

  test('places are those of the English, each once', () => {
    const odd = (['titles', 'said'] as const).flatMap((book) => Object.entries(words[book]).filter(([english, said]) => !samePlaces(book, english, said)));
    expect(odd).toEqual([]);
  });
}); // prettier-ignore

function samePlaces(book: string, english: string, said: string): boolean {
  const names = (phrase: string) => partsOf(phrase).flatMap((part) => (typeof part === 'string' ? [] : [part.name])).sort(); // prettier-ignore
  const own = book === 'titles' ? ['app', 'program', 'target'] : [];
  const without = (all: string[]) => all.filter((name) => !own.includes(name)).join();
  return without(names(english)) === without(names(said)) && new Set(names(said)).size === names(said).length;
}

test('languages have the same phrases', () => {
  const keys = (phrases: Phrases) => Object.keys(phrases).sort();
  for (const book of ['titles', 'said'] as const) expect(keys(zhHost[book])).toEqual(keys(deHost[book]));
});

test('a literal is read as its pieces', () => {
  const source = ts.createSourceFile('x.ts', '`a ${b} c`', ts.ScriptTarget.Latest, true);
  const [statement] = source.statements;
  expect(statement !== undefined && ts.isExpressionStatement(statement) ? piecesOf(statement.expression) : null).toEqual(['a ', 'b', ' c']); // prettier-ignore
});
