import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { parse } from 'yaml';
import * as z from 'zod';
import { errno } from '../../../base/errno.js';

const schema = z.object({ provider: z.literal('generic'), url: z.url() });
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Where this package's updates are published, from the file it was made with; null where it was made without. */
export function updateAddress(file: string, log: Logger): string | null {
  try {
    const { url } = schema.parse(parse(readFileSync(file, 'utf8')));
    const { protocol, hostname } = new URL(url);
    if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))) return url;
    throw new Error(`${url} is not an https address`);
  } catch (error) {
    if (errno(error) !== 'ENOENT') log.warn({ err: error }, 'app: the update address cannot be used');
    return null;
  }
}
