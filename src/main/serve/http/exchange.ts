/** One HTTP exchange between Node and the web's Request and Response, which the MCP SDK takes and gives. Called by the HTTP door. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';

/** As on the socket's first message of an agent: more than any call needs. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** More than the largest result; a client that leaves so much unread is cut off, and can go on by the last event it got. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/** null where it is too long. Rejects where the client leaves before the end. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Without the token. `signal` fires when the client has left. */
export function webRequest(request: IncomingMessage, body: string | null, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct))
    for (const one of name === 'authorization' ? [] : (value ?? [])) headers.append(name, one);
  const { method = 'GET', url = '/' } = request;
  return new Request(new URL(url, `http://${request.headers.host ?? 'localhost'}`), { method, headers, body, signal });
}

/** Resolves with whether all of it was sent. Never rejects. */
export async function sendResponse(from: Response, to: ServerResponse): Promise<boolean> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  to.flushHeaders();
  const sent = finished(to).then(
    () => true,
    () => false,
  );
  if (from.body === null) to.end();
  else await copy(from.body.getReader(), to);
  return sent;
}

/** The stream's source does not wait for its reader, so it is read at once, and what waits is bounded here. */
async function copy(reader: ReadableStreamDefaultReader<Uint8Array>, to: ServerResponse): Promise<void> {
  const stop = (): void => void reader.cancel().catch(() => undefined);
  to.once('close', stop);
  try {
    // Looked at each time: a source that always has more would let no event through.
    for (let part = await reader.read(); !part.done && !to.destroyed; part = await reader.read()) {
      to.write(part.value);
      if (to.writableLength > MAX_UNREAD_BYTES) to.destroy();
    }
    if (to.destroyed) stop();
    else to.end();
  } catch {
    to.destroy();
  }
}
