/**
 * The applications that a process belongs to beside its own: what a person excludes also shows windows by helpers with bundles of
 * their own, such as a login item with a popover in the menu bar.
 */
import { pathToFileURL } from 'node:url';
import type { Core } from '../core.js';
import { readBundle } from '../launching/bundles.js';

/** Of an outer bundle of a path: `/Applications/Vault.app` of `/Applications/Vault.app/Contents/Library/LoginItems/Helper.app/…`. */
const BUNDLE = /\.app(?=\/)/g;

interface Running {
  id: string | null;
  /** With a Dock icon. */
  regular: boolean;
}

export class RelatedApps {
  readonly #core: Core;
  /** By the paths of bundles; a bundle keeps its id. */
  readonly #ids = new Map<string, string>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** `own`: its own id. What has a Dock icon is an application for itself, whoever started it. */
  idsOf(pid: number, program: string, running: ReadonlyMap<number, Running>, own: string): string[] {
    const isApp = running.get(pid)?.regular ?? false;
    const responsible = isApp ? null : this.#core.processes.responsible(pid);
    const ids = [
      ...[...program.matchAll(BUNDLE)].map(({ index }) => this.#idOf(program.slice(0, index + '.app'.length))),
      responsible === null ? null : running.get(responsible)?.id,
    ];
    return [...new Set(ids)].filter((id) => typeof id === 'string' && id !== '' && id !== own).map(String);
  }

  #idOf(path: string): string | null {
    const known = this.#ids.get(path);
    if (known !== undefined) return known;
    const id = readBundle(this.#core, pathToFileURL(path).href)?.id ?? null;
    if (id !== null) this.#ids.set(path, id);
    return id;
  }
}
