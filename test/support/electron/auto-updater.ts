/**
 * Stands in for `autoUpdater` on macOS (Squirrel): fetches from the address it was given, takes only what this app's team signed, and
 * installs as it quits, once no window is left.
 */
import { EventEmitter } from 'node:events';
import * as z from 'zod';
import type { AppStandIn } from './app.js';

const feed = z.object({ url: z.url() });

export class AutoUpdaterStandIn extends EventEmitter {
  /** What has taken this app's place. */
  installed: string | null = null;
  #url = '';
  #headers: Record<string, string> = {};
  #staged: string | null = null;

  constructor(readonly app: AppStandIn) {
    super();
  }
  setFeedURL({ url, headers = {} }: { url: string; headers?: Record<string, string> }): void {
    this.#url = url;
    this.#headers = headers;
  }
  checkForUpdates(): void {
    this.#take().then(
      () => this.emit('update-downloaded'),
      (error: unknown) => this.emit('error', error),
    );
  }
  quitAndInstall(): void {
    this.emit('before-quit-for-update');
    for (const window of [...this.app.windows]) window.close();
    if (this.app.windows.size > 0) return;
    if (this.#staged === null) return void this.emit('error', new Error('No update available, can’t quit and install'));
    this.installed = this.#staged;
    this.app.quit();
  }

  async #take(): Promise<void> {
    const answer = await fetch(this.#url, { headers: this.#headers });
    if (!answer.ok) throw new Error(`The address answered ${answer.status}`);
    const { url } = feed.parse(await answer.json());
    const content = await (await fetch(url)).text();
    if (!content.endsWith(`signed by ${this.app.machine.team}`))
      throw new Error('Code signature at URL file:///update did not pass validation\nNSOSStatusErrorDomain -67050');
    this.#staged = content;
  }
}
