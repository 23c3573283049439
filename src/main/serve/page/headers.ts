import type { InlineCode } from './inline-code.js';

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
