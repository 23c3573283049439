/**
 * The addon for macOS's inter-process messages (NSXPC), whose source is native-addon/. Comes in: the folder of the built program.
 * Goes out: the addon, or why there is none. Loaded by the app and the command line, used by transport/ only.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { addonFile, type AddonPlace } from './addon-file.js';

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
