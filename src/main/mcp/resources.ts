/**
 * MCP's resources. Comes in: addresses. Goes out: calls of the tools that they name, and what observations saw. An address is never
 * a way around the person. Called by the server.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { formatEnglish, message } from '../../messages/index.js';
import type { ListedResource } from '../calls/resources.js';
import type { McpBackend, McpClientInfo, Wait } from './backend.js';
import { JSON_TYPE, type ObservationBuffer } from './observation-buffer.js';
import { isRecord } from '../../base/type-guards.js';
import type { ErrorCode } from '../protocol/index.js';
import { isPending, type HostToolResult, type CallState } from './results.js';

// A tool's result as the contents of a resource. Pure.

type Contents = ReadResourceResult['contents'];

/** What MCP leaves to servers: the request was understood, and not done. */
const NOT_DONE = -32_000;
const INVALID: ReadonlySet<unknown> = new Set<ErrorCode>(['DESKTOP_INVALID_REQUEST', 'DESKTOP_ELEMENT_NOT_FOUND']);

/** Throws ProtocolError where there is no result, or none yet. */
function contentsOf(uri: string, mimeType: string, result: HostToolResult): Contents {
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

/** Of all addresses of the host. */
export const RESOURCE_SCHEME = 'chaperone://';
const MAX_SUBSCRIPTIONS = 200;
const MAX_SHOWN_URI = 200;

export interface ResourcesOptions {
  backend: McpBackend;
  observations: Pick<ObservationBuffer, 'list' | 'read'>;
  progressIntervalMs: number;
  clientOf(context: ServerContext): McpClientInfo | null;
}

export function serveResources(server: Server, options: ResourcesOptions): void {
  const { backend, observations } = options;
  server.setRequestHandler('resources/list', async ({ params }) => {
    rejectCursor(params?.cursor);
    const { resources } = await backend.resources();
    const listed = resources.map(({ path, ...shown }) => ({ uri: `${backend.scheme}${path}`, ...shown }));
    return { resources: [...listed, ...observations.list()] };
  });
  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    rejectCursor(params?.cursor);
    const { templates } = await backend.resources();
    const listed = templates.map((template) => {
      const { path: _path, size: _size, ...shown } = template;
      return { uriTemplate: templateUri(backend, template), ...shown };
    });
    return { resourceTemplates: listed };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const seen = observations.read(uri);
    if (seen !== null) return { contents: [{ uri, mimeType: JSON_TYPE, text: seen }] };
    return { contents: await read(uri, options, context) };
  });
}

async function read(uri: string, { backend, clientOf, progressIntervalMs }: ResourcesOptions, context: ServerContext) {
  const target = await targetOf(uri, backend);
  if (target.kind === 'content') return [{ uri, mimeType: target.mimeType, blob: target.base64 }];
  const result = await whileWaiting(context, progressIntervalMs, (wait) =>
    backend.call(target.tool, target.arguments, clientOf(context), wait),
  );
  return contentsOf(uri, target.mimeType, result);
}

async function targetOf(uri: string, backend: McpBackend) {
  const { scheme } = backend;
  const target = uri.startsWith(scheme) ? await backend.resource(uri.slice(scheme.length)) : null;
  if (target === null) throw notFound(uri);
  return target;
}

const tooMany = (): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    formatEnglish(message('error.too_many_subscriptions', { max: MAX_SUBSCRIPTIONS })),
  );

const notFound = (uri: string): ResourceNotFoundError => {
  const shown = uri.slice(0, MAX_SHOWN_URI);
  return new ResourceNotFoundError(shown, formatEnglish(message('error.no_such_resource', { uri: shown })));
};

export const appEventsUri = (app: string): string => `${RESOURCE_SCHEME}apps/${app}/events`;
export const templateUri = ({ scheme }: Pick<McpBackend, 'scheme'>, { path }: ListedResource): string =>
  `${scheme}${path}`;
/** Whose client wants to hear that a resource has changed; up to 2025-11-25, later versions subscribe by `subscriptions/listen`. */
export function serveSubscriptions(
  server: Server,
  { backend, observations }: ResourcesOptions,
): { has(uri: string): boolean } {
  const subscribed = new Set<string>();
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (observations.read(uri) === null) await targetOf(uri, backend);
    if (subscribed.size >= MAX_SUBSCRIPTIONS && !subscribed.has(uri)) throw tooMany();
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  return subscribed;
}

/** Lists are never split into pages, so every cursor is invalid. */
export function rejectCursor(cursor: string | undefined): void {
  if (cursor === undefined || cursor === '') return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'This cursor is not one of ours: the list comes whole. Ask again without a cursor.',
  );
}

/** A request that may have to wait for the person: its progress is reported while it does. */
export async function whileWaiting<T>(
  { mcpReq, http }: ServerContext,
  progressIntervalMs: number,
  work: (wait: Wait) => Promise<T>,
): Promise<T> {
  const { id, signal, _meta, notify } = mcpReq;
  const progress = reportProgress(_meta?.progressToken, progressIntervalMs, (params) => {
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  });
  try {
    return await work({
      id,
      signal,
      onProgress: progress.update,
      ...(http?.req === undefined ? {} : { http: http.req }),
    });
  } finally {
    progress.end();
  }
}

interface ProgressNote {
  progressToken: string | number;
  progress: number;
  message: string;
  [other: string]: unknown;
}

interface ProgressReport {
  update(state: CallState): void;
  end(): void;
}

/** MCP progress, at every change and every interval, with increasing numbers. Only where the client gave a token. */
function reportProgress(
  progressToken: string | number | undefined,
  intervalMs: number,
  send: (note: ProgressNote) => void,
): ProgressReport {
  if (progressToken === undefined) return { update: () => undefined, end: () => undefined };
  let progress = 0;
  let message = 'waiting for Chaperone';
  const sendNext = (): void => {
    progress += 1;
    send({ progressToken, progress, message });
  };
  const timer = setInterval(sendNext, intervalMs);
  return {
    update: (state) => {
      message = `${state.state}: ${state.message}`;
      sendNext();
    },
    end: () => clearInterval(timer),
  };
}
