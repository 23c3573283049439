/** A person who has given every grant that a request offers, and what an agent is asked about all the same. */
import { settle, type Person } from './person.js';
import type { Card, Effect } from '../../src/main/protocol/index.js';

/** The call's answer, and the requests that it took. Each is allowed for as long as it can be, short of “always”. */
export async function allowingAll<T>(person: Person, call: () => Promise<T>): Promise<{ answer: T; cards: Card[] }> {
  const cards: Card[] = [];
  const answer = call();
  let ended = false;
  const end = answer.finally(() => (ended = true)).catch(() => undefined);
  while (!ended) {
    const card = newCard(person, cards);
    if (card === null) {
      await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 20))]);
      continue;
    }
    cards.push(card);
    const kinds = card.grants.map(({ kind }) => kind);
    await settle(person, card, 'allow', { grant: kinds.includes('session') ? 'session' : 'once' });
  }
  return { answer: await answer, cards };
}

/** Ids of cards that were answered, or ended otherwise. */
const closedIn = (person: Person): ReadonlySet<string> =>
  new Set(person.seen.flatMap((one) => (one.type === 'approvalResolved' ? [one.id] : [])));

function newCard(person: Person, known: readonly Card[]): Card | null {
  const closed = closedIn(person);
  const open = person.seen.flatMap((one) => (one.type === 'approvalRequested' ? [one.approval] : []));
  return open.findLast(({ id }) => !closed.has(id) && !known.some((one) => one.id === id)) ?? null;
}

/** The request that the call comes to; the call is then stopped, and agents may go on. Seeing is allowed, unless it is what must be asked for. Rejects where it is done without one. */
export async function mustAsk(
  person: Person,
  call: () => Promise<unknown>,
  effects: readonly Effect[] = ['input', 'dangerous'],
): Promise<Card> {
  let done: unknown = null;
  const keep = (answer: unknown) => (done = answer);
  const ended = call().then(keep, keep);
  for (;;) {
    const card = newCard(person, []);
    if (card === null && done !== null) throw new Error(`done without asking: ${JSON.stringify(done)}`);
    if (card === null) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))]);
    else if (!effects.includes(card.effect)) await settle(person, card, 'allow');
    else {
      person.send({ type: 'pause', on: true });
      await ended;
      person.send({ type: 'pause', on: false });
      await person.next('status', ({ status }) => status.paused === null);
      return card;
    }
  }
}
