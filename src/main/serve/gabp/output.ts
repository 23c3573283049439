/** A tool result as a plain GABP caller gets it: the structured value, pictures as addresses to read. Pure. */
import * as z from 'zod';
import { ERRORS, WireError, type ErrorCode } from '../../protocol/index.js';
import { GABP_ERRORS, GabpFault } from '../../protocol/gabp.js';
import type { ContentBlock, CallToolResult } from '../../calls/types.js';
import { message, verbatim, type Message } from '../../../messages/index.js';

/** Throws for a result that says it is an error: with its own code where it carries one. */
export function toolOutput(result: CallToolResult): unknown {
  if (result.isError === true) throw failure(result);
  const value = result.structuredContent ?? record(result._meta?.['dev.chaperone/value']);
  const pictures = result.content.filter((block) => block.type === 'image');
  const output = value ?? { text: joinText(result.content) };
  if (pictures.length === 0) return output;
  return { ...output, images: pictures.map((block) => imageReference(block, output)) };
}

const imageSchema = z.looseObject({ images: z.array(z.object({ uri: z.string(), mimeType: z.string() })) });

/** The addresses of pictures in an output. */
export function imagesIn(output: unknown): { uri: string; mimeType: string }[] {
  const read = imageSchema.safeParse(output);
  return read.success ? read.data.images : [];
}

function imageUri(id: string): string {
  return `gabp://chaperone/images/${id}`;
}

/** The picture the value names is in the host's store; any other travels whole, as a data address. */
function imageReference(block: { data: string; mimeType: string }, value: Record<string, unknown>): unknown {
  const id = record(value['image'])?.['id'];
  const uri = typeof id === 'string' ? imageUri(id) : `data:${block.mimeType};base64,${block.data}`;
  return { uri, mimeType: block.mimeType };
}

function failure(result: CallToolResult): Error {
  const error = record(result._meta?.['dev.chaperone/error']);
  const code = error?.['code'];
  if (error === null || !isErrorCode(code))
    return new GabpFault(GABP_ERRORS.toolFailed, saidOrFailed(joinText(result.content)));
  const text = error['message'];
  return new WireError(
    code,
    verbatim(typeof text === 'string' ? text : joinText(result.content)),
    record(error['details']) ?? {},
    error['retryable'] === true,
  );
}

const saidOrFailed = (said: string): Message => (said === '' ? message('gabp.tool_failed') : verbatim(said));

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

function joinText(content: ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function record(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}
