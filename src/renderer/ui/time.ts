/** Times as a person reads them, and a shared clock for what counts down. */
import { useEffect, useState } from 'react';
import { locale, t } from '../strings.js';

const CLOCK = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });

/** `2:36 PM`, with the day when it was not today. */
export function clockTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const today = new Date().toDateString() === date.toDateString();
  return today ? CLOCK.format(date) : `${DAY.format(date)}${t('page.marks.comma')}${CLOCK.format(date)}`;
}

/** `m:ss`, rounded up so that 0:00 means over. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The time now, renewed every second while `ticking`. */
export function useNow(ticking = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
