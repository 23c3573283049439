/** Which Host and Origin a request may name. Without this a website could use the page's address from the person's browser. */
import type { IncomingMessage } from 'node:http';

interface Fault {
  status: 400 | 403;
  text: string;
}

/** Host must be one of our names with our port; Origin, which an upgrade must have, must be that very host. */
export function hostAndOriginFault(request: IncomingMessage, needsOrigin: boolean): Fault | null {
  if (request.url?.startsWith('/') !== true) return { status: 400, text: 'Only paths are served.' };
  const host = single(request, 'host');
  if (host === null || !ourHosts(request.socket.localPort ?? 0).includes(host))
    return { status: 403, text: 'Forbidden: wrong Host.' };
  const origins = all(request, 'origin');
  if (origins.length === 0) return needsOrigin ? { status: 403, text: 'Forbidden: Origin is required.' } : null;
  return origins.length === 1 && origins[0] === `http://${host}`
    ? null
    : { status: 403, text: 'Forbidden: wrong Origin.' };
}

function ourHosts(port: number): string[] {
  return ['localhost', '127.0.0.1', '[::1]'].map((name) => (port === 80 ? name : `${name}:${port}`));
}

/** Every value as sent: the parsed headers keep only the first Host. */
function all(request: IncomingMessage, name: string): string[] {
  const raw = request.rawHeaders;
  return raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
}

function single(request: IncomingMessage, name: string): string | null {
  const values = all(request, name);
  return values.length === 1 ? (values[0] ?? null) : null;
}
