/** What an act does, and to what, as a code with parameters. The title is formatted where it is shown, in the language used there. Pure. */
import * as z from 'zod';
import {
  inEnglish,
  isCode,
  isComplete,
  message,
  messageSchema,
  type Code,
  type Formatter,
  type Message,
  type Taken,
  type TextPart,
} from '../../messages/index.js';

/** Parameters that {@link titleOf} adds from the rest of the subject. */
type ContextParam = 'tense' | 'to' | 'target' | 'in' | 'app' | 'where' | 'shows';
type TitleCode = Extract<Code, `title.${string}` | 'verbatim'>;
type OwnParams<C extends TitleCode> = Omit<Taken<C>, ContextParam>;

export type Title = { [C in TitleCode]: { code: C; params: OwnParams<C> } }[TitleCode];

export function title<C extends TitleCode>(
  code: C,
  ...[params]: Record<never, never> extends OwnParams<C> ? [] : [params: OwnParams<C>]
): { code: C; params: OwnParams<C> };
export function title(code: TitleCode, params: object = {}): { code: TitleCode; params: object } {
  return { code, params };
}

const isTitleCode = (code: string): code is TitleCode =>
  isCode(code) && (code.startsWith('title.') || code === 'verbatim');

/** Found to be titles, as JSON: a record has few of them, many times each. */
const knownTitles = new Set<string>();
const MAX_KNOWN_TITLES = 500;
const MAX_KNOWN_LENGTH = 300;

function isTitle(value: unknown): value is Title {
  const json = JSON.stringify({ value });
  if (knownTitles.has(json)) return true;
  if (!isCompleteTitle(value)) return false;
  if (knownTitles.size >= MAX_KNOWN_TITLES) knownTitles.clear();
  if (json.length <= MAX_KNOWN_LENGTH) knownTitles.add(json);
  return true;
}

function isCompleteTitle(value: unknown): boolean {
  const parsed = messageSchema.safeParse(value);
  if (!parsed.success || !isTitleCode(parsed.data.code)) return false;
  const { code, params } = parsed.data;
  return isComplete({ code, params: { ...params, ...NOWHERE } });
}

/** Where a later version wrote the record, its text replaces an unknown code. */
const titleSchema = z.union([
  z.custom<Title>(isTitle),
  z.object({ text: z.string() }).transform(({ text }): Title => title('verbatim', { text })),
]);

export interface Subject {
  title: Title;
  /** Name of the element, window or file that it acts on. */
  target: string | null;
  /** Where it acts, if nothing there has a name. */
  point?: string | undefined;
  app: string | null;
  /** Window title, folder or origin. */
  place: string | null;
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

/** In files older than the message catalogue. */
const wordedSubjectSchema = z
  .object({ verb: z.string(), done: z.string(), target: name, app: name, place: name })
  .transform(({ verb, done, ...rest }): Subject => ({
    title: title('title.recorded', { present: verb, past: done }),
    ...rest,
  }));

export const subjectSchema = z.union([codedSubjectSchema, wordedSubjectSchema]);

/** `here`: the application is already shown beside the title. `lower`: inside a sentence. */
export interface TitleOptions {
  past?: boolean;
  here?: boolean;
  lower?: boolean;
}

export const subjectWithoutPlace = (act: Title, target: string | null = null): Subject => ({
  title: act,
  target,
  app: null,
  place: null,
});

export function titleOf(subject: Subject, use: TitleOptions = {}): Message {
  const { code, params } = subject.title;
  return { code, params: Object.assign({}, params, contextParams(subject, use)) };
}

function contextParams({ target, point, app }: Pick<Subject, 'target' | 'point' | 'app'>, use: TitleOptions = {}) {
  const named = app !== null && use.here !== true;
  const inside = { in: named ? ('app' as const) : ('other' as const), app: app ?? '' };
  return {
    in: inside.in,
    app: inside.app,
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

/** Stands for a title's target and place where only its own parameters are checked. */
const NOWHERE = contextParams({ target: null, app: null });

/** Without empty parts; starts with a capital letter unless a name is first. */
export function titleParts({ parts }: Pick<Formatter, 'parts'>, subject: Subject, use: TitleOptions = {}): TextPart[] {
  const pieces = parts(titleOf(subject, use)).filter(({ text }) => text !== '');
  const [first, ...rest] = pieces;
  if (first === undefined) return [];
  const text = first.text.trimStart();
  const begun =
    use.lower === true || first.kind === 'value' ? text : text.charAt(0).toLocaleUpperCase() + text.slice(1);
  return [{ ...first, text: begun }, ...rest];
}

export const titleText = (formatter: Pick<Formatter, 'parts'>, subject: Subject, use: TitleOptions = {}): string =>
  titleParts(formatter, subject, use)
    .map(({ text }) => text)
    .join('')
    .trimEnd();

export const englishTitle = (subject: Subject, use: TitleOptions = {}): string => titleText(inEnglish, subject, use);

export type RecordedSubject = Subject & { title: Title & { text: string } };

/** For the record: with its English text, for versions that do not know the code. */
export const recordedSubject = (subject: Subject): RecordedSubject => ({
  ...subject,
  title: { ...subject.title, text: englishTitle(subject) },
});
