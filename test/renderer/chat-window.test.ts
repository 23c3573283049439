import { expect, test } from 'vitest';
import type { ChatEvent, ToPage } from '../../src/main/protocol/index.js';
import { reduce } from '../../src/renderer/state/store.js';
import { turns } from '../../src/renderer/state/select.js';
import { initialState, type PageState } from '../../src/renderer/state/state.js';
import { AT_ONCE, GREETING, longChat, partBefore } from '../support/long-chat.js';
import { NOTHING } from '../support/page-host.js';
import { answer, question } from '../support/page-samples.js';

const COUNT = 30_000;
const ALL = longChat(COUNT);
/** Two parts, each with what may be added before it is cut. */
const MOST = 3_000 + 2 * 1_000 + AT_ONCE;

type Greeting = Partial<Extract<ToPage, { type: 'connected' }>>;

const take = (state: PageState, message: ToPage): PageState => reduce(state, { type: 'host', message });
const greet = (state: PageState, over: Greeting): PageState =>
  take(state, { type: 'connected', ...NOTHING, role: 'paired', nonce: 'n', ...over });
const newest = (over: Greeting = {}): Greeting => ({
  history: ALL.slice(-GREETING),
  cursor: COUNT,
  since: COUNT - GREETING,
  ...over,
});
const seqs = (state: PageState): number[] => state.chat.map(({ seq }) => seq);

interface Way {
  all?: ChatEvent[];
  look?(state: PageState): void;
}

function back(state: PageState, to: number, { all = ALL, look = () => undefined }: Way = {}): PageState {
  let now = state;
  while (now.since >= to) {
    const before = now.since + 1;
    now = reduce(now, { type: 'earlierLoaded', before, ...partBefore(all, before) });
    look(now);
  }
  return now;
}

function forth(state: PageState): PageState {
  const { gap } = state;
  if (gap === null) throw new Error('there is no gap');
  const upTo = Math.min(gap.after + AT_ONCE, gap.upTo);
  return reduce(state, { type: 'laterLoaded', after: gap.after, events: ALL.slice(gap.after, upTo), upTo });
}

/** What was said in the window, and no more, each once and in order. */
function expectWhole({ chat, since, gap, cursor }: PageState): void {
  const isKept = ({ seq }: ChatEvent) => seq > since && seq <= cursor && !(gap && seq > gap.after && seq <= gap.upTo);
  expect(chat.map(({ seq }) => seq)).toEqual(ALL.filter(isKept).map(({ seq }) => seq));
  expect(chat.length).toBeLessThanOrEqual(MOST);
}

test('[req:AP-R-11] however far back the page goes, it keeps what is read there and the newest part', () => {
  const far = back(greet(initialState, newest()), 1, { look: expectWhole });
  expect(far.since).toBe(0);
  expect(seqs(far)[0]).toBe(1);
  expect(seqs(far).at(-1)).toBe(COUNT);
  expect(far.gap?.upTo).toBeGreaterThan(COUNT - 2 * GREETING);
});

test('[req:AP-R-11] the way forward comes to every message again, and drops the oldest', () => {
  let state = back(greet(initialState, newest()), 1);
  const seen = new Set(seqs(state));
  while (state.gap !== null) {
    state = forth(state);
    expectWhole(state);
    for (const seq of seqs(state)) seen.add(seq);
  }
  expect(seen.size).toBe(COUNT);
  expect(state.since).toBeGreaterThan(0);
});

test('an answer that is no longer wanted changes nothing', () => {
  const far = back(greet(initialState, newest()), 10_000);
  const { since, gap } = far;
  const near = reduce(far, { type: 'gapClosed' });
  expect(near).toMatchObject({ since: gap?.upTo, gap: null });
  expectWhole(near);
  expect(reduce(near, { type: 'earlierLoaded', before: since + 1, ...partBefore(ALL, since + 1) })).toBe(near);
  expect(reduce(near, { type: 'laterLoaded', after: gap?.after ?? 0, events: [], upTo: COUNT })).toBe(near);
  expect(reduce(far, { type: 'laterLoaded', after: since, events: [], upTo: COUNT })).toBe(far);
});

test('new messages go to the newest part, which is bounded too', () => {
  let state = back(greet(initialState, newest()), 10_000);
  const read = { since: state.since, after: state.gap?.after };
  for (let seq = COUNT + 1; seq <= COUNT + 5_000; seq += 2) {
    const asked = question(seq, 'New');
    state = take(take(state, asked), answer(seq + 1, asked, 'Told'));
  }
  expect({ since: state.since, after: state.gap?.after }).toEqual(read);
  expect(state.chat.length).toBeLessThanOrEqual(MOST);
  expect(state.cursor).toBe(COUNT + 5_000);
  expect(seqs(state).at(-1)).toBe(COUNT + 5_000);
});

