/** The lines in which the demo reports what it got, or why it got nothing. */
import * as z from 'zod';
import { message, type Formatter, type Message } from '../../../messages/index.js';
import type { AgentClient, CallResult } from './client.js';

const errorSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.looseObject({ reason: z.string().optional(), message: z.string().optional() }),
});
export const resultMetaSchema = z.looseObject({
  'dev.chaperone/call': z
    .looseObject({ executionId: z.string().optional(), evidence: z.string().optional() })
    .optional(),
  'dev.chaperone/error': errorSchema.optional(),
  'dev.chaperone/value': z.looseObject({ image: z.looseObject({ width: z.number(), height: z.number() }) }).optional(),
});

/** A Markdown list item: `text`, or why the call failed, with the person's message and where its pictures are. */
export function resultLine(
  client: AgentClient,
  words: Formatter,
  title: string,
  result: CallResult,
  text: string,
): string {
  const { 'dev.chaperone/call': call, 'dev.chaperone/error': error } = resultMetaSchema.parse(result._meta);
  const page = call?.evidence === undefined ? null : evidenceUrl(client.url(), call.executionId);
  const reply = error?.details.reason === 'denied' ? error.details.message : undefined;
  const sentences = [
    result.isError ? failureReason(words, result, error) : text,
    ...(reply === undefined ? [] : [words.text('demo.said', { message: escapeMarkdown(reply) })]),
    ...(page === null ? [] : [words.text('demo.before_after', { page })]),
  ];
  return `- **${title}:** ${sentences.join(' ')}`;
}

const REASONS: ReadonlyMap<string, Message> = new Map([
  ['denied', message('demo.denied')],
  ['timeout', message('demo.timeout')],
  ['policy', message('demo.policy')],
  ['paused', message('demo.paused')],
  ['protected', message('demo.nowhere')],
]);

function failureReason(words: Formatter, result: CallResult, error: z.infer<typeof errorSchema> | undefined): string {
  if (error?.code === 'DESKTOP_ABORTED') return words.text('demo.stopped');
  const known = REASONS.get(error?.details.reason ?? '');
  return words.format(known ?? message('demo.failed', { why: error?.message ?? resultText(result) }));
}

function evidenceUrl(url: string | null, executionId: string | undefined): string | null {
  return url === null || executionId === undefined ? null : `${url}/#/evidence/${executionId}`;
}

export const resultText = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');

export const escapeMarkdown = (text: string): string =>
  text
    .slice(0, 300)
    .replaceAll(/[\\`*_[\]<>#~|!]/g, '\\$&')
    .replaceAll(/\s+/g, ' ');
