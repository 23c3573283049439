import type { App, Session, Shell, WebContents } from 'electron';
import type { Logger } from 'pino';
import { ORIGIN, isPage } from './scheme.js';

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
