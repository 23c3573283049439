import { readFileSync } from 'node:fs';
import ts from 'typescript';

declare global {
  interface Window {
    __ipcSend(channel: string, args: unknown[]): Promise<void>;
    __ipcDeliver?(channel: string, args: readonly unknown[]): void;
    __open(url: string): Promise<void>;
  }
}

/** The app's own preload source, compiled as the build does it. Runs in the page's world: there is no context isolation here. */
export function preloadScript(file: string | null): string {
  const code = file === null ? '' : compiled(file);
  return `(${inPage.toString()})(function (require, exports, module) {\n${code}\n});`;
}

function compiled(file: string): string {
  const source = readFileSync(file, 'utf8');
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
  return ts.transpileModule(source, { fileName: file, compilerOptions }).outputText;
}

type Listener = (event: unknown, ...args: unknown[]) => void;
type Preload = (require: (name: string) => unknown, exports: object, module: { exports: object }) => void;

/** Runs inside of Chromium, before any script of the page. */
function inPage(preload: Preload): void {
  if (window !== window.top) return;
  const listeners = new Map<string, Listener[]>();
  window.__ipcDeliver = (channel, args) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, ...args);
  };
  const ipcRenderer = {
    send: (channel: string, ...args: unknown[]) => void window.__ipcSend(channel, args),
    on: (channel: string, listener: Listener) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    removeAllListeners: (channel: string) => void listeners.delete(channel),
  };
  const contextBridge = {
    exposeInMainWorld: (key: string, api: object) =>
      Object.defineProperty(window, key, { value: Object.freeze(api), configurable: false, writable: false }),
  };
  const require = (name: string) => {
    if (name !== 'electron') throw new Error(`a sandboxed preload cannot require ${name}`);
    return { ipcRenderer, contextBridge };
  };
  preload(require, {}, { exports: {} });
  window.open = (url) => {
    void window.__open(new URL(String(url ?? ''), location.href).href);
    return null;
  };
  window.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[target=_blank]') : null;
    if (link === null || event.defaultPrevented) return;
    event.preventDefault();
    void window.__open(link.href);
  });
}
