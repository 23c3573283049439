/** Finds the sentence of another language for one the host composed in English. Pure; each sentence is looked at once, from left to right. */

/**
 * English sentences, with places for what varies, and how the language says them. `{name}` is anything, and stays as it is;
 * `{name#}` a number; `{name*}` a phrase of the same book, or stays as it is.
 */
export type Phrases = Readonly<Record<string, string>>;

interface Place {
  name: string;
  kind: 'text' | 'number' | 'phrase';
}
export type Part = string | Place;

export interface Phrasebook {
  /** null where nothing in it fits. */
  say(english: string): string | null;
  /** The same with the places nobody filled. */
  parts(english: string): Part[] | null;
}

interface Phrase {
  english: Part[];
  said: Part[];
  /** How many characters of the English are fixed. */
  fixed: number;
}

const PLACE = /(\{\w+[#*]?\})/;
const NUMBER = /^-?\d[\d.,]*$/;
/** A failure in a step of a plan is told in so many. */
const DEEPEST = 6;

export function createPhrasebook(phrases: Phrases): Phrasebook {
  const all = Object.entries(phrases).map(([english, said]) => phraseOf(partsOf(english), partsOf(said)));
  const whole = new Map(all.filter(({ english }) => !english.some(isPlace)).map((one) => [one.english.join(''), one]));
  const open = all.filter(({ english }) => english.some(isPlace)).sort((one, other) => other.fixed - one.fixed);

  function find(text: string, depth: number): Part[] | null {
    if (depth > DEEPEST) return null;
    const exact = whole.get(text);
    if (exact !== undefined) return exact.said;
    for (const { english, said } of open) {
      const given = fit(english, text);
      if (given !== null) return joined(said.map((part) => filled(part, given, depth)));
    }
    return null;
  }

  function filled(part: Part, given: Given, depth: number): Part {
    const found = typeof part === 'string' ? undefined : given.get(part.name);
    if (found === undefined) return part;
    return found.kind === 'phrase' ? (textOf(find(found.value, depth + 1)) ?? found.value) : found.value;
  }

  const parts = (english: string) => find(english, 0);
  return { parts, say: (english) => textOf(parts(english)) };
}

type Given = ReadonlyMap<string, { kind: Place['kind']; value: string }>;

/** The whole text or nothing. Of several ways to cut it, the one with the shortest values first. */
function fit(parts: readonly Part[], text: string): Given | null {
  const given = new Map<string, { kind: Place['kind']; value: string }>();
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      if (!text.startsWith(part, at)) return null;
      at += part.length;
      continue;
    }
    const next = parts[index + 1] ?? '';
    if (typeof next !== 'string') throw new Error('two places with nothing between them');
    const end = index + 2 < parts.length ? text.indexOf(next, at + 1) : text.length - next.length;
    if (end <= at) return null;
    const value = text.slice(at, end);
    if (part.kind === 'number' && !NUMBER.test(value)) return null;
    given.set(part.name, { kind: part.kind, value });
    at = end;
  }
  return at === text.length ? given : null;
}

const isPlace = (part: Part): part is Place => typeof part !== 'string';

function phraseOf(english: Part[], said: Part[]): Phrase {
  const fixed = english.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  return { english, said, fixed };
}

/** `Type {n#} characters` as its pieces. */
export function partsOf(phrase: string): Part[] {
  return phrase
    .split(PLACE)
    .filter((piece) => piece !== '')
    .map((piece) => (PLACE.test(piece) ? placeOf(piece) : piece));
}

function placeOf(piece: string): Place {
  const kind = piece.endsWith('#}') ? 'number' : piece.endsWith('*}') ? 'phrase' : 'text';
  return { name: piece.replace(/\W/g, ''), kind };
}

/** Neighbouring words as one piece. */
function joined(parts: readonly Part[]): Part[] {
  return parts.reduce<Part[]>((all, part) => {
    const last = all.at(-1);
    return typeof part === 'string' && typeof last === 'string' ? [...all.slice(0, -1), last + part] : [...all, part];
  }, []);
}

/** null where a place was left open: that is no sentence. */
function textOf(parts: readonly Part[] | null): string | null {
  return parts === null || parts.some(isPlace) ? null : parts.join('');
}
