import type { RunResult } from '../action/rooms.js';
import { isControl } from '../action/rooms.js';
import type { WireError } from '../protocol/index.js';
import type { Images } from '../tools/common.js';
import type { ContentBlock, ToolResult } from './hub.js';

/** What is known of an act, beside the handler's own value. */
export function known(result: RunResult): Record<string, unknown> {
  const { value, verified, incomplete } = result;
  const fields = typeof value === 'object' && value !== null ? { ...value } : { value };
  const evidence =
    'evidence' in fields && typeof fields.evidence === 'object'
      ? { evidence: { ...fields.evidence, ...(incomplete ? { incomplete } : {}) } }
      : {};
  if (!isControl(result.effect) || verified === null) return { ...fields, ...evidence };
  return { ...fields, ...evidence, effect: verified.effect, before: verified.before, after: verified.after };
}

/** A ready CallToolResult. With a picture there is no structured part: clients drop the caption then. */
export function toolResult(result: RunResult, images: Images, agentId: string): ToolResult {
  const value = known(result);
  const text: ContentBlock = {
    type: 'text',
    text: [result.text ?? JSON.stringify(result.value), ...effectLines(result)].join('\n'),
  };
  const meta = {
    executionId: result.executionId,
    ...(result.evidenceDir === null ? {} : { evidence: result.evidenceDir }),
    ...(result.incomplete ? { incomplete: true } : {}),
  };
  const image = imageOf(value, images, agentId);
  if (image !== null)
    return { content: [image, text], _meta: { 'dev.chaperone/call': meta, 'dev.chaperone/value': value } };
  return { content: [text], structuredContent: value, _meta: { 'dev.chaperone/call': meta } };
}

function effectLines({ effect, verified, incomplete, evidenceDir }: RunResult): string[] {
  const lines: string[] = [];
  if (isControl(effect) && verified !== null) {
    const words = {
      confirmed: 'confirmed: the application changed',
      no_change: 'no_change: nothing visible changed',
      unverified: 'unverified: look before you go on',
    }[verified.effect];
    lines.push(`Effect: ${words}`, ...changes('Before', verified.before), ...changes('After', verified.after));
  }
  if (incomplete) lines.push('The evidence of this call is incomplete.');
  if (evidenceDir !== null) lines.push(`Evidence: ${evidenceDir}`);
  return lines;
}

function changes(label: string, what: unknown): string[] {
  if (Array.isArray(what)) return what.length === 0 ? [] : [`${label}: ${what.join('; ')}`];
  return what === null || what === undefined ? [] : [`${label}: ${JSON.stringify(what)}`];
}

function imageOf(value: Record<string, unknown>, images: Images, agentId: string): ContentBlock | null {
  const { image } = value;
  const id = typeof image === 'object' && image !== null && 'id' in image ? image.id : null;
  const found = typeof id === 'string' ? images.get(id, agentId) : null;
  return found === null
    ? null
    : { type: 'image', data: Buffer.from(found.bytes).toString('base64'), mimeType: found.mimeType };
}

/** A failure as the model reads it: the code, what happened, the next step, and what helps to take it. */
export function toolFailure(error: WireError): ToolResult {
  const shape = error.toJSON();
  const { next: _next, ...details } = shape.details;
  const extra = Object.keys(details).length === 0 ? [] : [`Details: ${JSON.stringify(details)}`];
  return {
    content: [{ type: 'text', text: [`${shape.code}: ${shape.message}`, `Next: ${error.next}`, ...extra].join('\n') }],
    isError: true,
    _meta: { 'dev.chaperone/error': { ...shape } },
  };
}
