/** Labels everything in untrusted text that a reader could not see, or would misread. */
import { COUNTED_SPACES, describeMark, hiddenKind, type HiddenKind } from './characters.js';

type RevealedKind = 'text' | 'control' | 'bidi' | 'zero_width' | 'spaces' | 'mixed_script' | 'newline';

export interface RevealedSegment {
  kind: RevealedKind;
  /** The exact characters; all segments joined give the text back. */
  text: string;
  /** Shown instead of the characters (`mixed_script`: beside them); empty for `text`. */
  label: string;
}

const MAX_LABELS_IN_A_RUN = 4;
const MAX_INDENT_SPACES = 24;
const TOKEN = /\r\n|\n|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[\p{L}\p{M}\p{N}_'’]+|[^]/gu;
const SPACE = /^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
const PICTURE_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u;

export function reveal(text: string) {
  const segments: RevealedSegment[] = [];
  for (const match of text.matchAll(TOKEN)) addToken(segments, match[0], text, match.index);
  const labelled = segments.flatMap((segment) => (isHidden(segment.kind) ? labelRun(segment) : [segment]));
  return {
    segments: labelled,
    /** True when the text may be misread. Line breaks, plain indentation and single unusual spaces do not count. */
    marked: labelled.some((segment, index) => isMarked(segment, labelled[index - 1])),
  };
}

function addToken(segments: RevealedSegment[], token: string, text: string, at: number): void {
  if (token === '\n' || token === '\r\n') segments.push({ kind: 'newline', text: token, label: '↵' });
  else if (SPACE.test(token)) addSpaces(segments, token);
  else if (/^[\p{L}\p{M}\p{N}_'’]/u.test(token) && token.length > 1) addWord(segments, token);
  else addCharacter(segments, token, text, at);
}

function addSpaces(segments: RevealedSegment[], run: string): void {
  const odd = [...run].find((one) => one !== ' ');
  if (run.length > COUNTED_SPACES) {
    segments.push({ kind: 'spaces', text: run, label: `${grouped(run.length)} spaces` });
  } else if (odd !== undefined) segments.push({ kind: 'spaces', text: run, label: describeMark(odd) });
  else addText(segments, run);
}

/** A word can hide characters that count as letters (fillers, joiners inside marks), and can mix alphabets that look alike. */
function addWord(segments: RevealedSegment[], word: string): void {
  if ([...word].some((one) => hiddenKind(one) !== null)) {
    let at = 0;
    for (const one of word) {
      addCharacter(segments, one, word, at);
      at += one.length;
    }
    return;
  }
  const scripts = mixedScripts(word);
  if (scripts === null) addText(segments, word);
  else segments.push({ kind: 'mixed_script', text: word, label: scripts });
}

function addCharacter(segments: RevealedSegment[], one: string, text: string, at: number): void {
  const kind = joinsPictures(one, text, at) ? null : hiddenKind(one);
  if (kind === null) return addText(segments, one);
  const last = segments[segments.length - 1];
  if (last?.kind === kind) last.text += one;
  else segments.push({ kind, text: one, label: '' });
}

function addText(segments: RevealedSegment[], text: string): void {
  const last = segments[segments.length - 1];
  if (last?.kind === 'text') last.text += text;
  else segments.push({ kind: 'text', text, label: '' });
}

/** A label for each character, with a count for equal neighbours; one label for a long mixed run. */
function labelRun(run: RevealedSegment): RevealedSegment[] {
  const labelled: RevealedSegment[] = [];
  for (const one of run.text) {
    const last = labelled[labelled.length - 1];
    if (last?.label === describeMark(one)) last.text += one;
    else labelled.push({ kind: run.kind, text: one, label: describeMark(one) });
  }
  if (labelled.length > MAX_LABELS_IN_A_RUN)
    return [{ ...run, label: `${grouped([...run.text].length)} hidden characters` }];
  return labelled.map((segment) => {
    const times = [...segment.text].length;
    return times === 1 ? segment : { ...segment, label: `${segment.label} × ${grouped(times)}` };
  });
}

function isMarked(segment: RevealedSegment, before: RevealedSegment | undefined): boolean {
  if (segment.kind === 'text' || segment.kind === 'newline') return false;
  if (segment.kind !== 'spaces') return true;
  const startsLine = before === undefined || before.kind === 'newline';
  return segment.text.length > (startsLine ? MAX_INDENT_SPACES : COUNTED_SPACES);
}

function isHidden(kind: RevealedKind): kind is HiddenKind {
  return kind === 'control' || kind === 'bidi' || kind === 'zero_width';
}

/** Joiners and variation selectors inside a pictograph are part of it and hide nothing. */
function joinsPictures(one: string, text: string, at: number): boolean {
  if (one !== '\u200d' && one !== '\ufe0f') return false;
  const before = text.slice(Math.max(0, at - 3), at);
  if (one === '\ufe0f') return /[\p{Emoji}]$/u.test(before);
  return PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(text.slice(at + 1, at + 3));
}

function mixedScripts(word: string): string | null {
  if (!/\p{Script=Latin}/u.test(word)) return null;
  const cyrillic = /\p{Script=Cyrillic}/u.test(word);
  const greek = /\p{Script=Greek}/u.test(word);
  if (cyrillic && greek) return 'Latin, Cyrillic and Greek letters';
  if (cyrillic) return 'Latin and Cyrillic letters';
  return greek ? 'Latin and Greek letters' : null;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

// Untrusted text for places without markup (labels, announcements, notifications): hidden characters get labels, long text is cut.

export const MAX_AGENT_NAME_LENGTH = 40;

export function toPlainText(text: string, most: number = MAX_AGENT_NAME_LENGTH): string {
  const letters = [...reveal(text).segments.map(segmentText).join('').replaceAll('\n', ' ')];
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most).join('')}…`;
}

export function segmentText(segment: RevealedSegment): string {
  if (segment.kind === 'text') return segment.text;
  if (segment.kind === 'newline') return '\n';
  return segment.kind === 'mixed_script' ? `${segment.text}⟦${segment.label}⟧` : `⟦${segment.label}⟧`;
}

/** Every string in a JSON value, keys included. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
