/** Reads a message from a page, checks its role before and after every wait, and sends the answer or the refusal. */
import { message } from '../../../messages/index.js';
import type { Logger } from 'pino';
import { fromPageSchema } from '../../protocol/index.js';
import { Refused } from '../../protocol/json.js';
import type { Definition, MessageOf, PageRefusal, RequiredRole, MessageType } from './definition.js';
import type { Page } from './page.js';
import { PAGE_MESSAGES, type MessageDependencies } from './table.js';

export interface DispatchOptions {
  dependencies: MessageDependencies;
  log: Logger;
}

const NEEDS_PAIRING: PageRefusal = {
  ok: false,
  code: 'pairing_needed',
  message: message('refused.pairing_needed'),
};
const TOO_MANY: PageRefusal = {
  ok: false,
  code: 'too_many',
  message: message('refused.too_many_questions'),
};
const FAILED: PageRefusal = {
  ok: false,
  code: 'failed',
  message: message('refused.failed'),
};
const FLOOD: PageRefusal = { ok: false, code: 'too_many', message: message('refused.too_many_messages'), strike: true };
const MALFORMED: PageRefusal = {
  ok: false,
  code: 'malformed',
  message: message('refused.malformed'),
  strike: true,
};

/** Returns the function that takes every message of a page. It never rejects. */
export function createDispatch(options: DispatchOptions): (page: Page, received: unknown) => Promise<void> {
  const { dependencies, log } = options;

  async function run<T extends MessageType>(page: Page, message: MessageOf[T] & { type: T }): Promise<void> {
    const { role, handler }: Definition<T, MessageDependencies> = PAGE_MESSAGES[message.type];
    const needed = typeof role === 'function' ? role(message) : role;
    const signal = needed === 'paired' ? page.identity() : page.gone;
    const about = subjectOf(message);
    const has = () => !signal.aborted && holds(page, needed);
    function check() {
      if (!has()) throw new Error(`a page lost its role during ${message.type}`);
    }

    if (!has()) return refuse(page, NEEDS_PAIRING, about);
    if ('request' in message && !page.budgets.questions.take()) return refuse(page, TOO_MANY, about);
    try {
      const context = { ...guarded(dependencies, check), page, person: page.person() };
      const result = await handler(context, message, signal);
      if (!has()) return refuse(page, NEEDS_PAIRING, about);
      if (isRefusal(result)) return refuse(page, result, about);
      if ('request' in message)
        page.sendText(JSON.stringify({ type: message.type, request: message.request, ...result }));
    } catch (error) {
      if (!has()) return refuse(page, NEEDS_PAIRING, about);
      log.error({ err: error, type: message.type }, 'page: a message could not be handled');
      refuse(page, FAILED, about);
    }
  }

  return async (page, received) => {
    if (!page.budgets.messages.take()) return refuse(page, FLOOD);
    if (received instanceof Refused) return refuse(page, { ...MALFORMED, message: received.error.text });
    const message = fromPageSchema.safeParse(received);
    return message.success ? run(page, message.data) : refuse(page, MALFORMED);
  };
}

/** Wraps dependencies, also nested ones, so that each of their functions calls `check` first. */
function guarded<T extends object>(dependencies: T, check: () => void): T {
  return new Proxy(dependencies, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value === 'function')
        return (...args: unknown[]): unknown => {
          check();
          return Reflect.apply(value, target, args);
        };
      return typeof value === 'object' && value !== null ? guarded(value, check) : value;
    },
  });
}

const ROLES: Readonly<Record<RequiredRole, (page: Page) => boolean>> = {
  any: () => true,
  chat: (page) => page.audience() !== 'nobody',
  paired: (page) => page.role() === 'paired',
};

const holds = (page: Page, role: RequiredRole): boolean => !page.ended() && ROLES[role](page);

/** The card, question or request that a refusal is about. */
function subjectOf(message: MessageOf[MessageType]): string | undefined {
  if ('request' in message) return message.request;
  if ('id' in message) return message.id;
  return 'executionId' in message ? message.executionId : undefined;
}

function refuse(page: Page, { code, message, strike }: PageRefusal, about?: string): void {
  if (strike === true) page.strike(code, message);
  else page.refuse(code, message, about);
}

function isRefusal(result: object | undefined): result is PageRefusal {
  return result !== undefined && 'ok' in result && result.ok === false;
}
