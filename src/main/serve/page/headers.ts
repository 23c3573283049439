import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** Headers of every answer. `host` is the request's own, checked; anything else than loopback gets no WebSocket address. `inline`: of the page; null without one. */
export function pageHeaders(host: string, inline: InlineCode | null): Record<string, string> {
  // Some browsers do not take ws: for 'self', so the exact address is named too.
  const socket = LOOPBACK.test(host) ? ` ws://${host}` : '';
  return {
    'Content-Security-Policy': pagePolicy(`'self'${socket}`, inline),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=()',
    'Cache-Control': 'no-store',
  };
}

/** Everything the page may load is its own, and of inline code what was built into it; `connect` says whom it may talk to. */
export function pagePolicy(connect: string, inline: InlineCode | null): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...(inline?.scripts ?? [])].join(' '),
    ["style-src 'self'", ...(inline?.styles ?? [])].join(' '),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src ${connect}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

// The scripts and styles that are a part of the built page, for its CSP: nothing else inline runs or applies.

/** Sources of a CSP: `'sha256-…'`. */
export interface InlineCode {
  scripts: readonly string[];
  styles: readonly string[];
}

/** As the build writes them; anything with attributes is no part of the first view and gets no hash. */
const INLINE = /<(script|style)>([^]*?)<\/\1>/g;

export function inlineCodeOf(html: string): InlineCode {
  const found = [...html.matchAll(INLINE)].map(([, tag, text = '']) => ({ tag, source: sourceOf(text) }));
  const of = (wanted: string): string[] => found.filter(({ tag }) => tag === wanted).map(({ source }) => source);
  return { scripts: of('script'), styles: of('style') };
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface BuiltPage {
  html: string;
  inline: InlineCode;
}

/** The page built in this folder, read again when it was built anew; null where there is none. */
export function watchBuiltPage(dir: string): () => BuiltPage | null {
  const file = join(dir, 'index.html');
  let known: { stamp: string; page: BuiltPage } | null = null;
  return () => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    if (known?.stamp !== stamp) known = { stamp, page: pageOf(readFileSync(file, 'utf8')) };
    return known.page;
  };
}

const pageOf = (html: string): BuiltPage => ({ html, inline: inlineCodeOf(html) });
