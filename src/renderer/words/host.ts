/** What the host composed in English, in the page's language. What agents and applications wrote never comes in here. Pure. */
import type { Subject, TitlePiece } from '../../main/protocol/index.js';
import { bareVerb, englishTitle, isOwnTarget, isPoint, pathOf, showsApps, textOfTitle, titled } from '../../main/protocol/titles.js'; // prettier-ignore
import { enRefusals, enSaid } from './en-host.js';
import { createPhrasebook, partsOf, type Part, type Phrasebook, type Phrases } from './phrasebook.js';

/** A language's sentences for the host's. */
export interface HostWords {
  /** As in the middle of a sentence; `{target}`, `{app}` (with its preposition) and `{program}` (without) stand where they belong. */
  titles: Phrases;
  said: Phrases;
  quotes: readonly [open: string, close: string];
  where: Where;
}

/** Where something is done, with places for `{app}`, `{point}`, and for where a drag goes `{from}` and `{to}`. */
interface Where {
  app: string;
  point: string;
  pointInApp: string;
  /** Whose windows are in a picture. */
  shows: string;
  path: string;
  /** `{from}` is a name. */
  pathOf: string;
}

/** `past`: it was done, and the verb says so. */
export type Titled = Subject & { past?: boolean };

type Piece = TitlePiece;

export interface Host {
  /** `tool`: some tools name their own target in words. `lower`: in the middle of a sentence. */
  title(subject: Titled, tool: string, lower?: boolean): Piece[];
  said(english: string): string;
  /** null where no sentence of the host's is known for it: then the person said it. */
  refusal(english: string): string | null;
}

/** null: English, as it comes. */
export function createHost(words: HostWords | null): Host {
  if (words === null) {
    const { say } = createPhrasebook(enSaid);
    const said = (english: string) => say(english) ?? english;
    const refusals = createPhrasebook(Object.fromEntries(enRefusals.map((one) => [one, one])));
    return { title: englishTitle, said, refusal: refusals.say };
  }
  const titles = createPhrasebook(Object.fromEntries(Object.entries(words.titles).map(([english, said]) => [english.replace('{target}', TARGET), said]))); // prettier-ignore
  const { say: sayEnded } = createPhrasebook(words.said);
  const { say } = titles;
  return {
    title: (subject, tool, lower = false) =>
      inWords(subject, tool, titles, words, lower, say) ?? englishTitle(subject, tool, lower),
    said: (english) => sayEnded(english) ?? english,
    refusal: sayEnded,
  };
}

/** Stands for the target, so that no verb is taken for more than it is. */
const TARGET = '\uffff';
/** Before what English says in the past as in the present. */
const DONE = 'done: ';

function inWords(
  subject: Titled,
  tool: string,
  { parts }: Phrasebook,
  language: HostWords,
  lower: boolean,
  say: Phrasebook['say'],
): Piece[] | null {
  const { verb, target, app, past = false } = titled(subject);
  const own = isOwnTarget(subject, tool);
  const point = isPoint(target) ? target : null;
  const spellings = [
    ...(own && target !== null ? [`${verb} ${target}`] : []),
    ...(target === null || point !== null ? [bareVerb(verb), verb] : []),
    `${verb} ${TARGET}`,
  ].flatMap((one) => (past ? [`${DONE}${one}`, one] : [one]));
  const found = spellings.reduce<Part[] | null>((known, one) => known ?? parts(one), null);
  if (found === null) return null;
  const shows = showsApps(subject, tool);
  const apps = shows && app !== null ? (say(app) ?? app) : app;
  const places: Places = {
    target: point === null && target !== null ? targetIn(language, target, tool) : [],
    app: whereIn(language, apps, point, shows),
    program: apps === null ? [] : [name(apps)],
  };
  const pieces = placed(found, places);
  return lower ? pieces : pieces.map((piece, index) => (index === 0 ? begun(piece) : piece));
}

type Places = Record<string, readonly Piece[] | undefined>;

/** Quoted, and of a drag also where it ends. */
function targetIn({ quotes, where }: HostWords, target: string, tool: string): Piece[] {
  const quoted = (text: string) => [mark(quotes[0]), name(text), mark(quotes[1])];
  const path = pathOf(target, tool);
  if (path === null) return quoted(target);
  const { from, to } = path;
  return isPoint(from)
    ? placed(partsOf(where.path), { from: [name(from)], to: [name(to)] })
    : placed(partsOf(where.pathOf), { from: quoted(from), to: [name(to)] });
}

function whereIn({ where }: HostWords, app: string | null, point: string | null, shows: boolean): Piece[] {
  const given = { app: app === null ? [] : [name(app)], point: point === null ? [] : [name(point)] };
  if (app !== null && point !== null) return placed(partsOf(where.pointInApp), given);
  if (point !== null) return placed(partsOf(where.point), given);
  return app === null ? [] : placed(partsOf(shows ? where.shows : where.app), given);
}

/** A place that stays empty takes the space after it along. */
function placed(parts: readonly Part[], places: Places): Piece[] {
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
export const textOf = textOfTitle;
