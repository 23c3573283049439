/**
 * The agent's lines as its shim sends them. Comes in: lines, numbered. Goes out: MCP's messages, and to the shim what is said of each
 * line: that it is done with, or that the next host needs it again. The SDK's transport for stdio; called by the door.
 */
import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Transport as McpTransport,
} from '@modelcontextprotocol/server';
import { isRecord } from '../../../base/type-guards.js';
import { formatEnglish } from '../../../messages/index.js';
import {
  isId,
  readClientMessage,
  refusalOf,
  refusalText,
  refusedRequest,
  unreadable,
  type Reading,
} from '../../mcp/client-messages.js';
import { QUESTION_META } from '../../mcp/questions.js';
import { failureResult, isPending } from '../../mcp/results.js';
import { WireError } from '../../protocol/index.js';
import { checkJson, readJson, Refused } from '../../protocol/json.js';
import { ELSEWHERE, hostLine, type HeadKind, type LineState, type PipeHello } from '../../protocol/pipe.js';
import { Unreadable, type Transport } from '../../protocol/transport.js';
import { UnsendableError } from '../../transport/frames.js';

type Id = string | number;
type Json = Record<string, unknown>;

interface Line {
  number: number;
  state: LineState;
  /** What is open of it. */
  open: Set<Id>;
  /** Of a batch: its answers, which go out together. */
  batch: object[] | null;
  /** The shim knows what becomes of it. */
  told: boolean;
}

interface Open {
  line: Line;
  method: string;
  params: Json;
}

export interface AgentLinesOptions {
  transport: Transport;
  /** The first lines, and the number of the one after them. */
  earlier: PipeHello['lines'];
  next: number;
  /** A call was answered with a handle by an earlier host. */
  onHandle(callId: string, request: Json): void;
  callIdOf(line: number, id: Id): string;
  /** The answer to this request was written whole. */
  onWritten(id: Id): void;
  /** The client gave up this request. */
  onLeft(id: Id): void;
  /** The client answered a question of an earlier host. */
  onLateReply(id: string, reply: Json): void;
  /** What waits for the person on another machine. */
  onElsewhere(host: Json): void;
}

const CANCELLED = 'notifications/cancelled';
const BATCH_VERSION = '2025-03-26';
/** Calls that were answered with a handle, and are made again by a later host where they are resumed. */
const MAX_HANDLES = 256;

