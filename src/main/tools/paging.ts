/** Pagination. A list is made once and kept for a while, so that its pages neither overlap nor miss entries. */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { WireError } from '../protocol/index.js';
import { message } from '../../messages/index.js';

export const pageFields = {
  page_size: z.number().int().min(1).max(500).default(100),
  page_token: z.string().min(1).max(400).optional(),
};

export const pageResult = { total: z.number().int(), next_page_token: z.string().nullable() };

/** The line that names the token of the next page. */
export const moreLines = (next: string | null): string[] => (next === null ? [] : [`More: page_token ${next}`]);

/** The parameters of a list tool; all but these two select what is listed, and a token is valid only for the same ones. */
interface PageParams {
  page_size: number;
  page_token?: string | undefined;
}

interface Page<T> {
  items: T[];
  total: number;
  next_page_token: string | null;
}

export interface Pager {
  /** `make` is called for the first page only. Throws DESKTOP_INVALID_REQUEST for a forged or expired token, or one of another agent. */
  page<T>(caller: Owner, tool: string, given: PageParams, make: () => Promise<T[]>): Promise<Page<T>>;
  /** Drops all lists, because what agents may see has changed. */
  forget(): void;
}

interface Owner {
  agent: { id: string };
}

interface KeptList {
  seal: string;
  items: readonly unknown[];
}

const MAX_LISTS = 100;
const MAX_AGE_MS = 10 * 60_000;

export function createPager(now: () => number = Date.now): Pager {
  const key = randomBytes(32);
  const lists = new LRUCache<string, KeptList>({ max: MAX_LISTS, ttl: MAX_AGE_MS, ttlResolution: 0, perf: { now } });
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);

  function keep(list: KeptList): string {
    const id = randomUUID();
    lists.set(id, list);
    return id;
  }

  const tokenFor = (id: string, offset: number, seal: string) => {
    const body = Buffer.from(`${id} ${offset}`).toString('base64url');
    return `${sign(`${body} ${seal}`)}.${body}`;
  };

  /** Verifies the signature before parsing. */
  function read(token: string, seal: string): { id: string; offset: number } | null {
    const [signature = '', body = ''] = token.split('.');
    const expected = Buffer.from(sign(`${body} ${seal}`));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const [id = '', offset = ''] = Buffer.from(body, 'base64url').toString().split(' ');
    return { id, offset: Number(offset) };
  }

  return {
    forget: () => lists.clear(),
    async page<T>({ agent }: Owner, tool: string, given: PageParams, make: () => Promise<T[]>): Promise<Page<T>> {
      const { page_size: size, page_token: token, ...query } = given;
      const seal = JSON.stringify([agent.id, tool, query]);
      if (token === undefined) {
        const items = await make();
        const next = items.length <= size ? null : tokenFor(keep({ seal, items }), size, seal);
        return { items: items.slice(0, size), total: items.length, next_page_token: next };
      }
      const place = read(token, seal);
      const list = place === null ? undefined : lists.get(place.id);
      if (place === null || list === undefined || list.seal !== seal)
        throw new WireError('DESKTOP_INVALID_REQUEST', message('error.bad_page_token'), {
          reason: 'page_token',
          next: 'List again without page_token, with the same other parameters.',
        });
      const end = place.offset + size;
      const next = end < list.items.length ? tokenFor(place.id, end, seal) : null;
      // The signature proves that this tool made the list, so the items have its type.
      const items = list.items.slice(place.offset, end) as T[];
      return { items, total: list.items.length, next_page_token: next };
    },
  };
}
