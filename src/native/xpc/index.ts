/**
 * The addon for macOS's inter-process messages (NSXPC), whose source is native-addon/. Comes in: the folder of the built program.
 * Goes out: the addon, or why there is none. Loaded by the app and the command line, used by transport/ only.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of the package node-mac-permissions what it does rightly: it reads these three without a question, and asks for the screen at once. */
export class PermissionsLibrary {
  constructor(readonly native: Record<'getAuthStatus' | 'askForScreenCaptureAccess', (given: unknown) => unknown>) {}

  read() {
    const status = (type: string): string => String(this.native.getAuthStatus(type));
    return { accessibility: status('accessibility'), screen: status('screen'), listening: status('input-monitoring') };
  }

  /** Lists the program in Screen Recording, with the system's own question; opens no pane. Does nothing where it is allowed. */
  askForScreen(): void {
    this.native.askForScreenCaptureAccess(false);
  }
}

/** null where its native part was not built: it is optional. */
export function loadPermissionsLibrary(
  load: (file: string) => unknown = createRequire(import.meta.url),
): PermissionsLibrary | null {
  try {
    const library: unknown = load(addonFile('permissions.node'));
    return isNative(library) ? new PermissionsLibrary(library) : null;
  } catch {
    return null;
  }
}

function isNative(value: unknown): value is PermissionsLibrary['native'] {
  if (typeof value !== 'object' || value === null) return false;
  return ['getAuthStatus', 'askForScreenCaptureAccess'].every((name) => typeof Reflect.get(value, name) === 'function');
}

/** JSON-RPC error objects as text, for what is answered without this process's JavaScript. */
export interface ServiceErrors {
  tooLarge: string;
  unreadable: string;
  busy: string;
  /** JavaScript did not take the message in time, or gave no answer. */
  unanswered: string;
  closed: string;
}

export interface ServiceListenOptions {
  /** Name of the Mach service; launchd must have given it to this process. */
  service: string;
  /** What the code signature of callers must fulfil; null: nothing. */
  requirement: string | null;
  /** Of one message, in UTF-8. */
  maxBytes: number;
  maxConnections: number;
  /** Messages of one connection without a reply yet. */
  maxCalls: number;
  /** How long a message waits for JavaScript. */
  takeMs: number;
  /** How long it then waits for its reply. */
  answerMs: number;
  errors: ServiceErrors;
}

/** In order for each connection. `token`: the peer's audit token, 32 bytes. */
export type ServiceEvent =
  | { kind: 'connected'; connection: number; pid: number; uid: number; token: Uint8Array }
  | { kind: 'message'; connection: number; call: number; text: string }
  | { kind: 'closed'; connection: number };

export interface NativeService {
  /** The one reply of a message. False where it has had one. */
  reply(call: number, text: string): boolean;
  /** False once the process that connected has ended or runs another program. */
  isSame(connection: number): boolean;
  /** Answers what is open with an error, and ends the connection. */
  drop(connection: number): void;
  close(): void;
}

export interface ServiceAddon {
  /** Throws an error with the code `REQUIREMENT` where the requirement cannot be read. */
  listen(options: ServiceListenOptions, onEvent: (event: ServiceEvent) => void): NativeService;
  /** One message to a service and its reply; exactly one of `problem` and `answer` is null. */
  request(
    service: string,
    text: string,
    timeoutMs: number,
    done: (problem: string | null, answer: string | null) => void,
  ): void;
}

export type LoadedAddon =
  { kind: 'loaded'; addon: ServiceAddon } | { kind: 'absent'; reason: 'platform' | 'missing' | 'broken'; why: string };

interface LoadOptions extends AddonPlace {
  load?: (file: string) => unknown;
}

/** Never throws. */
export function loadServiceAddon({
  platform = process.platform,
  arch = process.arch,
  folder,
  load = createRequire(import.meta.url),
}: LoadOptions = {}): LoadedAddon {
  if (platform !== 'darwin') return { kind: 'absent', reason: 'platform', why: platform };
  const file = addonFile('desktop_bridge.node', { platform, arch, ...(folder === undefined ? {} : { folder }) });
  if (!existsSync(file)) return { kind: 'absent', reason: 'missing', why: file };
  try {
    const addon = load(file);
    if (isAddon(addon)) return { kind: 'loaded', addon };
    return { kind: 'absent', reason: 'broken', why: file };
  } catch (error) {
    return { kind: 'absent', reason: 'broken', why: error instanceof Error ? error.message : String(error) };
  }
}

function isAddon(value: unknown): value is ServiceAddon {
  if (typeof value !== 'object' || value === null) return false;
  return ['listen', 'request'].every((name) => typeof Reflect.get(value, name) === 'function');
}

interface AddonPlace {
  platform?: string;
  arch?: string;
  /** Of built addons, one folder for each system and processor. */
  folder?: string;
}

const BUILT = fileURLToPath(new URL('../../native-addon', import.meta.url));

/** The system's loader opens real files only, which are beside the packaged app's archive. */
export function addonFile(
  name: string,
  { platform = process.platform, arch = process.arch, folder = BUILT }: AddonPlace = {},
): string {
  return join(folder.replace(/\.asar(?=[\\/])/, '.asar.unpacked'), `${platform}-${arch}`, name);
}
