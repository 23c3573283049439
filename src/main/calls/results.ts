import * as z from 'zod';
import { isControlEffect, type WireError } from '../protocol/index.js';
import type { RunResult } from '../pipeline/dependencies.js';
import type { Verification } from '../pipeline/action.js';
import { withLocalCommand, PROGRAM_NAME } from '../protocol/local-command.js';
import type { Images } from '../tools/images.js';
import { truncateMeasured, truncateText, truncateValue } from './truncate.js';
import type { WrittenMessage } from '../chat/questions.js';
import type { ContentBlock, CallToolResult, MeasuredResult } from './types.js';

/** Result fields besides the handler's value. */
export function resultFields(result: RunResult): Record<string, unknown> {
  const { value, verified, incomplete, kept } = result;
  const fields = typeof value === 'object' && value !== null ? { ...value } : { value };
  const evidence =
    'evidence' in fields && typeof fields.evidence === 'object'
      ? {
          evidence: { ...fields.evidence, ...(incomplete ? { incomplete } : {}), ...(kept.length > 0 ? { kept } : {}) },
        }
      : {};
  if (!isControlEffect(result.effect) || verified === null) return { ...fields, ...evidence };
  return { ...fields, ...evidence, effect: verified.effect, before: verified.before, after: verified.after };
}

/** The last line of acts and pictures there. */
const OWN_DESKTOP = 'Desktop: your own';

/** A CallToolResult. `own`: of a desktop of the agent's own. With a picture it has no structured part, because clients would drop the caption. */
export function toolResult(
  result: RunResult,
  images: Images,
  { agentId, own = false }: { agentId: string; own?: boolean },
): MeasuredResult {
  const value = resultFields(result);
  // The lines about the effect are never shortened.
  const pictures = [...imageOf(value, images, agentId), ...givenImages(value)];
  const lines = [
    truncateText(result.text ?? JSON.stringify(result.value)),
    ...effectLines(result, pictures.length > 0),
    ...(own && (pictures.length > 0 || isControlEffect(result.effect)) ? [OWN_DESKTOP] : []),
  ];
  const text: ContentBlock = { type: 'text', text: lines.join('\n') };
  const meta = {
    executionId: result.executionId,
    ...(own ? { desktop: 'own' } : {}),
    ...(result.evidenceDir === null ? {} : { evidence: result.evidenceDir }),
    ...(result.incomplete ? { incomplete: true } : {}),
    ...(result.withheld === true ? {} : { timing: result.times }),
  };
  const { images: _given, ...rest } = value;
  const { value: kept, size: valueSize } = truncateMeasured(pictures.length === 0 ? value : rest);
  if (pictures.length === 0)
    return {
      result: { content: [text], structuredContent: kept, _meta: { 'dev.chaperone/call': meta } },
      valueSize,
    };
  return {
    result: { content: [...pictures, text], _meta: { 'dev.chaperone/call': meta, 'dev.chaperone/value': kept } },
    valueSize,
  };
}

/** Where the evidence is, is told of acts and pictures: of what was only read, an agent has it all in the answer. */
function effectLines({ effect, verified, incomplete, evidenceDir, kept }: RunResult, hasPicture: boolean): string[] {
  const lines: string[] = [];
  if (isControlEffect(effect) && verified !== null) {
    const words = {
      confirmed: 'confirmed: the change was seen',
      no_change: 'no_change: nothing visible changed',
      unverified: isNothingSoFar(verified)
        ? 'unverified: nothing visible has changed so far; a change may still come'
        : 'unverified: look before you go on',
    }[verified.effect];
    lines.push(`Effect: ${words}`, ...changes('Before', verified.before), ...changes('After', verified.after));
  }
  if (incomplete) lines.push('The evidence of this call is incomplete.');
  if (evidenceDir !== null && (hasPicture || isControlEffect(effect))) lines.push(`Evidence: ${evidenceDir}`);
  if (kept.length > 0) lines.push(`Kept with Chaperone, as you may not see what it shows: ${kept.join(', ')}`);
  return lines;
}

const isEmpty = (lines: unknown): boolean => Array.isArray(lines) && lines.length === 0;

/** Compared with what was there before, and no different; where nothing could be compared, there are no lines. */
const isNothingSoFar = ({ before, after }: Verification): boolean => isEmpty(before) && isEmpty(after);

/** Longest text of `before` or `after`; the structured value has all of it. */
const MAX_CHANGE_LENGTH = 5_000;

function changes(label: string, what: unknown): string[] {
  if (what === null || what === undefined || (Array.isArray(what) && what.length === 0)) return [];
  const text = Array.isArray(what) ? what.join('; ') : JSON.stringify(what);
  return [truncateText(`${label}: ${text}`, MAX_CHANGE_LENGTH)];
}

/** The captured picture, from the store; none where the agent has it. */
function imageOf(value: Record<string, unknown>, images: Images, agentId: string): ContentBlock[] {
  const { image, unchanged } = value;
  if (unchanged === true) return [];
  const id = typeof image === 'object' && image !== null && 'id' in image ? image.id : null;
  const found = typeof id === 'string' ? images.get(id, agentId) : null;
  return found === null
    ? []
    : [{ type: 'image', data: Buffer.from(found.bytes).toString('base64'), mimeType: found.mimeType }];
}

const givenSchema = z.array(z.object({ mimeType: z.string(), base64: z.string() }));

/** Pictures inside the value, such as those of a reply, as content blocks: models see only those. */
function givenImages(value: Record<string, unknown>): ContentBlock[] {
  const given = givenSchema.safeParse(value['images']);
  return given.success ? given.data.map(({ mimeType, base64: data }) => ({ type: 'image', data, mimeType })) : [];
}

/** A failure for the model: code, message, next step, and details that help with it. */
export function toolFailure(error: WireError, command: string = PROGRAM_NAME): CallToolResult {
  const shape = error.toJSON();
  // Already part of the message or of the next step.
  const { next: _next, issues: _issues, keys: _keys, modifiers: _modifiers, tools: _tools, ...details } = shape.details;
  const lines = [`${shape.code}: ${shape.message}`, `Next: ${withLocalCommand(error.next, command)}`];
  if (Object.keys(details).length > 0) lines.push(`Details: ${JSON.stringify(details)}`);
  return {
    content: [{ type: 'text', text: truncateText(lines.join('\n')) }],
    isError: true,
    _meta: { 'dev.chaperone/error': truncateValue({ ...shape }) },
  };
}

/** What the person wrote to this agent meanwhile: in the text, and in the structured part, because clients show one of the two. */
export function withWritten(measured: MeasuredResult, written: readonly WrittenMessage[]): MeasuredResult {
  if (written.length === 0) return measured;
  const { content, structuredContent, ...rest } = measured.result;
  const lines = written.map(({ text, at }): ContentBlock => ({
    type: 'text',
    text: `The person wrote to you (${at}): ${text}`,
  }));
  const structured = structuredContent && { ...structuredContent, written_by_person: written };
  return {
    result: { ...rest, content: [...content, ...lines], ...(structured && { structuredContent: structured }) },
    valueSize: measured.valueSize + written.reduce((sum, { text }) => sum + text.length, 0),
  };
}
