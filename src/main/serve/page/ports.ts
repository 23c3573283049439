/** What the page hub needs of the rest of the host, and no more. `createHost` fills these. */
import type { ProcessIdentity } from '../../../native/peer/types.js';
import type {
  Activity,
  ActivityFilter,
  AnswerTo,
  Card,
  ChatEvent,
  ClientId,
  DemoLanguage,
  Evidence,
  EvidenceFileName,
  EvidenceVerdict,
  Frame,
  Grant,
  Habits,
  Health,
  KnownClient,
  KnownApp,
  Pane,
  PressPlace,
  QuestionType,
  ShownPolicy,
  ShownRetention,
  Status,
  ToPage,
} from '../../protocol/index.js';
import type { Chat } from '../../chat/index.js';

/** The other end of one page. transport/websocket.ts has this shape. */
export interface PageSocket {
  /** Resolves when there is room for more; rejects once closed. */
  sendText(text: string): Promise<void>;
  /** Parsed JSON, or anything else for a message that was none. */
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
  close(reason: string): void;
  /** Largest message read from now on, bytes. */
  setLimit(bytes: number): void;
}

/** What the host saw at upgrade; nothing of it is the page's own word. */
export interface Upgrade {
  /** Checked to be exactly ours. */
  origin: string;
  host: string;
  /** The process at the other end by the kernel's word; null where that is unclear. */
  client: ProcessIdentity | null;
  descendsFromAgent: boolean;
  /** What guards the page's window hears of it. Left out: it has none in a browser. */
  sight?: { paired(): void; shows(visible: boolean): void };
}

/** `code` and `message` go to the page. */
export type Outcome = { ok: true } | { ok: false; code: string; message: string };

type Refusal = Extract<Outcome, { ok: false }>;

export interface Person {
  where: 'page' | 'popover';
  /** Key id of the paired page; `popover`; `unpaired` for a page that only pauses. */
  by: string;
}

/** Where an answer comes from. */
export interface Source {
  connection: string;
  /** Process of the page by the kernel's word; null where that is unclear. */
  pid: number | null;
}

export interface PageAnswer {
  id: string;
  digest: string;
  decision: 'allow' | 'deny';
  grant?: 'once' | 'time' | 'session' | 'always';
  message?: string;
}

export type ApprovalNews = Extract<
  ToPage,
  { type: 'approvalRequested' | 'approvalChanged' | 'approvalResolved' | 'grants' | 'policy' }
>;

export interface ApprovalsPort {
  open(): Card[];
  answer(answer: PageAnswer, person: Person, source: Source): Outcome | Promise<Outcome>;
  /** A press on Allow began. */
  pressBegan(
    press: { id: string; digest: string; connection: string; place?: PressPlace },
    person: Person,
    source: Source,
  ): void;
  /** All that was seen for an open card. */
  picture(id: string): Promise<Reply<'cardPicture'> | Refusal>;
  grants(): Grant[];
  revokeGrant(id: string, person: Person): Outcome | Promise<Outcome>;
  policy(): ShownPolicy;
  setPolicy(preset: 'standard' | 'strict' | 'readonly', person: Person): Outcome | Promise<Outcome>;
  /** Keeps agents away from an application, or lets them in again. */
  exclude(appId: string, on: boolean, person: Person): Outcome | Promise<Outcome>;
  setRetention(retention: ShownRetention, person: Person): Outcome | Promise<Outcome>;
  on(listener: (news: ApprovalNews) => void): () => void;
}

/** What the settings show besides the policy. */
export interface SettingsPort {
  /** Running ones, each once. */
  applications(): Promise<KnownApp[]>;
  habits(): Habits;
}

/** A value that changes and tells so. */
export interface Watched<T> {
  now(): T;
  on(listener: (value: T) => void): () => void;
}

export interface ActivityPort {
  /** Newest first. */
  recent(limit: number): Activity[];
  on(listener: (activity: Activity) => void): () => void;
}

/** The record on disk, of this life and earlier ones. null: it knows no such execution. */
export interface RecordPort {
  page(before: number | null, filter: ActivityFilter): Promise<Reply<'activityPage'>>;
  thumbnails(executionIds: string[]): Promise<Reply<'thumbnails'>['pictures']>;
  /** `damaged`: it knows of one, and can no longer say what it was. */
  evidence(executionId: string): Promise<Evidence | 'damaged' | null>;
  file(executionId: string, name: EvidenceFileName, offset: number): Promise<Reply<'evidenceFile'> | null>;
  verify(executionId: string): Promise<EvidenceVerdict | null>;
}

export type Reply<T extends QuestionType> = Omit<AnswerTo<T>, 'type' | 'request'>;

export interface ControlPort {
  /** Stops what runs, denies what is pending and pauses agents. */
  pause(person: Person): Outcome | Promise<Outcome>;
  resume(person: Person): Outcome | Promise<Outcome>;
  /** Without an id: whatever runs now. */
  abort(executionId: string | null, person: Person): Outcome | Promise<Outcome>;
  /** One agent alone; what it does is stopped. */
  pauseAgent(agentId: string, on: boolean, person: Person): Outcome | Promise<Outcome>;
  /** It is asked for again what it need not be asked for in this session. */
  forget(agentId: string, person: Person): Outcome | Promise<Outcome>;
  /** Stops what touches the desktop and pauses agents; questions stay. */
  takeOver(person: Person): Outcome | Promise<Outcome>;
}

/** The desktop as it is, for pages that look. */
export interface LivePort {
  show(viewer: object, still: boolean, send: (frame: Frame) => void): void;
  taken(viewer: object, seq: number): void;
  leave(viewer: object): void;
}

/** Coding agents on this machine. */
export interface ClientsPort {
  look(): Promise<KnownClient[]>;
  setUp(client: ClientId, remove: boolean, person: Person): Promise<Reply<'setUp'> | Refusal>;
}

export interface DemoPort {
  /** Resolves once it has ended. */
  run(language: DemoLanguage, person: Person): Promise<Reply<'runDemo'> | Refusal>;
}

export interface DoctorPort {
  check(record: boolean): Promise<Reply<'check'>>;
}

export type ChatSide = Pick<Chat, 'answer' | 'pending' | 'cursor'> & {
  events(sinceSeq: number): ChatEvent[];
  on(listener: (event: ChatEvent) => void): () => void;
};

export interface AgentsPort {
  /** Whether the process is a connected agent or was started by one, asked anew for each unpaired reply. */
  descends(client: ProcessIdentity): boolean;
}

/** The menubar app, where the host runs in one. */
export interface ShellPort {
  showPopover(): void;
  /** A freshly paired page in the person's browser. */
  openBrowser(): void;
  openPermission(pane: Pane): Outcome;
}

export type StatusPort = Watched<Status>;
export type HealthPort = Watched<Health | null>;
