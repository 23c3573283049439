/** What an agent wants, as an English title in pieces: the page, notifications and the command line say it the same way. Pure. */
import type { Subject } from './shown.js';

/** Words of the host, a quotation mark, or the name of a target or application. */
export interface TitlePiece {
  kind: 'words' | 'mark' | 'name';
  text: string;
}

type Named = Pick<Subject, 'verb' | 'target' | 'app' | 'place'>;

/** The end of a verb that says nothing without its target. */
const LEADS_ON = / (into|in|on|to|of|over|at)$/;
/** These say what a card shows beside them in full, so that they need no target. */
const STANDS_ALONE: ReadonlySet<string> = new Set(['Run a shell command']);
/** Done to an application itself where there is no other target. */
const TO_APPLICATION: ReadonlySet<string> = new Set([
  ...['Open', 'Opened', 'Quit', 'Force quit', 'Read the controls of', 'Watch the controls of'],
  'Watched the controls of',
]);
/** The target stands between the two. */
const SCROLLS = /^(Scroll(?:ed)? to), then (.+)$/s;
const POINT = /^\(-?\d+(\.\d+)?, -?\d+(\.\d+)?\)$/;
const PATH = /^(.+) to (\(-?\d+(?:\.\d+)?, -?\d+(?:\.\d+)?\))$/su;

/** These name their target in the host's words; the others in an agent's or an application's. */
const OWN: ReadonlySet<string> = new Set([
  'check_replies', 'clear_clipboard', 'cursor_position', 'desktop.doctor', 'desktop.health', 'desktop.observe', 'execute_apple_script',
  'execute_javascript', 'get_application', 'get_clipboard', 'get_clipboard_history', 'get_window', 'get_window_state',
  'list_applications', 'list_displays', 'list_macros', 'list_observations', 'list_sessions', 'list_windows', 'validate_script',
  'write_clipboard',
]); // prettier-ignore
/** These too, unless it is a window or element, which has a place. */
const OWN_WITHOUT_PLACE: ReadonlySet<string> = new Set([
  'capture_element_screenshot', 'capture_region_screenshot', 'capture_screenshot', 'capture_window_screenshot', 'create_observation',
  'find_text', 'stream_observations', 'zoom',
]); // prettier-ignore
/** What the host calls something needs no quotes; any other word may be an agent's. */
const OWN_WORDS =
  /^((the|a part of the) screen(, \d+×\d+ at \(-?\d+, -?\d+\))?|the (window in front|pointer|clipboard|state of a window|titles of windows( as they come and go)?|names of running applications)|what was copied lately|an? (element|window|application)|a script \([A-Za-z ]+\)|applications|displays|windows|sessions|macros|observations|replies|health|permissions)$/;
const OF_SCREEN = /^(the|a part of the) screen/;

/** Whether the target is in the host's own words. */
export function isOwnTarget({ place, target }: Named, tool: string): boolean {
  const own = OWN.has(tool) || (OWN_WITHOUT_PLACE.has(tool) && place === null);
  return own && target !== null && OWN_WORDS.test(target);
}

/** Whose windows show in a part of the screen, rather than the application that it is in. */
export function showsApps(subject: Named, tool: string): boolean {
  if (subject.target === null) return false;
  if (OWN_WITHOUT_PLACE.has(tool) && subject.place === null) return true;
  return isOwnTarget(subject, tool) && OF_SCREEN.test(subject.target);
}

/** Where nothing has a name: global coordinates. */
export const isPoint = (target: string | null): boolean => target !== null && POINT.test(target);

/** From where to where, of a drag; null where the target is no path. */
export function pathOf(target: string | null, tool: string): { from: string; to: string } | null {
  const [, from, to] = (tool === 'drag' ? PATH.exec(target ?? '') : null) ?? [];
  return from === undefined || to === undefined ? null : { from, to };
}

/** What a title says, with what it leaves out as null. */
export const titled = <S extends Named>(subject: S): S =>
  STANDS_ALONE.has(subject.verb) ? { ...subject, target: null } : subject;

/** A verb without the word that leads on to its target. */
export const bareVerb = (verb: string): string => verb.replace(LEADS_ON, '');

/** `lower`: in the middle of a sentence. */
export function englishTitle(subject: Named, tool: string, lower = false): TitlePiece[] {
  const { verb, target, app } = titled(subject);
  const start = (text: string) => words(lower ? text.charAt(0).toLowerCase() + text.slice(1) : text);
  if (target === null && app !== null && TO_APPLICATION.has(verb)) return [start(verb), words(' '), name(app)];
  const before = showsApps(subject, tool) ? ', with ' : ' in ';
  const where = app === null ? [] : [words(before), name(app)];
  if (target === null) return [start(bareVerb(verb)), ...where];
  const path = pathOf(target, tool);
  if (path !== null) return [start(verb), words(' '), ...fromTo(path), ...where];
  if (isPoint(target)) return [start(`${bareVerb(verb)} at `), name(target), ...where];
  const said = isOwnTarget(subject, tool) ? [name(target)] : quoted(target);
  const [, scroll, then] = SCROLLS.exec(verb) ?? [];
  if (scroll !== undefined && then !== undefined)
    return [start(scroll), words(' '), ...said, ...where, words(`, then ${then}`)];
  return [start(verb), words(' '), ...said, ...where];
}

export const textOfTitle = (pieces: readonly TitlePiece[]): string => pieces.map(({ text }) => text).join('');

function fromTo({ from, to }: { from: string; to: string }): TitlePiece[] {
  return [...(isPoint(from) ? [words('from '), name(from)] : quoted(from)), words(' to '), name(to)];
}

const quoted = (text: string): TitlePiece[] => [mark('“'), name(text), mark('”')];
const words = (text: string): TitlePiece => ({ kind: 'words', text });
const mark = (text: string): TitlePiece => ({ kind: 'mark', text });
const name = (text: string): TitlePiece => ({ kind: 'name', text });
