/** Numbers and plurals as a language has them. */
export interface Counting {
  counted(count: number): string;
  /** The form that goes with the number, for languages with two. */
  plural(count: number, one: string, many: string): string;
  /** Of a share between 0 and 1. */
  percent(share: number): string;
  /** Of milliseconds, without the unit. */
  seconds(ms: number): string;
  /** Of bytes. */
  size(bytes: number): string;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function countingIn(locale: string): Counting {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const shares = new Intl.NumberFormat(locale, { style: 'percent' });
  const inSeconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return {
    counted: (count) => numbers.format(count),
    plural: (count, one, many) => (rules.select(count) === 'one' ? one : many),
    percent: (share) => shares.format(share),
    seconds: (ms) => inSeconds.format(ms / 1000),
    size(bytes) {
      const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
      const unit = UNITS[power] ?? 'byte';
      return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(
        bytes / 1000 ** power,
      );
    },
  };
}
