import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A cookie as node-x11 takes it: both as latin1 strings. */
export interface Cookie {
  name: string;
  data: string;
}

const NO_COOKIE: Cookie = { name: '', data: '' };
const FAMILY_WILD = 65535;
const FAMILY_LOCAL = 256;
const COOKIE_NAME = 'MIT-MAGIC-COOKIE-1';

interface Entry {
  family: number;
  address: string;
  number: string;
  name: string;
  data: string;
}

/** The cookie for `display` from the Xauthority file that `env` names, or an empty one: some servers want none. */
export async function readCookie(display: string, env: Record<string, string | undefined>): Promise<Cookie> {
  const path = env['XAUTHORITY'] ?? join(env['HOME'] ?? '/', '.Xauthority');
  const content = await readFile(path).catch(() => null);
  if (content === null) return NO_COOKIE;
  const wanted = /:(\d+)/.exec(display)?.[1] ?? '0';
  const fits = (entry: Entry): boolean =>
    entry.name === COOKIE_NAME &&
    (entry.number === '' || entry.number === wanted) &&
    (entry.family === FAMILY_WILD || (entry.family === FAMILY_LOCAL && entry.address === hostname()));
  const entry = entries(content).find(fits);
  return entry === undefined ? NO_COOKIE : { name: entry.name, data: entry.data };
}

function entries(content: Buffer): Entry[] {
  const found: Entry[] = [];
  let at = 0;
  const text = (): string => {
    const length = content.readUInt16BE(at);
    const value = content.toString('latin1', at + 2, at + 2 + length);
    at += 2 + length;
    return value;
  };
  try {
    while (at < content.length) {
      const family = content.readUInt16BE(at);
      at += 2;
      found.push({ family, address: text(), number: text(), name: text(), data: text() });
    }
  } catch (error) {
    // A cut file still gives the entries before the cut.
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

/** Writes a file with one cookie for any address and any display number, readable by its owner only. */
export async function writeCookieFile(path: string, secret: Buffer): Promise<void> {
  const counted = (value: Buffer): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(value.length);
    return Buffer.concat([length, value]);
  };
  const family = Buffer.from([0xff, 0xff]);
  const empty = counted(Buffer.alloc(0));
  const content = Buffer.concat([family, empty, empty, counted(Buffer.from(COOKIE_NAME)), counted(secret)]);
  await writeFile(path, content, { mode: 0o600, flag: 'wx' });
}