export class AgentLines implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly earlier: AgentLinesOptions['earlier'][number][];
  private next: number;
  /** Requests of the client that have no answer yet. */
  private readonly open = new Map<Id, Open>();
  /** Lines that a later host needs, by what they stand for. */
  private readonly kept = new Map<string, number>();
  /** By the id that the client knows: the SDK's own. */
  private readonly questions = new Map<string, Id>();
  private hasBatches = false;
  private closed = false;

  constructor(private readonly options: AgentLinesOptions) {
    this.earlier = [...options.earlier];
    this.next = options.next;
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }

  /** The call of an open request. */
  callOf(id: Id): { callId: string; repeated: boolean } {
    const { number, state } = this.open.get(id)?.line ?? { number: 0, state: 'new' };
    return { callId: this.options.callIdOf(number, id), repeated: state === 'sent' };
  }

  /** The call has its result: no later host makes it again. */
  ended(callId: string): void {
    this.drop(`call ${callId}`);
  }

  /** One line of the client's. */
  take(given: string): void {
    const told = this.earlier.shift() ?? { number: this.next++, state: 'new' };
    const line: Line = { ...told, open: new Set(), batch: null, told: false };
    const messages = given.trim() === '' ? [] : this.read(given, line);
    for (const message of messages) this.takeMessage(message, line);
    void this.finish(line);
  }

  private read(given: string, line: Line): Json[] {
    const value = readJson(given);
    const whole = value instanceof Refused ? value.received : value;
    if (this.hasBatches && Array.isArray(whole) && whole.length > 0) return this.readBatch(whole, given, line);
    const { message, refusal } = readOne(value, given);
    if (message !== null) return [message];
    if (refusal !== null) void this.say(refusalText(refusal));
    return [];
  }

  /** Errors are answered within the batch's answer. */
  private readBatch(all: readonly unknown[], given: string, line: Line): Json[] {
    const batch: object[] = [];
    const ids = new Set<Id>();
    line.batch = batch;
    return all.flatMap((one) => {
      const { message, refusal } = readOne(checkJson(one, given), given);
      if (message === null) {
        if (refusal !== null) batch.push(refusal.answer);
        return [];
      }
      const { id, method } = message;
      if (method === undefined || !isId(id)) return [message];
      if (ids.has(id) || this.isBatched(id) || method === 'initialize') {
        batch.push(refusedRequest(id, 'In a batch each request has an id of its own, and none is initialize.').answer);
        return [];
      }
      ids.add(id);
      line.open.add(id);
      return [message];
    });
  }

  private isBatched(id: Id): boolean {
    return this.open.get(id)?.line.batch != null;
  }

  private takeMessage(message: Json, line: Line): void {
    const { id, method } = message;
    if (typeof method !== 'string') this.takeReply(message);
    else if (isId(id)) this.takeRequest(message, { line, method, params: paramsOf(message) }, id);
    else this.takeNotification(message, line, method);
  }

  private takeRequest(message: Json, request: Open, id: Id): void {
    const { line, method, params } = request;
    if (line.state === 'answered' && method === 'tools/call') {
      const callId = this.options.callIdOf(line.number, id);
      this.kept.set(`call ${callId}`, line.number);
      line.told = true;
      return this.options.onHandle(callId, params);
    }
    // An id that is used twice at once: the first is not repeated.
    const before = this.open.get(id);
    if (before !== undefined) void this.settle(id, before, null);
    line.open.add(id);
    this.open.set(id, request);
    this.deliver(message);
  }

  private takeNotification(message: Json, line: Line, method: string): void {
    if (method === ELSEWHERE) return this.options.onElsewhere(paramsOf(message));
    if (method === CANCELLED) this.cancel(paramsOf(message)['requestId']);
    if (method === 'notifications/initialized' && line.batch === null) this.keep('initialized', line);
    this.deliver(message);
  }

  private cancel(id: unknown): void {
    if (!isId(id)) return;
    this.options.onLeft(id);
    const cancelled = this.open.get(id);
    if (cancelled !== undefined) void this.settle(id, cancelled, null);
  }

  private takeReply(message: Json): void {
    const id = typeof message['id'] === 'string' ? message['id'] : null;
    if (id === null) return this.deliver(message);
    const asked = this.questions.get(id);
    if (asked === undefined) return this.options.onLateReply(id, message);
    this.questions.delete(id);
    void this.tell('!', id);
    this.deliver({ ...message, id: asked });
  }

  private deliver(message: Json): void {
    // As client-messages read it.
    const read: unknown = message;
    if (isMessage(read)) this.onmessage?.(read);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.closed) throw new Error('the connection is closed');
    if (!('method' in message)) return this.answer(message);
    if ('id' in message) return this.ask(message);
    if (message.method === CANCELLED) return this.withdraw(message);
    return this.say(JSON.stringify(message));
  }

  private answer(message: Exclude<JSONRPCMessage, { method: string }>): Promise<void> {
    const { id } = message;
    const request = id === undefined ? undefined : this.open.get(id);
    if (id === undefined || request === undefined) return this.say(JSON.stringify(message));
    if ('result' in message && request.method === 'initialize')
      this.hasBatches = message.result['protocolVersion'] === BATCH_VERSION;
    return this.settle(id, request, message);
  }

  /** `message` null: no answer will come for this request. */
  private settle(id: Id, request: Open, message: object | null): Promise<void> {
    const { line } = request;
    this.open.delete(id);
    line.open.delete(id);
    if (line.batch !== null) {
      if (message !== null) line.batch.push(message);
      return this.finish(line);
    }
    line.told = true;
    const need = message === null ? null : needOf(request, message, () => this.options.callIdOf(line.number, id));
    if (need?.over === true) this.drop(need.name);
    else if (need !== null) this.remember(need.name, line.number);
    const kind = need === null || need.over === true ? '=' : '~';
    if (message === null || line.state === 'answered') return this.tell(kind, line.number);
    return this.tell(kind, line.number, message, { id, onWritten: () => this.options.onWritten(id) });
  }

  /** Says that a line is done with, once nothing of it is open. */
  private finish(line: Line): Promise<void> {
    if (line.told || line.open.size > 0) return Promise.resolve();
    line.told = true;
    return this.tell('=', line.number, line.batch === null || line.batch.length === 0 ? undefined : line.batch);
  }

  private keep(name: string, line: Line): void {
    line.told = true;
    this.remember(name, line.number);
    void this.tell('~', line.number);
  }

  private remember(name: string, number: number): void {
    const before = this.kept.get(name);
    if (before !== undefined && before !== number) this.drop(name);
    this.kept.set(name, number);
    const handles = [...this.kept.keys()].filter((one) => one.startsWith('call '));
    if (handles.length > MAX_HANDLES && handles[0] !== undefined) this.drop(handles[0]);
  }

  private drop(name: string): void {
    const number = this.kept.get(name);
    if (number === undefined) return;
    this.kept.delete(name);
    void this.tell('-', number);
  }

  /** The client knows the question by the call that asks it, over every connection. */
  private ask(message: JSONRPCRequest): Promise<void> {
    const { params: { _meta: meta, ...params } = {} } = message;
    const name = String(meta?.[QUESTION_META] ?? message.id);
    const others = Object.fromEntries(Object.entries(meta ?? {}).filter(([key]) => key !== QUESTION_META));
    this.questions.set(name, message.id);
    const shown = Object.keys(others).length === 0 ? params : { ...params, _meta: others };
    return this.tell('?', name, { ...message, id: name, params: shown });
  }

  private async withdraw(message: JSONRPCNotification): Promise<void> {
    const own = paramsOf(message)['requestId'];
    const [name] = [...this.questions].find(([, id]) => id === own) ?? [];
    if (name === undefined) return;
    this.questions.delete(name);
    await this.tell('!', name, { ...message, params: { ...message.params, requestId: name } });
  }

  private tell(kind: HeadKind, value: Id, message?: object, answer?: { id: Id; onWritten(): void }): Promise<void> {
    const { transport } = this.options;
    const line = hostLine(kind, value, message === undefined ? undefined : JSON.stringify(message));
    return transport.send(line, answer?.onWritten).catch((error: unknown) => {
      if (this.closed || answer === undefined || !(error instanceof UnsendableError)) return;
      // Nothing of it was sent.
      const result = failureResult(new WireError('DESKTOP_INTERNAL_ERROR', error.text));
      const instead = JSON.stringify({ jsonrpc: '2.0', id: answer.id, result });
      return transport.send(hostLine(kind, value, instead)).catch(() => undefined);
    });
  }

  private say(message: string): Promise<void> {
    return this.options.transport.send(message).catch(() => undefined);
  }
}

