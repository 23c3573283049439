/** Web sites of a test, each an origin of its own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  origin: string;
  /** Paths that were asked for, but for pictures of the site. */
  asked: string[];
  close(): void;
}

/** `pages`: by path; one that begins with http leads there. */
export async function openSite(pages: Readonly<Record<string, string>>): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    if (path !== '/favicon.ico') asked.push(request.url ?? '/');
    const page = pages[path] ?? `<title>${path}</title><p>${path}`;
    if (page.startsWith('http')) return response.writeHead(302, { location: page }).end();
    return response.setHeader('content-type', 'text/html').end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => void server.close(),
  };
}
