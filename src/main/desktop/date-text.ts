/** A date, a time or both in the form of a text that a field of Qt shows. Pure. */
import type { DatePartKind } from '../../native/desktop.js';

type Numbers = ReadonlyMap<DatePartKind, number>;

const NAME = String.raw`\p{L}+\.?`;
/** Year, month and day, in the orders that leave no doubt; a month that may be the day is none of them. */
const DATES = [
  String.raw`(?<year>\d{4})[-/.] ?(?<month>\d{1,2})[-/.] ?(?<day>\d{1,2})\.?`,
  String.raw`(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})`,
  String.raw`(?<day>1[3-9]|2\d|3[01])[-/](?<month>\d{1,2})[-/](?<year>\d{4})`,
  String.raw`(?<month>\d{1,2})[-/](?<day>1[3-9]|2\d|3[01])[-/](?<year>\d{4})`,
  String.raw`(?<day>\d{1,2})(?:\.? |-)(?<name>${NAME})(?: |-)(?<year>\d{4})`,
  String.raw`(?<name>${NAME}) (?<day>\d{1,2}),? (?<year>\d{4})`,
];
const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?(?: (?<half>[AaPp][Mm]))?`;
const FORMS = [...DATES, TIME, ...DATES.map((date) => String.raw`${date}(?:, | |T)${TIME}`)].map(
  (form) => new RegExp(`^${form}$`, 'du'),
);
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'fi', 'pl', 'cs', 'tr', 'ru'];

/** Null where the form of `shown` is none that is known, or has other parts than the numbers. */
export function inFormOf(shown: string, numbers: Numbers): string | null {
  const found = FORMS.map((form) => form.exec(shown)).find((match) => match !== null);
  const groups = Object.entries(found?.indices?.groups ?? {});
  const date = groups.some(([part]) => part === 'year');
  const time = groups.some(([part]) => part === 'minute');
  if (found === undefined || date !== numbers.has('day') || time !== numbers.has('minute')) return null;
  let text = shown;
  // From the end, so that the earlier places stay right.
  for (const [part, place] of groups.filter(([, at]) => at !== undefined).toSorted((a, b) => b[1][0] - a[1][0])) {
    const [from, to] = place;
    const next = written(part, shown.slice(from, to), numbers, found.groups?.['half'] !== undefined);
    if (next === null) return null;
    text = text.slice(0, from) + next + text.slice(to);
  }
  return text;
}

function written(part: string, now: string, numbers: Numbers, halves: boolean): string | null {
  if (part === 'name') return monthLike(now, numbers.get('month') ?? 0);
  if (part === 'half') {
    const half = numbers.get('half of the day') === 1 ? 'am' : 'pm';
    return now === now.toUpperCase() ? half.toUpperCase() : half;
  }
  const number = part === 'hour' && halves ? numbers.get('hour of 12') : numberOf(part, numbers);
  return number === undefined ? null : String(number).padStart(now.length, '0');
}

function numberOf(part: string, numbers: Numbers): number | undefined {
  for (const [kind, number] of numbers) if (kind === part) return number;
  return undefined;
}

/** The name of another month in the language and the length of this one. */
function monthLike(now: string, month: number): string | null {
  for (const language of LANGUAGES)
    for (const form of [
      { month: 'short' },
      { day: 'numeric', month: 'short' },
      { month: 'long' },
      { day: 'numeric', month: 'long' },
    ] as const) {
      const names = Array.from({ length: 12 }, (_, index) => monthName(language, form, index));
      if (names.includes(now)) return names[month - 1] ?? null;
    }
  return null;
}

function monthName(language: string, form: Intl.DateTimeFormatOptions, index: number): string {
  const parts = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }).formatToParts(Date.UTC(2020, index, 1));
  return parts.find(({ type }) => type === 'month')?.value ?? '';
}
