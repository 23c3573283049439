/** A date, a time or both in the form of a text that a field of Qt shows. */
import { DesktopError, type DatePartKind, type DesktopActor, type Element } from '../../native/desktop.js';

const VALUE =
  /^(?:(\d{4,6})-(?:W(\d{2})|(\d{2})(?:-(\d{2}))?))?(?:(?:^|[T ])(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?$/;

/** What a value in the form of HTML says; nothing where it has another form. */
export function numbersOf(value: string): Map<DatePartKind, number> {
  const [year, week, month, day, hour, minute, second, millisecond] = (VALUE.exec(value.trim()) ?? []).slice(1);
  const numbers = new Map<DatePartKind, number>();
  const put = (kind: DatePartKind, text: string | undefined): void => {
    if (text !== undefined) numbers.set(kind, Number(text));
  };
  put('year', year);
  put('week', week);
  put('month', month);
  put('day', day);
  if (hour === undefined) return numbers;
  put('hour', hour);
  // 25 o’clock is none in either form.
  numbers.set('hour of 12', Number(hour) > 23 ? Number(hour) : Number(hour) % 12 || 12);
  numbers.set('half of the day', Number(hour) < 12 ? 1 : 2);
  put('minute', minute);
  put('second', second ?? '00');
  put('millisecond', (millisecond ?? '0').padEnd(3, '0'));
  return numbers;
}

/** A number with a text that is none: Qt's field of a date or a time. */
export const isDateText = ({ role, value }: Element): boolean =>
  role === 'AXIncrementor' && value !== null && Number.isNaN(Number(value));

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
/** The halves of the day as Qt takes them from CLDR, in small letters; many languages have the first. */
const HALVES: readonly (readonly [string, string])[] = [
  ['am', 'pm'], ['a.m.', 'p.m.'], ['a. m.', 'p. m.'], ['fm', 'em'], ['ap.', 'ip.'], ['dop.', 'odp.'], ['de.', 'du.'],
  ['öö', 'ös'], ['π.μ.', 'μ.μ.'], ['дп', 'пп'], ['пр.об.', 'сл.об.'], ['sa', 'ch'], ['priešpiet', 'popiet'],
  ['上午', '下午'], ['午前', '午後'], ['오전', '오후'], ['ص', 'م'], ['לפנה״צ', 'אחה״צ'],
]; // prettier-ignore
const HALF = `(?<half>${HALVES.flat()
  .join('|')
  .replaceAll('.', String.raw`\.`)
  .replaceAll(' ', String.raw`\s`)})`;
const CLOCK = String.raw`(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2}))?`;
const TIMES = [String.raw`${CLOCK}(?:\s?${HALF})?`, String.raw`${HALF}\s?${CLOCK}`];
const FORMS = [...DATES, ...TIMES, ...DATES.flatMap((date) => TIMES.map((time) => `${date}(?:, | |T)${time}`))].map(
  (form) => new RegExp(`^${form}$`, 'diu'),
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
  if (part === 'half') return halfLike(now, numbers.get('half of the day') === 1 ? 0 : 1);
  const number = part === 'hour' && halves ? numbers.get('hour of 12') : numberOf(part, numbers);
  return number === undefined ? null : String(number).padStart(now.length, '0');
}

/** In the letters of `now`, and with the space that it has. */
function halfLike(now: string, which: 0 | 1): string | null {
  const plain = now.toLowerCase().replaceAll(/\s/g, ' ');
  const half = HALVES.find((both) => both.includes(plain))?.[which] ?? null;
  if (half === null || half === plain) return half && now;
  const spaced = half.replaceAll(' ', /\s/.exec(now)?.[0] ?? ' ');
  return now === now.toUpperCase() ? spaced.toUpperCase() : spaced;
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

/** Text to be typed that says all that such a field shows, as the field writes it; null where it is only a part, or something else. */
export function typedDate(element: Element, text: string): string | null {
  if (!isDateText(element) || element.value === null) return null;
  return sameForm(text, element.value) ? text : inFormOf(element.value, numbersOf(text));
}

function sameForm(one: string, other: string): boolean {
  const form = (text: string): string => text.replaceAll(/\d+/g, '0').replaceAll(/\p{L}+/gu, 'a');
  return form(one) === form(other);
}

/** Some fields write their numbers without leading zeros. */
export const withoutZeros = (text: string): string => text.replaceAll(/\b0+(?=\d)/g, '');

export async function setDate(
  desktop: DesktopActor,
  { id }: Element,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  await desktop.setValue(id, text, signal).catch((thrown: unknown) => {
    if (!(thrown instanceof DesktopError) || thrown.details['reason'] !== 'other_text') throw thrown;
  });
}
