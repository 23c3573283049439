/**
 * The pipe between a client and a host. Comes in: the client's lines, numbered from 1, and the host's. Goes out: the same lines, each way.
 * A line is kept until the host says that it is done with; what is kept then is sent to the next host too. Called by the shim.
 */
import { isRecord } from '../../base/type-guards.js';
import type { WireError } from '../protocol/errors.js';
import { readHostLine, readWelcome, type LineState, type PipeHello } from '../protocol/pipe.js';
import type { Transport } from '../protocol/transport.js';
import { ConnectionLost, hostError } from './connect.js';
import {
  answerAtOnce,
  answerFailing,
  answerOpening,
  cancelledBy,
  isOpening,
  lasts,
  needsHost,
  readFrames,
} from './without-host.js';

interface Kept {
  text: string;
  /** On how many connections; a line that crashes the host must not be repeated forever. */
  sent: number;
  /** It is told to the next host only for what it says. */
  answered: boolean;
}

export interface PipeOptions {
  /** One message for the client. */
  write(message: string): void;
  /** A client waits for a host. */
  wake(): void;
  /** How much waits for the person on the host; null: the connection is lost. */
  onWaiting(count: number | null): void;
  /** Of this program. */
  version: string;
  openingTimeoutMs: number;
}

export interface PipeSession {
  /** Address of the page. */
  url: string;
  onEnd(listener: () => void): void;
  close(): void;
}

const MAX_SENT = 4;
const MAX_QUEUED_BYTES = 1024 * 1024;
/** While so much is kept, no more is read. */
const MAX_KEPT = 5_000;
const MAX_KEPT_CHARACTERS = 64 * 1024 * 1024;
/** After a host has gone, its questions stay open in the client so long; the next one asks them again. */
const UNASKED_MS = 10_000;

export class Pipe {
  private readonly lines = new Map<number, Kept>();
  private characters = 0;
  private count = 0;
  private host: Transport | null = null;
  private readonly onRoom: (() => void)[] = [];
  /** Open in the client, and whether this host asks them. */
  private readonly questions = new Map<string, boolean>();

  constructor(private readonly options: PipeOptions) {}

  /** The client's next line, without its end. Null where there is room for more, else a promise of it. */
  take(text: string): Promise<void> | null {
    if (text.trim() === '') return null;
    this.count += 1;
    if (this.host === null) {
      this.takeUnserved(text);
      return this.room();
    }
    this.keep(this.count, { text, sent: 1, answered: false });
    const sent = send(this.host, text);
    return (this.host.queued?.() ?? 0) > MAX_QUEUED_BYTES ? sent : this.room();
  }

  private room(): Promise<void> | null {
    return this.isFull() ? new Promise((resolve) => this.onRoom.push(resolve)) : null;
  }

  private isFull(): boolean {
    return this.lines.size >= MAX_KEPT || this.characters > MAX_KEPT_CHARACTERS;
  }

  private takeUnserved(text: string): void {
    const frames = readFrames(text);
    const [only, other] = frames;
    if (only !== undefined && other === undefined) {
      const answer = answerAtOnce(only);
      if (answer !== null) return this.options.write(JSON.stringify(answer));
      const cancelled = cancelledBy(only);
      if (cancelled !== null) return this.forget(cancelled);
    }
    const number = this.count;
    this.keep(number, { text, sent: 0, answered: false });
    if (frames.some(isOpening)) setTimeout(() => this.openAlone(number), this.options.openingTimeoutMs).unref();
    if (frames.some(needsHost)) this.options.wake();
  }

  /** The client waits no longer for a host to open with. */
  private openAlone(number: number): void {
    const line = this.lines.get(number);
    if (line === undefined || line.answered || this.host !== null) return;
    const [frame] = readFrames(line.text);
    if (frame === undefined) return;
    this.options.write(JSON.stringify(answerOpening(frame, this.options.version)));
    this.leave(number, line, lasts(frame));
  }

  /** Nobody waits for the request of this id any more, and no host works on it. */
  private forget(id: string | number): void {
    for (const [number, { text, answered }] of this.lines) {
      const [only, other] = answered ? [] : readFrames(text);
      if (only?.kind === 'request' && only.id === id && other === undefined) this.drop(number);
    }
  }

  /** No host can be had: whoever waits is told. */
  fail(error: WireError): void {
    for (const [number, line] of [...this.lines]) if (!line.answered) this.answer(number, line, error);
  }

  private answer(number: number, line: Kept, error: WireError): void {
    const frames = readFrames(line.text);
    const answers = frames.flatMap((frame) => answerFailing(frame, error, this.options.version) ?? []);
    const [only] = answers;
    if (only !== undefined) this.options.write(JSON.stringify(frames.length === 1 ? only : answers));
    this.leave(number, line, frames.some(lasts));
  }

