import * as z from 'zod';
import { isControlEffect, type WireError } from '../protocol/index.js';
import type { RunResult } from '../pipeline/dependencies.js';
import type { Verification } from '../pipeline/action.js';
import { withLocalCommand, PROGRAM_NAME } from '../protocol/local-command.js';
import type { Images } from '../tools/images.js';
import type { WrittenMessage } from '../chat/questions.js';
import type { ContentBlock, CallToolResult, MeasuredResult } from './types.js';
import { isRecord } from '../../base/type-guards.js';
import { sliceText } from '../../base/text.js';

/** Most characters of text and of structured content, each. Known clients keep about 50,000 and put the rest into a file. */
const MAX_CHARACTERS = 200_000;
/** A string longer than its share is shortened before whole items of a list are left out. */
const MAX_STRING_LENGTH = 50_000;

/** How much of a field is left, of a total of `of` list items or characters. */
interface Truncation {
  kept: number;
  of: number;
}

interface MeasuredValue {
  value: Record<string, unknown>;
  /** Characters of its JSON. */
  size: number;
}

/** Limits results to the size that clients accept, and says what was left out. Larger results lose the connection. Pure. */
export function truncateText(text: string, most = MAX_CHARACTERS): string {
  if (text.length <= most) return text;
  return `${sliceText(text, most)}\n[Cut: ${most} of ${text.length} characters. Ask for less: a smaller page_size or depth, or a narrower parent.]`;
}

/** The value itself where it is small enough; else with long strings and lists shortened, and `cut` with how much is left, by path. */
export const truncateValue = (value: Record<string, unknown>, most = MAX_CHARACTERS): Record<string, unknown> =>
  truncateMeasured(value, most).value;

/** With the size of what is left, because measuring a large value takes as long as sending it. */
function truncateMeasured(value: Record<string, unknown>, most = MAX_CHARACTERS): MeasuredValue {
  const whole = size(value);
  if (whole <= most) return { value, size: whole };
  const cuts = new Map<string, Truncation>();
  let kept: unknown = value;
  for (let budget = Math.floor(most * 0.9); budget >= 1_000 && size(kept) > most; budget = Math.floor(budget / 2)) {
    cuts.clear();
    kept = shorten(value, budget, [], cuts);
  }
  const truncated = { ...(isRecord(kept) ? kept : {}), cut: Object.fromEntries(cuts) };
  const left = size(truncated);
  return left <= most ? { value: truncated, size: left } : { value: { cut: { '': { kept: 0, of: whole } } }, size: 0 };
}

/** `budget`: characters left for this part. List items use it in their order. */
function shorten(value: unknown, budget: number, path: string[], cuts: Map<string, Truncation>): unknown {
  if (typeof value === 'string') return shortString(value, Math.min(budget, MAX_STRING_LENGTH), path, cuts);
  if (Array.isArray(value)) return shortList(value, budget, path, cuts);
  if (!isRecord(value) || size(value) <= budget) return value;
  const entries = Object.entries(value);
  const small = entries.filter(([, part]) => size(part) <= budget / entries.length);
  const left = budget - small.reduce((sum, [, part]) => sum + size(part), 0);
  const share = Math.floor(left / Math.max(1, entries.length - small.length));
  return Object.fromEntries(entries.map(([name, part]) => [name, shorten(part, share, [...path, name], cuts)]));
}

function shortString(value: string, most: number, path: string[], cuts: Map<string, Truncation>): string {
  if (value.length <= most) return value;
  const kept = sliceText(value, most);
  cuts.set(path.join('.'), { kept: kept.length, of: value.length });
  return kept;
}

function shortList(list: unknown[], budget: number, path: string[], cuts: Map<string, Truncation>): unknown[] {
  if (size(list) <= budget) return list;
  const kept: unknown[] = [];
  let left = budget;
  for (const [index, item] of list.entries()) {
    const one = kept.length === 0 ? shorten(item, left, [...path, String(index)], cuts) : item;
    left -= size(one) + 1;
    if (left < 0) break;
    kept.push(one);
  }
  if (kept.length < list.length) cuts.set(path.join('.'), { kept: kept.length, of: list.length });
  return kept;
}

const size = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

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
