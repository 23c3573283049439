/** The notes shown on a card: all facts, and the two most important sentences. The others are in the exact request. Pure. */
import type { Code, Message } from '../../../messages/index.js';

const MAX_SENTENCES = 2;
/** What the act is about, or who is behind it: no sentences of advice. */
const FACTS: ReadonlySet<Code> = new Set<Code>([
  'verbatim',
  'note.window_shows',
  'note.link_asked_by',
  'note.opened_by',
  'note.opener_unknown',
]);
const TWO_SENTENCES: ReadonlySet<Code> = new Set<Code>([
  'note.paired_page_can',
  'note.ends_application',
  'note.button_stays_down',
  'note.agent_learns',
  'note.never_told',
]);
/** In order of importance, before all others. */
const FIRST: readonly Code[] = [
  ...([
    'note.own_files',
    'note.has_consequences',
    'note.address_says',
    'note.asked_anyway',
    'note.paired_page_can',
    'note.ends_application',
    'note.no_name',
    'note.app_silent',
    'note.not_whole',
    'note.no_amount',
    'note.no_content',
    'note.field_unreadable',
    'note.not_a_control',
    'note.unknown_name',
    'note.started_on_page',
  ] as const),
  ...(['note.covered_by', 'note.covered_by_popup', 'note.still_held', 'note.outside_sandbox'] as const),
  ...(['note.drags_to', 'note.drags_to_desktop', 'note.ends_over', 'note.ends_over_desktop'] as const),
  ...(['note.goes_to_focus', 'note.goes_to_point', 'note.read_from_picture', 'note.replaces', 'note.empties'] as const),
];

export function splitNotes(notes: readonly Message[]) {
  const rank = ({ code }: Message) => (FIRST.includes(code) ? FIRST.indexOf(code) : FIRST.length);
  const sentences = notes.filter(({ code }) => !FACTS.has(code)).toSorted((one, other) => rank(one) - rank(other));
  const chosen = new Set<Message>();
  let room = MAX_SENTENCES;
  for (const note of sentences) {
    room -= TWO_SENTENCES.has(note.code) ? 2 : 1;
    if (room < 0) break;
    chosen.add(note);
  }
  const isShown = (note: Message) => FACTS.has(note.code) || chosen.has(note);
  return { shown: notes.filter(isShown), others: notes.filter((note) => !isShown(note)) };
}
