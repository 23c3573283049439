/** All icons of the page, by name. Box of 16, stroke of 1.5, `currentColor`. */
import type { ReactNode } from 'react';

const SHAPES = {
  mark: (
    <>
      <path d="M2.75 10.5a7.25 7.25 0 0 1 14.5 0" />
      <path d="M10 3.25V1.75" />
      <path d="M8.4 8.9l6.6 2.6-2.9 1.1-1.2 3z" />
    </>
  ),
  eye: (
    <>
      <path d="M1.5 8S3.9 3.75 8 3.75 14.5 8 14.5 8 12.1 12.25 8 12.25 1.5 8 1.5 8Z" />
      <circle cx="8" cy="8" r="1.75" />
    </>
  ),
  click: (
    <>
      <path d="M6.5 6.5l7.5 2.9-3.2 1.3-1.3 3.3z" />
      <path d="M6 1.75v1.5M1.75 6h1.5M2.9 2.9l1.1 1.1" />
    </>
  ),
  keys: (
    <>
      <rect x="1.5" y="4" width="13" height="8.5" rx="1.75" />
      <path d="M4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5.5 9.75h5" />
    </>
  ),
  share: (
    <>
      <path d="M13.5 9.5v2.25a1.5 1.5 0 0 1-1.5 1.5H4a1.5 1.5 0 0 1-1.5-1.5v-7A1.5 1.5 0 0 1 4 3.25h3" />
      <path d="M10 2.5h3.75v3.75M13.5 2.75 8 8.25" />
    </>
  ),
  move: (
    <>
      <path d="M8 1.75v12.5M1.75 8h12.5M6 3.75l2-2 2 2M6 12.25l2 2 2-2M3.75 6l-2 2 2 2M12.25 6l2 2-2 2" />
    </>
  ),
  alert: (
    <>
      <path d="M8 2.25 14.25 13H1.75z" />
      <path d="M8 6.5v3M8 11.25h.01" />
    </>
  ),
  term: (
    <>
      <rect x="1.5" y="2.75" width="13" height="10.5" rx="1.75" />
      <path d="M4.25 6 6.5 8l-2.25 2M8.25 10.25h3" />
    </>
  ),
  check: (
    <>
      <path d="m3 8.5 3.25 3.25L13 4.75" />
    </>
  ),
  x: (
    <>
      <path d="M4 4l8 8M12 4l-8 8" />
    </>
  ),
  stop: (
    <>
      <rect x="3.5" y="3.5" width="9" height="9" rx="1.5" fill="currentColor" />
    </>
  ),
  pause: (
    <>
      <path d="M5.75 3.5v9M10.25 3.5v9" strokeWidth="2" />
    </>
  ),
  play: (
    <>
      <path d="M5 3.25 12.25 8 5 12.75z" />
    </>
  ),
  hand: (
    <>
      <path d="M4 8.5V4.75a1 1 0 0 1 2 0V7.5m0-3.75v-1a1 1 0 0 1 2 0V7.5m0-3.75a1 1 0 0 1 2 0v4m0-2a1 1 0 0 1 2 0V10a4.25 4.25 0 0 1-4.25 4.25c-2 0-3-.8-3.9-2.4L2.4 9.4a.95.95 0 0 1 1.6-.9z" />
    </>
  ),
  right: (
    <>
      <path d="m6 3.5 4.5 4.5L6 12.5" />
    </>
  ),
  down: (
    <>
      <path d="M3.5 6 8 10.5 12.5 6" />
    </>
  ),
  left: (
    <>
      <path d="M10 3.5 5.5 8l4.5 4.5" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </>
  ),
  up: (
    <>
      <path d="M8 13V3M4 7l4-4 4 4" />
    </>
  ),
  image: (
    <>
      <rect x="2" y="2.75" width="12" height="10.5" rx="1.75" />
      <circle cx="5.5" cy="6" r="1" />
      <path d="m2.5 11.5 3.25-3 2.25 2 2.5-2.75 3 3" />
    </>
  ),
  win: (
    <>
      <rect x="1.75" y="2.75" width="12.5" height="10.5" rx="1.75" />
      <path d="M1.75 6h12.5M4 4.4h.01" />
    </>
  ),
  folder: (
    <>
      <path d="M1.75 4.5A1.25 1.25 0 0 1 3 3.25h3l1.5 1.5H13A1.25 1.25 0 0 1 14.25 6v5.5A1.25 1.25 0 0 1 13 12.75H3a1.25 1.25 0 0 1-1.25-1.25z" />
    </>
  ),
  gear: (
    <>
      <circle cx="8" cy="8" r="2" />
      <path d="M8 1.75v1.75M8 12.5v1.75M1.75 8H3.5M12.5 8h1.75M3.6 3.6l1.2 1.2M11.2 11.2l1.2 1.2M12.4 3.6l-1.2 1.2M4.8 11.2l-1.2 1.2" />
    </>
  ),
  ext: (
    <>
      <path d="M9.5 2.75h3.75V6.5M13 3 7.75 8.25M11.5 9.5v2.25a1.5 1.5 0 0 1-1.5 1.5H4.25a1.5 1.5 0 0 1-1.5-1.5V6a1.5 1.5 0 0 1 1.5-1.5H6.5" />
    </>
  ),
  chat: (
    <>
      <path d="M2.25 4.5A1.75 1.75 0 0 1 4 2.75h8a1.75 1.75 0 0 1 1.75 1.75v5A1.75 1.75 0 0 1 12 11.25H7L4 13.75v-2.5a1.75 1.75 0 0 1-1.75-1.75z" />
    </>
  ),
  unplug: (
    <>
      <path d="M2 14l2.5-2.5M14 2l-2.5 2.5M7 7 5 9M9 9l-2 2M4 8l4 4-1 1a2.8 2.8 0 0 1-4-4zM8 4l4 4 1-1a2.8 2.8 0 0 0-4-4z" />
    </>
  ),
  shield: (
    <>
      <path d="M8 1.75 13 3.5v4c0 3.25-2.1 5.6-5 6.75-2.9-1.15-5-3.5-5-6.75v-4z" />
      <path d="m5.75 8 1.6 1.6L10.5 6.5" />
    </>
  ),
  q: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M6.25 6.25a1.75 1.75 0 1 1 2.4 1.6c-.4.2-.65.5-.65 1M8 11.25h.01" />
    </>
  ),
  ok: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="m5.25 8.25 1.9 1.9 3.6-4" />
    </>
  ),
  miss: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="m5.75 5.75 4.5 4.5m0-4.5-4.5 4.5" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M8 4.5V8l2.25 1.5" />
    </>
  ),
  link: (
    <>
      <path d="M6.5 9.5l3-3M7 4.75l1-1a3 3 0 0 1 4.25 4.25l-1 1M9 11.25l-1 1A3 3 0 0 1 3.75 8l1-1" />
    </>
  ),
  lock: (
    <>
      <rect x="3" y="7" width="10" height="6.75" rx="1.5" />
      <path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2" />
    </>
  ),
  note: (
    <>
      <path d="M3.5 2.5h9v11h-9zM5.75 5.75h4.5M5.75 8.25h4.5M5.75 10.75h2.5" />
    </>
  ),
  plus: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M5.25 8h5.5M8 5.25v5.5" />
    </>
  ),
  minus: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M5.25 8h5.5" />
    </>
  ),
  grow: (
    <>
      <path d="M9.75 2.5h3.75v3.75M13.25 2.75 9.5 6.5M6.25 13.5H2.5V9.75M2.75 13.25 6.5 9.5" />
    </>
  ),
  refresh: (
    <>
      <path d="M13.25 8A5.25 5.25 0 1 1 11.6 4.2L13.25 5.75M13.25 2.5v3.25H10" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof SHAPES;

export function Icon({ name, tone }: { name: IconName; tone?: string }): ReactNode {
  return (
    <svg
      className={tone === undefined ? 'i' : `i ${tone}`}
      viewBox={name === 'mark' ? '0 0 20 20' : '0 0 16 16'}
      aria-hidden="true"
    >
      {SHAPES[name]}
    </svg>
  );
}
