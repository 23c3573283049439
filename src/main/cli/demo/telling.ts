/** How the demo tells what it got, or why it got nothing. */
import * as z from 'zod';
import type { AgentClient, CallResult } from './client.js';
import type { DemoWords } from './words.js';

const errorSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.looseObject({ reason: z.string().optional(), message: z.string().optional() }),
});
export const metaSchema = z.looseObject({
  'dev.chaperone/call': z
    .looseObject({ executionId: z.string().optional(), evidence: z.string().optional() })
    .optional(),
  'dev.chaperone/error': errorSchema.optional(),
  'dev.chaperone/value': z.looseObject({ image: z.looseObject({ width: z.number(), height: z.number() }) }).optional(),
});
/** One line of the list: what it got, or why not. */
export function line(client: AgentClient, words: DemoWords, what: string, result: CallResult, got: string): string {
  const { 'dev.chaperone/call': call, 'dev.chaperone/error': error } = metaSchema.parse(result._meta);
  const folder = call?.evidence;
  const evidence = folder === undefined ? [] : [words.evidence(code(folder), placeOf(client.url(), call?.executionId))];
  const said = error?.details.message;
  const told = said === undefined || error?.details.reason !== 'denied' ? [] : [words.said(plainly(said))];
  return `- **${what}:** ${[result.isError ? whyNot(words, result, error) : got, ...told, ...evidence].join(' ')}`;
}

function whyNot(words: DemoWords, result: CallResult, error: z.infer<typeof errorSchema> | undefined): string {
  const reason = error?.details.reason;
  const known = new Map(Object.entries(words.refused));
  if (error?.code === 'DESKTOP_ABORTED') return words.refused.stopped;
  if (reason === 'protected') return words.nowhere;
  return known.get(reason ?? '') ?? words.failed(error?.message ?? textOf(result));
}

/** The page of it: two pictures, and what is known. */
function placeOf(url: string | null, executionId: string | undefined): string | null {
  return url === null || executionId === undefined ? null : `${url}/#/evidence/${executionId}`;
}

export const textOf = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');

/** A path may hold any character but these two. */
const code = (path: string): string => `\`${path.replaceAll(/[`\n]/g, '')}\``;

/** What the person wrote, not read as Markdown. */
export const plainly = (text: string): string =>
  text
    .slice(0, 300)
    .replaceAll(/[\\`*_[\]<>#~|!]/g, '\\$&')
    .replaceAll(/\s+/g, ' ');
