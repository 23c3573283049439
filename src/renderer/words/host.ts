/** What the host composed in English, in the page's language. What agents and applications wrote never comes in here. Pure. */
import type { Subject } from '../../main/protocol/index.js';
import { enRefusals, enSaid } from './en-host.js';
import { createPhrasebook, type Part, type Phrasebook, type Phrases } from './phrasebook.js';

/** A language's sentences for the host's. */
export interface HostWords {
  /** As in the middle of a sentence; `{target}`, `{app}` (with its preposition) and `{program}` (without) stand where they belong. */
  titles: Phrases;
  notes: Phrases;
  grants: Phrases;
  health: Phrases;
  said: Phrases;
  quotes: readonly [open: string, close: string];
  app: readonly [before: string, after: string];
}

/** `past`: it was done, and the verb says so. */
export type Titled = Subject & { past?: boolean };

/** Of a title: words, a quotation mark, or the name of a target or app. */
export interface Piece {
  kind: 'words' | 'mark' | 'name';
  text: string;
}

export interface Host {
  /** `tool`: some tools name their own target in words. `lower`: in the middle of a sentence. */
  title(subject: Titled, tool: string, lower?: boolean): Piece[];
  note(english: string): string;
  grant(english: string): string;
  health(english: string): string;
  said(english: string): string;
  /** null where no sentence of the host's is known for it: then the person said it. */
  refusal(english: string): string | null;
}

/** null: English, as it comes. */
export function createHost(words: HostWords | null): Host {
  const same = (english: string) => english;
  if (words === null) {
    const { say } = createPhrasebook(enSaid);
    const said = (english: string) => say(english) ?? english;
    const refusals = createPhrasebook(Object.fromEntries(enRefusals.map((one) => [one, one])));
    return { title: inEnglish, note: same, grant: same, health: same, said, refusal: refusals.say };
  }
  const from = (phrases: Phrases) => {
    const { say } = createPhrasebook(phrases);
    return (english: string) => say(english) ?? english;
  };
  const titles = createPhrasebook(Object.fromEntries(Object.entries(words.titles).map(([english, said]) => [english.replace('{target}', TARGET), said]))); // prettier-ignore
  const { say } = createPhrasebook(words.said);
  return {
    title: (subject, tool, lower = false) =>
      inWords(subject, tool, titles, words, lower) ?? inEnglish(subject, tool, lower),
    note: from(words.notes),
    grant: from(words.grants),
    health: from(words.health),
    said: (english) => say(english) ?? english,
    refusal: say,
  };
}

/** Stands for the target, so that no verb is taken for more than it is. */
const TARGET = '\uffff';
/** The end of a verb that says nothing without its target. */
const LEADS_ON = / (into|in|on|to)$/;

function inEnglish(subject: Subject, tool: string, lower = false): Piece[] {
  const { verb, target, app } = subject;
  const bare = target !== null && isOwn(subject, tool) && OWN_WORDS.test(target);
  const whole = target === null ? verb.replace(LEADS_ON, '') : verb;
  return [
    words(lower ? whole.charAt(0).toLowerCase() + whole.slice(1) : whole),
    ...(target === null ? [] : [words(' '), ...(bare ? [name(target)] : [mark('“'), name(target), mark('”')])]),
    ...(app === null ? [] : [words(' in '), name(app)]),
  ];
}

/** Before what English says in the past as in the present. */
const DONE = 'done: ';

/** These name their target in the host's words; the others in an agent's or an application's. */
const OWN: ReadonlySet<string> = new Set([
  'check_replies', 'clear_clipboard', 'cursor_position', 'desktop.doctor', 'desktop.health', 'desktop.observe', 'execute_apple_script',
  'execute_javascript', 'execute_shell_command', 'get_application', 'get_clipboard', 'get_clipboard_history', 'get_window',
  'get_window_state', 'list_applications', 'list_displays', 'list_macros', 'list_observations', 'list_sessions', 'list_windows',
  'validate_script', 'write_clipboard',
]); // prettier-ignore
/** These too, unless it is a window or element, which has a place. */
const OWN_WITHOUT_PLACE: ReadonlySet<string> = new Set([
  'capture_element_screenshot', 'capture_region_screenshot', 'capture_screenshot', 'capture_window_screenshot', 'create_observation',
  'find_text', 'stream_observations', 'zoom',
]); // prettier-ignore

function isOwn({ place }: Subject, tool: string): boolean {
  return OWN.has(tool) || (OWN_WITHOUT_PLACE.has(tool) && place === null);
}

/** What the host calls something needs no quotes; any other word may be an agent's. */
const OWN_WORDS =
  /^((the|a part of the) screen(, \d+×\d+ at \(-?\d+, -?\d+\))?|the (window in front|pointer|clipboard|state of a window|titles of windows|names of running applications)|what was copied lately|an? (element|window|application)|applications|displays|windows|sessions|macros|observations|replies|health|permissions)$/;

function inWords(
  subject: Titled,
  tool: string,
  { parts, say }: Phrasebook,
  { quotes, app: around }: HostWords,
  lower: boolean,
): Piece[] | null {
  const { verb, target, app, past = false } = subject;
  const own = isOwn(subject, tool);
  const spellings = [
    ...(own && target !== null ? [`${verb} ${target}`] : []),
    ...(target === null ? [verb.replace(LEADS_ON, ''), verb] : []),
    `${verb} ${TARGET}`,
  ].flatMap((one) => (past ? [`${DONE}${one}`, one] : [one]));
  const found = spellings.reduce<Part[] | null>((known, one) => known ?? parts(one), null);
  if (found === null) return null;
  const named = tool === 'drag' && target !== null ? (say(target) ?? target) : target;
  const apps = own && app !== null ? (say(app) ?? app) : app;
  const [before, after] = around;
  const places: Record<string, readonly Piece[] | undefined> = {
    target: named === null ? [] : [mark(quotes[0]), name(named), mark(quotes[1])],
    app: apps === null ? [] : [words(before), name(apps), words(after)],
    program: apps === null ? [] : [name(apps)],
  };
  const pieces = placed(found, places);
  return lower ? pieces : pieces.map((piece, index) => (index === 0 ? begun(piece) : piece));
}

/** A place that stays empty takes the space after it along. */
function placed(parts: readonly Part[], places: Record<string, readonly Piece[] | undefined>): Piece[] {
  let open = true;
  const pieces = parts.flatMap((part) => {
    const given = typeof part === 'string' ? [words(open ? part.trimStart() : part)] : (places[part.name] ?? []);
    open = typeof part !== 'string' && given.length === 0;
    return given;
  });
  return pieces.filter(({ text }) => text !== '');
}

const begun = (piece: Piece): Piece =>
  piece.kind === 'words' ? { ...piece, text: piece.text.charAt(0).toLocaleUpperCase() + piece.text.slice(1) } : piece;

const words = (text: string): Piece => ({ kind: 'words', text });
const mark = (text: string): Piece => ({ kind: 'mark', text });
const name = (text: string): Piece => ({ kind: 'name', text });

/** A title as plain text. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}
