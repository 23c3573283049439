import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, Point, Rectangle } from 'electron';
import { prevented, type AppStandIn } from './app.js';
import { ContentsStandIn, type ContentsParts } from './contents.js';

export interface WindowParts {
  app: AppStandIn;
  contents(options: BrowserWindowConstructorOptions): ContentsParts;
}

/** A real page in a window whose place, focus and visibility are only told. */
export class WindowStandIn extends EventEmitter {
  readonly webContents: ContentsStandIn;
  place: Point = { x: 0, y: 0 };
  contentProtected = false;
  onAllWorkspaces = false;
  /** How it came into view last: with the focus, or beside what has it. */
  shownAs: 'show' | 'showInactive' | null = null;
  #visible = false;
  #focused = false;
  #onTop: boolean;
  #destroyed = false;

  constructor(
    readonly options: BrowserWindowConstructorOptions,
    readonly parts: WindowParts,
  ) {
    super();
    this.#onTop = options.alwaysOnTop ?? false;
    this.webContents = new ContentsStandIn(parts.contents(options));
    parts.app.windows.add(this);
    parts.app.emit('web-contents-created', {}, this.webContents);
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  getSize(): number[] {
    return [this.options.width ?? 0, this.options.height ?? 0];
  }
  setPosition(x: number, y: number): void {
    this.place = { x, y };
  }
  setContentProtection(on: boolean): void {
    this.contentProtected = on;
  }
  setVisibleOnAllWorkspaces(on: boolean, _options?: { visibleOnFullScreen?: boolean }): void {
    this.onAllWorkspaces = on;
  }
  setAlwaysOnTop(on: boolean, _level?: string): void {
    this.#onTop = on;
  }
  isAlwaysOnTop(): boolean {
    return this.#onTop;
  }
  isVisible(): boolean {
    return this.#visible && !this.parts.app.hidden;
  }
  isFocused(): boolean {
    return this.#focused;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  getBounds(): Rectangle {
    const [width = 0, height = 0] = this.getSize();
    return { ...this.place, width, height };
  }

  show(): void {
    this.shownAs = 'show';
    this.#visible = true;
    this.parts.app.hidden = false;
    this.focus();
  }
  showInactive(): void {
    this.shownAs = 'showInactive';
    this.#visible = true;
  }
  hide(): void {
    this.#visible = false;
    this.#focused = false;
  }
  focus(): void {
    this.#focused = true;
    // A panel takes the keys, and the app before stays the active one.
    if (this.options.type !== 'panel') this.parts.app.active = true;
    this.emit('focus');
  }
  /** The person goes to another window. */
  blur(): void {
    this.#focused = false;
    this.emit('blur');
  }

  /** False when somebody prevented it. */
  close(): boolean {
    if (prevented(this, 'close')) return false;
    this.destroy();
    return true;
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#visible = false;
    this.#focused = false;
    this.parts.app.windows.delete(this);
    this.webContents.destroy();
    this.emit('closed');
  }
}
