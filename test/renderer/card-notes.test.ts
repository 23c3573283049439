import { expect, test } from 'vitest';
import { english } from '../../src/messages/english.js';
import { formatEnglish, isCode, message, verbatim, type Code, type Message } from '../../src/messages/index.js';
import { splitNotes } from '../../src/renderer/features/requests/CardExact.js';

const FILLED = { agent: 'A', allowed: 'other', scope: 'other', purpose: 'P', count: 2, app: 'B', applications: 'I', day: '1', end: 'C', file: '/f', folder: '/d', length: 3, pid: 4, place: 'P', program: '/e', seconds: 5, text: 'T', title: 'F', what: 'g', why: 'no window.', label: 'K', name: 'L', files: 'M', kind: 'save', apps: 'N', width: 1, height: 2, window: 'H', x: 1, y: 2, word: 'W', command: '/c' }; // prettier-ignore
const all: Message[] = Object.keys(english).flatMap((code) => (isNote(code) ? [{ code, params: FILLED }] : []));

function isNote(code: string): code is Code {
  return isCode(code) && code.startsWith('note.') && !/link_asked_by|opened_by|opener_unknown|window_shows/.test(code);
}

const sentences = (notes: readonly Message[]) =>
  notes
    .map(formatEnglish)
    .join(' ')
    .split(/(?<=[.:]) (?=[A-Z])/).length;

test('[req:PG-18] at most two sentences stand under a card, whichever notes it has, and none is lost', () => {
  expect(all.length).toBeGreaterThan(30);
  for (let first = 0; first < all.length; first += 1)
    for (let count = 1; count <= 6; count += 1) {
      const notes = [...all, ...all].slice(first, first + count);
      const { shown, others } = splitNotes(notes);
      expect(shown.length).toBeGreaterThan(0);
      expect(sentences(shown), shown.map(formatEnglish).join(' ')).toBeLessThanOrEqual(2);
      expect(new Set([...shown, ...others])).toEqual(new Set(notes));
    }
});

test('[req:PG-18] consequences, what covers the target, and all facts stay in sight', () => {
  const [grave, covered, to] = [message('note.has_consequences'), message('note.covered_by', { window: 'W' }), verbatim('“To”: “bob”')];
  const minor = [message('note.replaces'), message('note.scrolls_first'), message('note.so_already')];
  expect(splitNotes([grave, to, ...minor, covered])).toEqual({ shown: [grave, to, covered], others: minor });
}); // prettier-ignore

test('that a person is said to have pressed Start stays in sight beside what the application runs', () => {
  const [entry, outside, pressed] = [message('note.app_entry', { file: '/f' }), message('note.outside_sandbox'), message('note.started_on_page')];
  expect(splitNotes([entry, outside, pressed])).toEqual({ shown: [outside, pressed], others: [entry] });
}); // prettier-ignore
