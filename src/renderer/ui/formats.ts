/** Days, exact times and sizes as a person reads them. */
import { locale, t } from '../strings.js';
import { useEffect, useState } from 'react';

// Times as a person reads them, and a shared clock for what counts down.

const CLOCK = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const SHORT_DAY = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });

/** `2:36 PM`, with the day when it was not today. */
export function clockTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const today = new Date().toDateString() === date.toDateString();
  return today ? CLOCK.format(date) : `${SHORT_DAY.format(date)}${t('page.marks.comma')}${CLOCK.format(date)}`;
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

const DAY_MS = 86_400_000;
const RELATIVE = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const DAY = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
const DAY_YEAR = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const SECONDS = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
const EXACT = new Intl.DateTimeFormat(locale, {
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** The same for all times of one day here. */
export function dayOf(iso: string): string {
  return new Date(iso).toDateString();
}

/** `Today`, `Yesterday`, or the day. */
export function dayName(iso: string): string {
  const words = relativeDay(iso);
  return words.charAt(0).toLocaleUpperCase(locale) + words.slice(1);
}

function relativeDay(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const now = new Date();
  const days = Math.round((startOfDay(now) - startOfDay(date)) / DAY_MS);
  if (days === 0 || days === 1) return RELATIVE.format(-days, 'day');
  return (date.getFullYear() === now.getFullYear() ? DAY : DAY_YEAR).format(date);
}

/** `today, 2:36:09 PM`, for the middle of a sentence. */
export function exactDay(iso: string): string {
  const day = relativeDay(iso);
  return day === iso ? iso : `${day}${t('page.marks.comma')}${secondTime(iso)}`;
}

/** `2:36:09 PM`. */
export function secondTime(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : SECONDS.format(date);
}

/** To the thousandth of a second. */
export function exactTime(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : EXACT.format(date);
}

/** `0.4 s`, `6 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  const unit = (value: number, name: string, digits = 0) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'narrow', maximumFractionDigits: digits })
      .format(value)
      .replace(/(?<=\d)(?=\p{L})/u, '\u00a0');
  if (ms < 9_950) return unit(Math.max(0, ms) / 1_000, 'second', 1);
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return unit(seconds, 'second');
  return `${unit(Math.floor(seconds / 60), 'minute')} ${unit(seconds % 60, 'second')}`;
}

export function milliseconds(ms: number): string {
  const style = { style: 'unit', unit: 'millisecond', maximumFractionDigits: ms < 10 ? 1 : 0 } as const;
  return new Intl.NumberFormat(locale, style).format(ms);
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `512 byte`, `41.2 kB`, `5 GB`. */
export function fileSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const unit = UNITS[power] ?? 'byte';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / 1000 ** power);
}
