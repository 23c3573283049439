import { EventEmitter } from 'node:events';
import type { BrowserContext, Frame, Page, Route } from 'playwright';
import { fromChromium, toChromium } from './address.js';
import { preloadScript } from './preload.js';
import type { SessionStandIn } from './session.js';

interface FrameStandIn {
  url: string;
  parent: FrameStandIn | null;
}

export interface ContentsParts {
  id: number;
  session: SessionStandIn;
  context: Promise<BrowserContext>;
  preload: string | null;
  /** A message of a page, with the frame that really sent it. */
  received(channel: string, args: unknown[], frame: FrameStandIn): void;
}

type OpenHandler = (details: { url: string }) => { action: string };

/** `webContents`: one page of a real Chromium. Navigation, requests and messages go through the app's own handlers. */
export class ContentsStandIn extends EventEmitter {
  readonly id: number;
  readonly session: SessionStandIn;
  readonly mainFrame: FrameStandIn;
  /** Addresses that asked to be opened in a window of their own. */
  readonly opened: string[] = [];
  #frames = new WeakMap<Frame, FrameStandIn>();
  #page: Promise<Page>;
  #tail: Promise<unknown>;
  #destroyed = false;
  #crashed = false;
  #loading: string | null = null;
  #open: OpenHandler = () => ({ action: 'allow' });

  constructor(readonly parts: ContentsParts) {
    super();
    this.id = parts.id;
    this.session = parts.session;
    this.mainFrame = this.#frameOf(() => '', null);
    this.#page = this.#openPage();
    this.#tail = this.#page;
  }

  /** The page as it is now; after a crash another one. */
  page(): Promise<Page> {
    return this.#page;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.#open = handler;
  }

  async loadURL(url: string): Promise<void> {
    if (this.#crashed) this.#page = this.#openPage();
    this.#crashed = false;
    const page = await this.#page;
    this.#loading = toChromium(url);
    await page.goto(this.#loading);
    this.#loading = null;
  }

  /** In order; to a page that is gone it goes nowhere, as in Electron. */
  send(channel: string, ...args: unknown[]): void {
    const deliver = async () => {
      const page = await this.#page;
      await page.evaluate(([name, given]) => window.__ipcDeliver?.(name, given), [channel, args] as const);
    };
    this.#tail = this.#tail.then(deliver).catch(() => undefined);
  }

  /** The renderer process dies for real. */
  async crash(): Promise<void> {
    const page = await this.#page;
    const gone = new Promise((resolve) => page.once('crash', resolve));
    const devtools = await page.context().newCDPSession(page);
    devtools.send('Page.crash').catch(() => undefined);
    await gone;
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.emit('destroyed');
    void this.parts.context.then((context) => context.close()).catch(() => undefined);
  }

  async #openPage(): Promise<Page> {
    const { preload, context } = this.parts;
    const page = await (await context).newPage();
    this.#frames.set(page.mainFrame(), this.mainFrame);
    Object.defineProperty(this.mainFrame, 'url', { get: () => fromChromium(page.url()), configurable: true });
    await page.exposeBinding('__ipcSend', ({ frame }, channel: string, args: unknown[]) =>
      this.parts.received(channel, args, this.#known(frame)),
    );
    await page.exposeBinding('__open', (_source, url: string) => {
      this.opened.push(fromChromium(url));
      this.#open({ url: fromChromium(url) });
    });
    await page.addInitScript(preloadScript(preload));
    await page.route('**/*', (route) => this.#answer(route, page));
    page.on('crash', () => {
      this.#crashed = true;
      void page.close();
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 });
    });
    return page;
  }

  #known(frame: Frame): FrameStandIn {
    const known = this.#frames.get(frame);
    if (known !== undefined) return known;
    const parent = frame.parentFrame();
    const made = this.#frameOf(() => fromChromium(frame.url()), parent === null ? null : this.#known(parent));
    this.#frames.set(frame, made);
    return made;
  }

  #frameOf(url: () => string, parent: FrameStandIn | null): FrameStandIn {
    return Object.defineProperty({ url: '', parent }, 'url', { get: url, configurable: true });
  }

  async #answer(route: Route, page: Page): Promise<void> {
    const request = route.request();
    const url = fromChromium(request.url());
    if (request.isNavigationRequest()) {
      const isMainFrame = request.frame() === page.mainFrame();
      const asked = this.#loading !== request.url() && this.#prevents(url, isMainFrame);
      if (asked) return route.abort('aborted');
      this.emit('did-start-navigation', { url, isMainFrame, isSameDocument: false });
    }
    if (this.session.cancels(url)) return route.abort('blockedbyclient');
    const serve = this.session.schemes.get(new URL(url).protocol.replace(':', ''));
    if (serve === undefined) return route.abort('internetdisconnected');
    const response = await serve(new Request(url, { method: request.method() }));
    const body = Buffer.from(await response.arrayBuffer());
    await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
  }

  #prevents(url: string, isMainFrame: boolean): boolean {
    let stopped = false;
    this.emit('will-frame-navigate', { url, isMainFrame, preventDefault: () => (stopped = true) });
    return stopped;
  }
}
