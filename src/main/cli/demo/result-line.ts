/** The lines in which the demo reports what it got, or why it got nothing. */
import * as z from 'zod';
import type { AgentClient, CallResult } from './client.js';
import type { DemoWords } from './words.js';

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

/** A Markdown list item: `text`, or why the call failed, with the person's message and the evidence. */
export function resultLine(
  client: AgentClient,
  words: DemoWords,
  title: string,
  result: CallResult,
  text: string,
): string {
  const { 'dev.chaperone/call': call, 'dev.chaperone/error': error } = resultMetaSchema.parse(result._meta);
  const folder = call?.evidence;
  const evidence =
    folder === undefined ? [] : [words.evidence(codeSpan(folder), evidenceUrl(client.url(), call?.executionId))];
  const message = error?.details.message;
  const said = message === undefined || error?.details.reason !== 'denied' ? [] : [words.said(escapeMarkdown(message))];
  return `- **${title}:** ${[result.isError ? failureReason(words, result, error) : text, ...said, ...evidence].join(' ')}`;
}

function failureReason(words: DemoWords, result: CallResult, error: z.infer<typeof errorSchema> | undefined): string {
  const reason = error?.details.reason;
  const known = new Map(Object.entries(words.refused));
  if (error?.code === 'DESKTOP_ABORTED') return words.refused.stopped;
  if (reason === 'protected') return words.nowhere;
  return known.get(reason ?? '') ?? words.failed(error?.message ?? resultText(result));
}

function evidenceUrl(url: string | null, executionId: string | undefined): string | null {
  return url === null || executionId === undefined ? null : `${url}/#/evidence/${executionId}`;
}

export const resultText = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');

/** As Markdown code. */
const codeSpan = (path: string): string => `\`${path.replaceAll(/[`\n]/g, '')}\``;

export const escapeMarkdown = (text: string): string =>
  text
    .slice(0, 300)
    .replaceAll(/[\\`*_[\]<>#~|!]/g, '\\$&')
    .replaceAll(/\s+/g, ' ');
