import { once } from 'node:events';
import { webcrypto } from 'node:crypto';
import { WebSocket } from 'ws';
import { formatEnglish } from '../../src/messages/index.js';
import { signedText, toPageSchema, type Card, type FromPage, type ToPage } from '../../src/main/protocol/index.js';

type OfType<T extends ToPage['type']> = Extract<ToPage, { type: T }>;

/** Less than a test may take, so that the test says what it waited for. */
const LONGEST_WAIT_MS = 50_000;

export interface Person {
  seen: ToPage[];
  send(message: FromPage | Record<string, unknown>): void;
  /**
   * The next message of the type that fits, or one already seen and not yet taken. Of those that tell a whole state, only the newest
   * counts, and those that follow: an older one says nothing of now.
   */
  next<T extends ToPage['type']>(type: T, fits?: (message: OfType<T>) => boolean): Promise<OfType<T>>;
  /** The next message, of whatever type, that fits; `waitMs` null waits as long as the page is open. */
  match(fits: (message: ToPage) => boolean, waitMs?: number | null): Promise<ToPage>;
  /** Waits for a card, then answers it as a page would. */
  answer(
    decision: 'allow' | 'deny',
    more?: { grant?: 'once' | 'time' | 'session' | 'always'; message?: string },
  ): Promise<Card>;
  /** From now on whatever only discloses is allowed as it comes; `answer` then waits for acts only. */
  allowLooking(): void;
  reply(text: string): Promise<void>;
  /** Reads nothing until the result is called. */
  stall(): () => void;
  /** Resolves when the connection has ended. */
  ended: Promise<void>;
  close(): void;
}

/** Messages that tell how everything is now. */
const STATES: ReadonlySet<ToPage['type']> = new Set(['status', 'gabpApps']);

/** A page without a browser: it connects, pairs with a link where one is given, and answers. */
export async function openPage(url: string, link?: string, headers: Record<string, string> = {}): Promise<Person> {
  const host = new URL(url).host;
  const socket = new WebSocket(`ws://${host}/ws`, { headers: { origin: `http://${host}`, ...headers } });
  const seen: ToPage[] = [];
  const taken = new Set<ToPage>();
  const waiters = new Set<() => void>();
  let looking = false;
  socket.on('message', (data) => {
    seen.push(toPageSchema.parse(JSON.parse(String(data))));
    for (const waiter of [...waiters]) waiter();
  });
  socket.setMaxListeners(0);
  await once(socket, 'open');

  const person: Person = {
    seen,
    send: (message) => socket.send(JSON.stringify(message)),
    match(fits, waitMs = LONGEST_WAIT_MS) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = seen.find((one) => !taken.has(one) && fits(one));
          if (found === undefined) return;
          if (!STATES.has(found.type)) taken.add(found);
          waiters.delete(look);
          clearTimeout(deadline);
          resolve(found);
        };
        const giveUp = () => {
          waiters.delete(look);
          reject(new Error(`waited for ${String(fits)}; seen: ${seen.map(({ type }) => type).join(', ')}`));
        };
        const deadline = waitMs === null ? undefined : setTimeout(giveUp, waitMs).unref();
        waiters.add(look);
        socket.once('close', () => reject(new Error('the page was closed while waiting')));
        look();
      });
    },
    async next<T extends ToPage['type']>(type: T, fits: (message: OfType<T>) => boolean = () => true) {
      const isIt = (one: ToPage): one is OfType<T> => one.type === type;
      const isStale = (one: ToPage) => STATES.has(type) && one !== seen.findLast(isIt);
      const found = await person.match((one) => isIt(one) && !isStale(one) && fits(one));
      if (!isIt(found)) throw new Error('unreachable');
      return found;
    },
    async answer(decision, more = {}) {
      const { approval } = await person.next(
        'approvalRequested',
        (one) => !looking || one.approval.effect !== 'disclose',
      );
      await settle(person, approval, decision, more);
      return approval;
    },
    allowLooking() {
      looking = true;
      const next = async () => {
        for (;;) {
          const card = await person.match(
            (one) => one.type === 'approvalRequested' && one.approval.effect === 'disclose',
            null,
          );
          if (card.type === 'approvalRequested') await settle(person, card.approval, 'allow', {});
        }
      };
      next().catch(() => undefined);
    },
    async reply(text) {
      const question = await person.next('agentMessage');
      person.send({ type: 'ack', id: question.ack_id, message: text });
    },
    stall() {
      socket.pause();
      return () => socket.resume();
    },
    ended: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => socket.close(),
  };
  const hello = await person.next('connected');
  if (link !== undefined) await pair(person, link, host, hello.nonce);
  return person;
}

/** A press on a button, as a page tells of it. */
export function press(
  person: Person,
  { id, digest }: Pick<Card, 'id' | 'digest'>,
  decision: 'allow' | 'deny',
  more: object = {},
): void {
  if (decision === 'allow') person.send({ type: 'press', id, digest });
  person.send({ type: 'approval', id, digest, decision, ...more });
}

/** Whether a card asks for more than looking. */
export const isAct = ({ approval }: { approval: Card }): boolean => approval.effect !== 'disclose';

/** The card of a call that asks for more than looking. Rejects where the call ends without one. */
export async function cardOf(person: Person, call: Promise<{ text: string }>): Promise<Card> {
  const next = person.next('approvalRequested', isAct);
  const unasked = call.then(({ text }) => Promise.reject(new Error(`done without a card: ${text}`)));
  return (await Promise.race([next, unasked])).approval;
}

/** A fresh card takes no answer for half a second: pressed again until it counts, as a person would. Returns why it did not at first. */
export async function settle(
  person: Person,
  card: Pick<Card, 'id' | 'digest'>,
  decision: 'allow' | 'deny',
  more: object = {},
): Promise<string[]> {
  const refusals: string[] = [];
  for (;;) {
    press(person, card, decision, more);
    const told = await person.match(
      (one) =>
        (one.type === 'approvalResolved' && one.id === card.id) || (one.type === 'error' && one.about === card.id),
    );
    if (told.type !== 'error') return refusals;
    if (told.code !== 'too_soon' && told.code !== 'press_again')
      throw new Error(`${told.code}: ${formatEnglish(told.message)}`);
    refusals.push(told.code);
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
}

async function pair(person: Person, link: string, host: string, nonce: string): Promise<void> {
  const code = new URL(link).hash.replace('#pair=', '');
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const { x, y } = await webcrypto.subtle.exportKey('jwk', keys.publicKey);
  person.send({ type: 'pair', code, publicKey: { kty: 'EC', crv: 'P-256', x, y } });
  const answer = await person.match((one) => one.type === 'paired' || one.type === 'error');
  if (answer.type === 'error') throw new Error(`${answer.code}: ${formatEnglish(answer.message)}`);
  if (answer.type !== 'paired') return;
  const origin = `http://${host}`;
  const latest = person.seen.findLast((one): one is OfType<'connected'> => one.type === 'connected');
  if (latest?.role === 'paired') return;
  const signed = await webcrypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    keys.privateKey,
    new TextEncoder().encode(signedText(origin, host, latest?.nonce ?? nonce)),
  );
  person.send({ type: 'authenticate', keyId: answer.keyId, signature: Buffer.from(signed).toString('base64url') });
  await person.next('connected', (one) => one.role === 'paired');
}
