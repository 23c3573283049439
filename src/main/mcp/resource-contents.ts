/** A tool's result as the contents of a resource. Pure. */
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult } from '@modelcontextprotocol/server';
import { isRecord } from '../../base/is-record.js';
import type { ErrorCode } from '../protocol/index.js';
import { JSON_TYPE } from './observation-buffer.js';
import { isPending, type HostToolResult } from './results.js';

type Contents = ReadResourceResult['contents'];

/** What MCP leaves to servers: the request was understood, and not done. */
const NOT_DONE = -32_000;
const INVALID: ReadonlySet<unknown> = new Set<ErrorCode>(['DESKTOP_INVALID_REQUEST', 'DESKTOP_ELEMENT_NOT_FOUND']);

/** Throws ProtocolError where there is no result, or none yet. */
export function contentsOf(uri: string, mimeType: string, result: HostToolResult): Contents {
  if (result.isError === true) throw failure(result);
  if (isPending(result)) throw new ProtocolError(NOT_DONE, `${WAITS} ${textOf(result)}`, result.structuredContent);
  const pictures = result.content.flatMap((block) => pictureOf(uri, block));
  if (mimeType !== JSON_TYPE && pictures.length > 0) return pictures;
  return [{ uri, mimeType: JSON_TYPE, text: valueOf(result) }, ...pictures];
}

const WAITS = 'The person has not answered yet: read the same resource again to go on waiting.';

function failure(result: HostToolResult): ProtocolError {
  const told = result._meta ?? {};
  const error = isRecord(told) ? (told['dev.chaperone/error'] ?? result.structuredContent?.['error']) : undefined;
  const code = isRecord(error) && INVALID.has(error['code']) ? ProtocolErrorCode.InvalidParams : NOT_DONE;
  return new ProtocolError(code, textOf(result), error);
}

function pictureOf(uri: string, block: HostToolResult['content'][number]): Contents {
  const { type, data, mimeType } = block;
  if (type !== 'image' || typeof data !== 'string' || typeof mimeType !== 'string') return [];
  return [{ uri, mimeType, blob: data }];
}

/** A result with a picture has its value beside it. */
function valueOf({ structuredContent, _meta: meta, content }: HostToolResult): string {
  const value = structuredContent ?? (isRecord(meta) ? meta['dev.chaperone/value'] : undefined);
  return JSON.stringify(value ?? { text: textOf({ content }) });
}

const textOf = ({ content }: Pick<HostToolResult, 'content'>): string =>
  content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
