/** What an act does, and to what: a code with parameters. Its title is made where it is shown, in the language spoken there. Pure. */
import * as z from 'zod';
import { inEnglish, isCode, isComplete, message, messageSchema } from '../../messages/index.js';
import type { Code, Formatter, Message, Taken, TextPart } from '../../messages/index.js';

/** Given by {@link titleOf}, from the rest of the subject. */
type Surroundings = 'tense' | 'to' | 'target' | 'in' | 'app' | 'where' | 'shows';
type TitleCode = Extract<Code, `title.${string}` | 'verbatim'>;
type Own<C extends TitleCode> = Omit<Taken<C>, Surroundings>;

/** The act alone. */
export type Title = { [C in TitleCode]: { code: C; params: Own<C> } }[TitleCode];

export function title<C extends TitleCode>(
  code: C,
  ...[params]: Record<never, never> extends Own<C> ? [] : [params: Own<C>]
): { code: C; params: Own<C> };
export function title(code: TitleCode, params: object = {}): { code: TitleCode; params: object } {
  return { code, params };
}

const isTitleCode = (code: string): code is TitleCode =>
  isCode(code) && (code.startsWith('title.') || code === 'verbatim');

function isTitle(value: unknown): value is Title {
  const parsed = messageSchema.safeParse(value);
  if (!parsed.success || !isTitleCode(parsed.data.code)) return false;
  const { code, params } = parsed.data;
  return isComplete({ code, params: { ...params, ...surroundingsOf({ target: null, app: null }) } });
}

/** Of a record that a later version wrote, the text stands for a code that is not known here. */
const titleSchema = z.union([
  z.custom<Title>(isTitle),
  z.object({ text: z.string() }).transform(({ text }): Title => title('verbatim', { text })),
]);

/** What would be touched, for title and place of a card. */
export interface Subject {
  title: Title;
  /** The name of what it is done to. */
  target: string | null;
  /** Where it is done, if nothing there has a name. */
  point?: string | undefined;
  app: string | null;
  /** Window title, folder or origin. */
  place: string | null;
  /** It is done with the keyboard. */
  keyboard?: true | undefined;
}

const name = z.string().nullable();
const codedSubjectSchema: z.ZodType<Subject> = z.object({
  title: titleSchema,
  target: name,
  point: z.string().optional(),
  app: name,
  place: name,
  keyboard: z.literal(true).optional(),
});

/** Of files older than the catalogue. */
const wordedSubjectSchema = z
  .object({ verb: z.string(), done: z.string(), target: name, app: name, place: name })
  .transform(({ verb, done, ...rest }): Subject => ({
    title: title('title.recorded', { present: verb, past: done }),
    ...rest,
  }));

export const subjectSchema = z.union([codedSubjectSchema, wordedSubjectSchema]);

/** `here`: the application is named beside it. `lower`: in the middle of a sentence. */
export interface TitleUse {
  past?: boolean;
  here?: boolean;
  lower?: boolean;
}

export const inNoPlace = (act: Title, target: string | null = null): Subject => ({
  title: act,
  target,
  app: null,
  place: null,
});

function titleOf({ title: { code, params }, ...rest }: Subject, use: TitleUse = {}): Message {
  return { code, params: { ...params, ...surroundingsOf(rest, use) } };
}

function surroundingsOf({ target, point, app }: Pick<Subject, 'target' | 'point' | 'app'>, use: TitleUse = {}) {
  const named = app !== null && use.here !== true;
  const inside = { in: named ? ('app' as const) : ('other' as const), app: app ?? '' };
  return {
    ...inside,
    tense: use.past === true ? 'done' : 'other',
    to: target === null ? 'other' : 'name',
    target: target ?? point ?? '',
    where: whereOf(target === null ? point : undefined, inside),
    shows: named ? message('title_part.shows', { apps: app }) : '',
  };
}

function whereOf(point: string | undefined, inside: { in: 'app' | 'other'; app: string }): Message | '' {
  if (point !== undefined) return message('title_part.at_point', { point, ...inside });
  return inside.in === 'app' ? message('title_part.in_app', { app: inside.app }) : '';
}

/** Nothing empty; begins with a capital unless a name is first. */
export function titlePieces({ parts }: Pick<Formatter, 'parts'>, subject: Subject, use: TitleUse = {}): TextPart[] {
  const pieces = parts(titleOf(subject, use)).filter(({ text }) => text !== '');
  const [first, ...rest] = pieces;
  if (first === undefined) return [];
  const text = first.text.trimStart();
  const begun =
    use.lower === true || first.kind === 'value' ? text : text.charAt(0).toLocaleUpperCase() + text.slice(1);
  return [{ ...first, text: begun }, ...rest];
}

export const titleText = (formatter: Pick<Formatter, 'parts'>, subject: Subject, use: TitleUse = {}): string =>
  titlePieces(formatter, subject, use)
    .map(({ text }) => text)
    .join('')
    .trimEnd();

export const englishTitle = (subject: Subject, use: TitleUse = {}): string => titleText(inEnglish, subject, use);

/** For the record: with its English text, which outlives the code. */
export const recordedSubject = (subject: Subject): Subject & { title: Title & { text: string } } => ({
  ...subject,
  title: { ...subject.title, text: englishTitle(subject) },
});
