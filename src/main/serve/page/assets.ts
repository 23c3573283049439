import type { IncomingMessage, ServerResponse } from 'node:http';
import sirv from 'sirv';
import { pageHeaders, watchBuiltPage } from './headers.js';

type Assets = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The built page over HTTP. Comes in: requests whose Host header was checked already. Goes out: files, `index.html` for every
 * path of the page, or an error as JSON. Nothing is cached: another program may own this port tomorrow.
 */
export function createAssets(dir: string): Assets {
  const serve = sirv(dir, { dev: true, single: true, ignores: ['^/api(/|$)', '^/ws(/|$)'] });
  const readPage = watchBuiltPage(dir);

  return (request, response) => {
    const page = readPage();
    for (const [name, value] of Object.entries(pageHeaders(request.headers.host ?? '', page?.inline ?? null)))
      response.setHeader(name, value);
    const problem = refused(request, page !== null);
    if (problem) return fail(response, ...problem);
    // At once: a person looks at nothing until it is there.
    if (page !== null && request.url === '/') return sendPage(response, page.html);
    // sirv throws on a backward range, and a page of this size needs none.
    delete request.headers.range;
    try {
      serve(request, response, () => fail(response, 404, 'not_found', 'There is nothing at this address.'));
    } catch {
      fail(response, 400, 'bad_request', 'This address cannot be read.');
    }
  };
}

type Problem = [status: number, code: string, message: string];

function refused(request: IncomingMessage, built: boolean): Problem | null {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return [405, 'method_not_allowed', 'Only GET and HEAD are answered here.'];
  if (request.headers['service-worker'] !== undefined)
    return [404, 'not_found', 'This page has no service worker, so that none can outlive it on this port.'];
  if (hidden(request.url ?? '/')) return [404, 'not_found', 'There is nothing at this address.'];
  if (!built) return [503, 'not_built', 'The page has not been built. Run `npm run build`, then reload.'];
  return null;
}

function sendPage(response: ServerResponse, html: string): void {
  response.writeHead(200, {
    'Content-Type': 'text/html;charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
  });
  response.end(html);
}

function hidden(url: string): boolean {
  try {
    return /[/\\]\.|\0/.test(decodeURIComponent(url.split(/[?#]/, 1)[0] ?? ''));
  } catch {
    return true;
  }
}

function fail(response: ServerResponse, status: number, code: string, message: string): void {
  if (status === 405) response.setHeader('Allow', 'GET, HEAD');
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ error: { code, message } }));
}