/** What a later host needs of an answered request; `over`: it needs that no more. */
function needOf({ method, params }: Open, answer: object, callId: () => string): { name: string; over?: true } | null {
  if (!('result' in answer)) return null;
  const { result } = answer;
  switch (method) {
    case 'initialize':
      return { name: 'initialize' };
    case 'logging/setLevel':
      return { name: 'level' };
    case 'resources/subscribe':
      return { name: `resource ${String(params['uri'])}` };
    case 'resources/unsubscribe':
      return { name: `resource ${String(params['uri'])}`, over: true };
    case 'tools/call':
      return isRecord(result) && isPending(result) ? { name: `call ${callId()}` } : null;
    default:
      return null;
  }
}

function readOne(given: unknown, text: string): Reading {
  if (given instanceof Refused) return { message: null, refusal: given.isNotification ? null : refusalOf(given) };
  if (!(given instanceof Unreadable)) return readClientMessage(given, text);
  return { message: null, refusal: unreadable(`This is no JSON: ${formatEnglish(given.reason)}`) };
}

function paramsOf(message: object): Json {
  const params = 'params' in message ? message.params : null;
  return typeof params === 'object' && params !== null ? { ...params } : {};
}

const isMessage = (read: unknown): read is JSONRPCMessage => typeof read === 'object' && read !== null;