test('a page that is left open keeps the newest', () => {
  let state = greet(initialState, newest());
  for (let seq = COUNT + 1; seq <= COUNT + 20_000; seq += 1) state = take(state, answer(seq, question(1, ''), 'Told'));
  expect(state.gap).toBeNull();
  expect(state.chat.length).toBeLessThanOrEqual(MOST);
  expect(seqs(state)).toEqual(Array.from({ length: state.chat.length }, (_, index) => state.since + 1 + index));
  expect(state.cursor).toBe(COUNT + 20_000);
});

test('open questions stay wherever they were asked; the gap holds nothing else', () => {
  const asked = [2_000, 15_000].map((seq) => question(seq, `Asked ${seq}`));
  const pendingAckIds = asked.map(({ ack_id }) => ack_id);
  const all = ALL.map((event) => asked.find(({ seq }) => seq === event.seq) ?? event);
  const history = [...asked, ...all.slice(-GREETING)];
  const far = back(greet(initialState, newest({ history, pendingAckIds })), 5_000, { all });
  expect(far.gap).toMatchObject({ after: expect.any(Number) });
  expect(seqs(far)).toEqual(expect.arrayContaining([2_000, 15_000]));
  const answered = take(far, answer(COUNT + 1, question(15_000, '', { ack_id: pendingAckIds[1] }), 'Yes'));
  expect(answered.pending).toEqual(pendingAckIds.slice(0, 1));
  expect(answered.chat.at(-1)).toMatchObject({ text: 'Yes' });
});

test('what became of a message is still known when it was said in the gap; otherwise nothing is said of it', () => {
  const asked = question(3_000, 'Which?');
  const replied = answer(3_001, asked, 'That one');
  const delivered = { type: 'delivered' as const, ack_id: asked.ack_id, seq: 29_500, at: replied.at };
  const all = ALL.map((event) => [asked, replied, delivered].find(({ seq }) => seq === event.seq) ?? event);
  const history = all.slice(-GREETING);
  const far = back(greet(initialState, newest({ history })), 3_000, { all });
  const reply = (state: PageState) => turns(state.chat, [], state.gap).find(({ message }) => message.seq === 3_001);
  expect(reply(far)).toMatchObject({ deliveredAt: delivered.at, isUnknown: false });
  const silent = all.map((event) => (event === delivered ? answer(29_500, question(1, ''), 'Else') : event));
  const other = back(greet(initialState, newest({ history: silent.slice(-GREETING) })), 3_000, { all: silent });
  expect(reply(other)).toMatchObject({ deliveredAt: null, isUnknown: true });
});

test('after a lost connection the page is where it was, also where it missed more than it is told', () => {
  const far = back(greet(initialState, newest()), 10_000);
  const same = greet(far, newest());
  expect(same).toMatchObject({ since: far.since, gap: far.gap });
  expectWhole(same);
  const since = COUNT + 500;
  const history = Array.from({ length: 10 }, (_, index) => answer(since + 1 + index, question(1, ''), 'Told'));
  const missed = greet(far, { history, cursor: since + 10, since });
  expect(missed).toMatchObject({ since: far.since, gap: { after: far.gap?.after, upTo: since } });
  expect(seqs(missed).filter((seq) => seq > (far.gap?.after ?? 0))).toEqual(history.map(({ seq }) => seq));
  expect(greet(far, { history: [], cursor: 0 })).toMatchObject({ chat: [], since: 0, gap: null });
});

test('long messages and pictures count for more', () => {
  const text = 'x'.repeat(100_000);
  const all = Array.from({ length: COUNT }, (_, index) => question(index + 1, index % 2 === 0 ? text : 'short'));
  let state = greet(initialState, newest({ history: all.slice(-100), since: COUNT - 100 }));
  while (state.since > COUNT - 3_000) {
    const [before, since] = [state.since + 1, Math.max(0, state.since - 10)];
    state = reduce(state, { type: 'earlierLoaded', before, events: all.slice(since, before - 1), since });
    const characters = state.chat.reduce((sum, event) => sum + ('text' in event ? event.text.length : 0), 0);
    expect(characters).toBeLessThan(MOST * 5_000);
  }
  expect(state.gap).not.toBeNull();
});
