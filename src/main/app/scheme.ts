import { readFile } from 'node:fs/promises';
import { extname, join, relative, resolve, sep } from 'node:path';
import type { CustomScheme, App, Session, Shell, WebContents } from 'electron';
import type { Logger } from 'pino';
import { pagePolicy, inlineCodeOf, type InlineCode } from '../serve/page/headers.js';

/** The popover's origin; it has no port, so no other program can serve it. */
const ORIGIN = 'app://chaperone';
export const PAGE = `${ORIGIN}/index.html`;

export const SCHEME: CustomScheme = { scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } };

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.webmanifest', 'application/manifest+json'],
]);

/** True for the popover's page, whatever view it shows. */
export function isPage(address: string): boolean {
  return address === PAGE || address.startsWith(`${PAGE}#`);
}

/** Answers the popover's requests from the folder of the built page, and from nowhere else. */
export function serveFolder(dir: string): (request: Pick<Request, 'method' | 'url'>) => Promise<Response> {
  const root = resolve(dir);

  return async ({ method, url }) => {
    const file = method === 'GET' ? fileOf(root, url) : null;
    const type = file === null ? undefined : TYPES.get(extname(file));
    if (file === null || type === undefined) return missing();
    try {
      const body = await readFile(file);
      return answer(200, type, body, extname(file) === '.html' ? inlineCodeOf(body.toString('utf8')) : null);
    } catch {
      return missing();
    }
  };
}

function fileOf(root: string, url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, pathname } = new URL(url);
  if (`${protocol}//${host}` !== ORIGIN) return null;
  const file = join(root, decoded(pathname));
  const inside = relative(root, file);
  return inside === '' || inside.split(sep).some((part) => part.startsWith('.')) ? null : file;
}

/** A path with a NUL, or that cannot be decoded, counts as `/`. */
function decoded(path: string): string {
  try {
    const name = decodeURIComponent(path);
    return name.includes('\0') ? '/' : name;
  } catch {
    return '/';
  }
}

const missing = (): Response => answer(404, 'text/plain', '', null);

type Body = string | Uint8Array<ArrayBuffer>;

function answer(status: number, type: string, body: Body, inline: InlineCode | null): Response {
  return new Response(body, {
    status,
    headers: {
      'Content-Type': type,
      // Nothing is fetched or connected to: the page talks over the preload's bridge.
      'Content-Security-Policy': pagePolicy("'none'", inline),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  });
}

/** For every page of this app: no navigation, no new windows; links open in the person's browser. */
export function hardenContents(app: Pick<App, 'on'>, openOutside: (address: string) => void): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.on('will-frame-navigate', (event) => {
      if (isPage(event.url) && event.isMainFrame) return;
      event.preventDefault();
      if (event.isMainFrame) openOutside(event.url);
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url);
      return { action: 'deny' };
    });
  });
}

/** No permissions, no devices, no downloads, and no request that leaves the app. */
export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !isOwn(url) }));
}

function isOwn(url: string): boolean {
  return url.startsWith(`${ORIGIN}/`) || /^(data|blob|devtools):/.test(url);
}

/** Opens web addresses only: agents write links too, and must not start other programs. */
export function createLinkOpener(shell: Pick<Shell, 'openExternal'>, log: Logger): (address: string) => void {
  return (address) => {
    const scheme = URL.canParse(address) ? new URL(address).protocol : '';
    if (scheme !== 'https:' && scheme !== 'http:')
      return log.warn({ scheme }, 'app: a link that is no web address was not opened');
    shell.openExternal(address).catch((error: unknown) => log.error({ err: error }, 'app: a link could not be opened'));
  };
}
