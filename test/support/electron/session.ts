import { EventEmitter } from 'node:events';

type Serve = (request: Request) => Response | Promise<Response>;
type Decide = (details: { url: string }, callback: (response: { cancel?: boolean }) => void) => void;
type PermissionRequest = (contents: unknown, permission: string, callback: (granted: boolean) => void) => void;

/** `electron.session`: the handlers a page's requests go through. */
export class SessionStandIn extends EventEmitter {
  readonly schemes = new Map<string, Serve>();
  readonly protocol = {
    handle: (scheme: string, serve: Serve): void => void this.schemes.set(scheme, serve),
    unhandle: (scheme: string): void => void this.schemes.delete(scheme),
  };
  readonly webRequest = {
    onBeforeRequest: (decide: Decide): void => {
      this.#decide = decide;
    },
  };
  spellChecker = true;
  #decide: Decide = (_details, callback) => callback({});
  #permission: PermissionRequest = (_contents, _permission, callback) => callback(true);
  #check: () => boolean = () => true;
  #device: () => boolean = () => true;

  setPermissionRequestHandler(handler: PermissionRequest): void {
    this.#permission = handler;
  }
  setPermissionCheckHandler(handler: () => boolean): void {
    this.#check = handler;
  }
  setDevicePermissionHandler(handler: () => boolean): void {
    this.#device = handler;
  }
  setSpellCheckerEnabled(on: boolean): void {
    this.spellChecker = on;
  }

  /** What the app would answer a page that asks for this. */
  grants(permission: string): boolean {
    let granted = true;
    this.#permission(null, permission, (answer) => (granted = answer));
    return granted || this.#check() || this.#device();
  }

  cancels(url: string): boolean {
    let cancelled = false;
    this.#decide({ url }, ({ cancel = false }) => (cancelled = cancel));
    return cancelled;
  }
}