  private leave(number: number, line: Kept, needed: boolean): void {
    if (needed) line.answered = true;
    else this.drop(number);
  }

  private keep(number: number, line: Kept): void {
    this.lines.set(number, line);
    this.characters += line.text.length;
  }

  private drop(number: number): void {
    this.characters -= this.lines.get(number)?.text.length ?? 0;
    this.lines.delete(number);
    if (!this.isFull()) for (const go of this.onRoom.splice(0)) go();
  }

  /** Says hello, and sends what is kept. Rejects with WireError where the host refuses, with ConnectionLost where the connection ends first. */
  open(transport: Transport, own: Omit<PipeHello, 'lines' | 'next'>): Promise<PipeSession> {
    this.dropRepeated();
    const numbers = [...this.lines.keys()];
    const lines = [...this.lines].map(([number, line]) => ({ number, state: stateOf(line) }));
    const hello: PipeHello = { ...own, lines, next: this.count + 1 };
    return new Promise((resolve, reject) => {
      transport.onMessage((message) => {
        if (this.host === transport) return this.received(message);
        const url = readWelcome(message);
        if (url === null) {
          transport.close();
          return reject(refusalOf(message));
        }
        transport.speakLines?.();
        this.attach(transport, numbers);
        resolve({ url, onEnd: (listener) => transport.onClose(() => listener()), close: () => transport.close() });
      });
      transport.onClose((reason) => {
        this.detach(transport);
        reject(new ConnectionLost(reason));
      });
      transport.send({ mcp: hello }).catch((error: unknown) => reject(new ConnectionLost(String(error))));
    });
  }

  private dropRepeated(): void {
    const error = hostError({ message: new ConnectionLost(null).message });
    for (const [number, line] of [...this.lines])
      if (!line.answered && line.sent >= MAX_SENT) this.answer(number, line, error);
  }

  private attach(transport: Transport, numbers: readonly number[]): void {
    this.host = transport;
    // One that was dropped meanwhile is still counted.
    for (const number of numbers) this.repeat(transport, this.lines.get(number) ?? null);
    const last = numbers.at(-1) ?? 0;
    for (const [number, line] of this.lines) if (number > last) this.repeat(transport, line);
    this.options.onWaiting(0);
    setTimeout(() => this.endUnasked(), UNASKED_MS).unref();
  }

  private repeat(transport: Transport, line: Kept | null): void {
    if (line !== null) line.sent += 1;
    void send(transport, line?.text ?? '');
  }

  private detach(transport: Transport): void {
    if (this.host !== transport) return;
    this.host = null;
    for (const id of this.questions.keys()) this.questions.set(id, false);
    this.options.onWaiting(null);
    const waits = [...this.lines.values()].some(({ text, answered }) => !answered && readFrames(text).some(needsHost));
    if (waits) this.options.wake();
  }

  private endUnasked(): void {
    if (this.host === null) return;
    for (const [requestId, asked] of [...this.questions]) {
      if (asked) continue;
      this.questions.delete(requestId);
      this.options.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
    }
  }

  private received(given: unknown): void {
    if (typeof given !== 'string') return;
    const { head, message } = readHostLine(given);
    if (head === null) {
      if (message !== null) this.options.write(message);
      return;
    }
    const shown = this.heads.get(head.kind)?.(head.value) ?? true;
    if (shown && message !== null) this.options.write(message);
  }

  /** What each head means; false: the client gets no message with it. */
  private readonly heads = new Map<string, (value: string) => boolean>([
    ['=', (value) => this.done(Number(value), false)],
    ['~', (value) => this.done(Number(value), true)],
    [
      '-',
      (value) => {
        this.drop(Number(value));
        return true;
      },
    ],
    [
      '?',
      (id) => {
        const isNew = !this.questions.has(id);
        this.questions.set(id, true);
        return isNew;
      },
    ],
    [
      '!',
      (id) => {
        this.questions.delete(id);
        return true;
      },
    ],
    [
      '#',
      (value) => {
        this.options.onWaiting(Number(value));
        return true;
      },
    ],
  ]);

  /** An answer that the client has by now is not sent again. */
  private done(number: number, needed: boolean): boolean {
    const line = this.lines.get(number);
    if (line === undefined) return false;
    const isNew = !line.answered;
    this.leave(number, line, needed);
    return isNew;
  }
}

const stateOf = ({ answered, sent }: Kept): LineState => (answered ? 'answered' : sent === 0 ? 'new' : 'sent');

const send = (transport: Transport, line: string): Promise<void> => transport.send(line).catch(() => undefined);

function refusalOf(message: unknown): WireError {
  const answer = isRecord(message) ? message : {};
  const pipe = isRecord(answer['mcp']) ? answer['mcp'] : answer;
  return hostError(pipe['error']);
}
