/**
 * The files of one execution, in two places: the folder in the workspace, which its agent can read, and Chaperone's own. Each file goes
 * where it may when it is written: what shows something that the agent may not see at that moment never lies in the workspace.
 */
import { type ExecutionEnd, type Shown, resultJson, resultWithoutContent } from './execution.js';
import type { ExecutionFacts } from './audit-entries.js';
import { writeUnsynced, type FileDigest, syncAndClose } from './execution-folder.js';
import type { OpenFolder } from './open-folder.js';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { EvidenceFileName } from '../protocol/index.js';

type Put = (into: OpenFolder, name: string, sync: () => Promise<void>) => void;

export interface FilesOptions {
  /** In the workspace. */
  folder: OpenFolder;
  execution: ExecutionFacts;
  isSeen(what: Shown): boolean;
  /** Makes the folder for what the caller may not see. */
  openKept(): Promise<OpenFolder>;
}

/** A folder with the digests of what was written into it. */
class Place {
  readonly files = new Map<string, FileDigest>();
  readonly trace: Trace;
  readonly #mark: { kept?: true };

  constructor(
    readonly folder: OpenFolder,
    kept: boolean,
    readonly put: Put,
  ) {
    this.trace = new Trace(folder);
    this.#mark = kept ? { kept: true } : {};
  }

  async write(name: string, bytes: Uint8Array | string): Promise<void> {
    const { digest, sync } = await writeUnsynced(this.folder, name, bytes);
    this.files.set(name, { ...digest, ...this.#mark });
    this.put(this.folder, name, sync);
  }

  async remove(name: string): Promise<void> {
    if (this.files.delete(name)) await this.folder.remove(name);
  }

  async endTrace(): Promise<void> {
    await this.trace.flush();
    const digest = this.trace.digest();
    if (digest === null) return;
    this.files.set(digest.name, { ...digest, ...this.#mark });
    this.put(this.folder, digest.name, () => this.trace.close());
  }
}

export class FilesOfExecution {
  readonly #options: FilesOptions;
  readonly #put: Put;
  readonly #own: Place;
  #kept: Place | null = null;
  /** All lines of the trace, until one of them may not be seen: from then on all are kept, those before too. */
  #lines: string[] = [];
  #keepsTrace = false;

  constructor(options: FilesOptions, put: Put) {
    this.#options = options;
    this.#put = put;
    this.#own = new Place(options.folder, false, put);
  }

  list(): FileDigest[] {
    return this.#places().flatMap(({ files }) => [...files.values()]);
  }

  /** Those that the workspace does not have. */
  keptNames(): string[] {
    return [...(this.#kept?.files.keys() ?? [])].filter((name) => name === 'result.json' || !this.#own.files.has(name));
  }

  async write(name: string, bytes: Uint8Array | string, shows: Shown): Promise<void> {
    for (const place of this.#places()) await place.remove(name);
    const place = this.#options.isSeen(shows) ? this.#own : await this.#keptPlace();
    await place.write(name, bytes);
  }

  addToTrace(line: string): void {
    this.#lines.push(line);
    this.#keepsTrace ||= !this.#options.isSeen('call');
    if (!this.#keepsTrace) this.#own.trace.add(line);
  }

  async flushTrace(): Promise<void> {
    if (this.#keepsTrace) {
      const { trace } = await this.#keptPlace();
      for (const line of this.#lines.splice(0)) trace.add(line);
      await trace.flush();
    }
    await this.#own.trace.flush();
  }

  async endTrace(): Promise<void> {
    await this.flushTrace();
    for (const place of this.#places()) await place.endTrace();
  }

  async closeTrace(): Promise<void> {
    for (const place of this.#places()) await place.trace.close();
  }

  /** All of it where the agent may see it; else the workspace has what tells nothing of what was on screen. */
  async writeResult(end: ExecutionEnd, incomplete: string | null): Promise<void> {
    const { execution, isSeen } = this.#options;
    const seen = isSeen('call');
    if (!seen) {
      const kept = await this.#keptPlace();
      await kept.write('result.json', resultJson(execution, end, { files: this.list(), incomplete }));
    }
    const told = { files: [...this.#own.files.values()], incomplete, kept: this.keptNames() };
    const content = seen ? resultJson(execution, end, told) : resultWithoutContent(execution, end, told);
    await this.#own.write('result.json', content);
  }

  async close(): Promise<void> {
    for (const { folder } of this.#places()) await folder.close();
  }

  #places(): Place[] {
    return this.#kept === null ? [this.#own] : [this.#own, this.#kept];
  }

  /** Steps run one after another, so it is made once. */
  async #keptPlace(): Promise<Place> {
    this.#kept ??= new Place(await this.#options.openKept(), true, this.#put);
    return this.#kept;
  }
}

const NAME: EvidenceFileName = 'trace.jsonl';

/** Writes trace.jsonl. */
class Trace {
  private readonly hash = createHash('sha256');
  private waiting: string[] = [];
  private file: FileHandle | null = null;
  private bytes = 0;

  constructor(private readonly folder: OpenFolder) {}

  /** Keeps the line until `flush`. */
  add(line: string): void {
    this.waiting.push(line);
  }

  /** Writes the lines that were added. */
  async flush(): Promise<void> {
    if (this.waiting.length === 0) return;
    const text = Buffer.from(this.waiting.map((line) => `${line}\n`).join(''));
    this.waiting = [];
    this.file ??= await this.folder.create(NAME);
    try {
      await this.file.appendFile(text);
    } catch (error) {
      await this.file.truncate(this.bytes);
      throw error;
    }
    this.hash.update(text);
    this.bytes += text.length;
  }

  /** Of the lines that were written; null for none. */
  digest(): FileDigest | null {
    if (this.file === null) return null;
    return { name: NAME, sha256: this.hash.copy().digest('hex'), bytes: this.bytes };
  }

  /** Syncs and closes the file. Once, after the last `flush`. */
  async close(): Promise<void> {
    if (this.file !== null) await syncAndClose(this.file);
  }
}
