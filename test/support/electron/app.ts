import { EventEmitter } from 'node:events';
import type { LoginItemSettings, LoginItemSettingsOptions, Settings } from 'electron';
import { VERSION } from '../../../src/main/protocol/local-command.js';
import type { Machine } from './machine.js';
import type { WindowStandIn } from './window.js';

/** `electron.app`: the life of one process, from its lock to its exit code. */
export class AppStandIn extends EventEmitter {
  isPackaged = false;
  readonly paths = new Map<string, string>();
  readonly windows = new Set<WindowStandIn>();
  loginItem = { openAtLogin: false };
  badge = 0;
  sandboxed = false;
  languages = ['en-GB'];
  /** On macOS: no window of it shows, and only `show` of the app or of a window ends that. */
  hidden = false;
  /** On macOS: the app whose menus show. A window of it that is hidden gives that to no other app. */
  active = false;
  /** launchd started this process for the bridge service, and ends with it whatever else it has started. */
  isJob = false;
  /** Of the bridge service, as SMAppService has it: one that never was registered is not “not-registered”. */
  service: LoginItemSettings['status'] = 'not-found';
  /** How often it was to be registered; the system tells the person of each. */
  registrations = 0;
  /** Another one starts once it has ended. */
  relaunches = false;
  /** Its exit code, once it has ended. */
  readonly exited: Promise<number>;
  #end: (code: number) => void = () => undefined;
  #ended = false;

  constructor(readonly machine: Machine) {
    super();
    this.exited = new Promise((resolve) => (this.#end = resolve));
  }

  setName(_name: string): void {}
  setPath(name: string, path: string): void {
    this.paths.set(name, path);
  }
  getPath(name: string): string {
    return this.paths.get(name) ?? '/nowhere';
  }
  getName(): string {
    return 'Chaperone';
  }
  getVersion(): string {
    return VERSION;
  }
  relaunch(): void {
    this.relaunches = true;
  }
  getAppPath(): string {
    return '/app';
  }
  focus(_options?: { steal: boolean }): void {
    this.active = true;
  }
  enableSandbox(): void {
    this.sandboxed = true;
  }
  isReady(): boolean {
    return true;
  }
  whenReady(): Promise<void> {
    return Promise.resolve();
  }
  getPreferredSystemLanguages(): string[] {
    return this.languages;
  }
  setBadgeCount(count = 0): boolean {
    this.badge = count;
    return true;
  }
  releaseSingleInstanceLock(): void {
    for (const [folder, holder] of this.machine.locks) if (holder === this) this.machine.locks.delete(folder);
  }
  getLoginItemSettings({ type }: LoginItemSettingsOptions = {}): LoginItemSettings {
    const status = type === 'agentService' ? this.service : 'not-registered';
    const others = { wasOpenedAtLogin: false, executableWillLaunchAtLogin: false, launchItems: [] };
    return { ...this.loginItem, ...others, status };
  }
  setLoginItemSettings({ openAtLogin = false, type }: Settings): void {
    if (type !== 'agentService') this.loginItem = { openAtLogin };
    else if (openAtLogin) this.#register();
    else if (this.service === 'enabled') this.service = 'not-registered';
  }
  /** Of an app without a signature nothing is registered, and nothing that the person has switched off. */
  #register(): void {
    this.registrations += 1;
    if (this.machine.team !== null && this.service !== 'requires-approval') this.service = 'enabled';
  }
  hide(): void {
    this.hidden = true;
    this.active = false;
  }

  requestSingleInstanceLock(): boolean {
    const folder = this.paths.get('userData') ?? '';
    const holder = this.machine.locks.get(folder);
    if (holder !== undefined && holder !== this) {
      holder.emit('second-instance', {}, [], '/');
      return false;
    }
    this.machine.locks.set(folder, this);
    return true;
  }

  /** As Electron does it: asked first, then every window, then the end; whoever prevents it keeps the app alive. */
  quit(): void {
    if (this.#ended || prevented(this, 'before-quit')) return;
    for (const window of [...this.windows]) if (!window.close()) return;
    if (prevented(this, 'will-quit')) return;
    this.exit(0);
  }

  exit(code = 0): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.isJob) this.relaunches = false;
    for (const [folder, holder] of this.machine.locks) if (holder === this) this.machine.locks.delete(folder);
    for (const window of [...this.windows]) window.destroy();
    this.emit('quit', {}, code);
    this.#end(code);
  }
}

export function prevented(emitter: EventEmitter, name: string, ...rest: unknown[]): boolean {
  let stopped = false;
  emitter.emit(name, { preventDefault: () => (stopped = true) }, ...rest);
  return stopped;
}
