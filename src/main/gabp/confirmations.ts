/** Which entries of `gabp-apps.json` a person has confirmed, word for word, and the code that they start. Anything else counts as none. */
import { realpathSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { digestOf } from '../approvals/index.js';
import { readPrivate, writePrivate } from '../approvals/files.js';
import { placeOf } from '../../native/peer/program-identity.js';
import type { PlannedFile } from '../approvals/plan.js';
import type { AppEntry } from './config.js';
import type { LaunchedCode, Untold } from './launched-code.js';
import { message } from '../../messages/index.js';
import type { ApprovalRequest, Caller, Decision } from '../approvals/request.js';
import { subjectWithoutPlace, title } from '../protocol/index.js';

export interface Confirmations {
  has(name: string, entry: AppEntry): boolean;
  /** Whether it needs no other confirmation now. */
  stands(name: string, entry: AppEntry, code: LaunchedCode): boolean;
  /** Paths of what was replaced since the entry was confirmed. */
  changed(name: string, files: readonly PlannedFile[]): string[];
  /** Throws when it is not on disk: then it is not confirmed. */
  add(name: string, entry: AppEntry, files: readonly PlannedFile[]): void;
}

/** By path: owner and content; of a folder, where it lies. */
const filesSchema = z.record(z.string(), z.string());
const confirmedSchema = z.strictObject({ entry: z.string(), files: filesSchema });
type Confirmed = z.infer<typeof confirmedSchema>;
const fileSchema = z.strictObject({ version: z.literal(3), confirmed: z.record(z.string(), confirmedSchema) });

/** `file` null: what was confirmed earlier does not count, and nothing is kept. */
export function createConfirmations(file: string | null, log: (thrown: unknown) => void): Confirmations {
  const confirmed = new Map<string, Confirmed>(file === null ? [] : load(file, log));
  /** Confirmed in this run of the host. */
  const recent = new Set<string>();

  const has: Confirmations['has'] = (name, entry) => confirmed.get(name)?.entry === entryDigest(name, entry);
  function changed(name: string, files: readonly PlannedFile[]): string[] {
    const [before, now] = [confirmed.get(name)?.files ?? {}, contentOf(files)];
    const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...paths].filter((path) => before[path] !== now[path]);
  }

  return {
    has,
    changed,
    stands: (name, entry, { files, untold }) =>
      has(name, entry) && changed(name, files).length === 0 && (recent.has(name) || untold === null),
    add(name, entry, files) {
      const one = { entry: entryDigest(name, entry), files: contentOf(files) };
      const next = new Map(confirmed).set(name, one);
      if (file !== null) writePrivate(file, { version: 3, confirmed: Object.fromEntries(next) });
      confirmed.set(name, one);
      recent.add(name);
    },
  };
}

/** What the system has installed stays the same when the system updates it. */
const contentOf = (files: readonly PlannedFile[]): Confirmed['files'] =>
  Object.fromEntries(
    files.map(({ path, identity, sha256 }) => {
      const facts = statSync(path, { throwIfNoEntry: false });
      const owner = facts?.uid ?? 'none';
      const content = facts?.isDirectory() === true ? realpathSync(path) : (sha256 ?? identity);
      return [path, placeOf(path) === 'system' ? 'system' : `${owner} ${content}`];
    }),
  );

/** Over everything in the entry, defaults included. */
export const entryDigest = (name: string, entry: AppEntry): string => digestOf({ name, entry });

function load(file: string, log: (thrown: unknown) => void): [string, Confirmed][] {
  try {
    const found = readPrivate(file);
    return found === null ? [] : Object.entries(fileSchema.parse(found).confirmed);
  } catch (thrown) {
    log(thrown);
    return [];
  }
}

// The card on which a person confirms an entry of `gabp-apps.json`, word for word, before anything of it is used.

export type AskPerson = (
  request: ApprovalRequest,
  onWaiting: (card: { approvalId: string }) => void,
  signal: AbortSignal,
) => Promise<Decision>;

/** The rest of what changed is not named. */
const MAX_NAMED = 5;
/** The name of the request on cards and in notifications. */
const CONNECT_TOOL = 'connect_application';

/** True only where a person has allowed exactly this. Never rejects but with the signal's reason. */
export async function confirmEntry(
  ask: AskPerson,
  asked: {
    name: string;
    entry: AppEntry;
    file: string;
    caller: Caller;
    changed: readonly string[];
    untold: Untold | null;
  },
  signal: AbortSignal,
): Promise<boolean> {
  const decision = await ask(requestFor(asked), () => undefined, signal);
  return decision.kind === 'allowed' && decision.by === 'person';
}

/** The command of an entry, or the file that says where it listens. */
export const entryPlace = ({ launch, attach }: AppEntry): string =>
  launch?.command.join(' ') ?? attach?.bridgeFile ?? '';

function requestFor({
  name,
  entry,
  file,
  caller,
  changed,
  untold,
}: Parameters<typeof confirmEntry>[1]): ApprovalRequest {
  const executionId = randomUUID();
  const { launch } = entry;
  const own = { ...caller, agent: { ...caller.agent, id: `application:${executionId}` }, connectionId: executionId };
  const act = title(launch === undefined ? 'title.attach_app' : 'title.start_app');
  return {
    executionId,
    callKey: executionId,
    caller: own,
    action: { name: CONNECT_TOOL, title: 'Connect an application', effect: 'dangerous' },
    arguments: { [name]: entry },
    subject: {
      ...subjectWithoutPlace(act, name),
      place: entryPlace(entry),
    },
    plan: null,
    picture: null,
    workspace: '',
    alwaysAsk: true,
    notes: [
      ...(caller.agent.person === true ? [message('note.started_on_page')] : []),
      ...(changed.length === 0 ? [] : [message('note.app_files_changed', { files: changed.slice(0, MAX_NAMED) })]),
      ...(untold === null ? [] : [message('note.app_asked_each_start', { ...untold })]),
      message('note.app_entry', { file }),
      ...(launch === undefined ? [] : [message('note.outside_sandbox')]),
      ...(Object.keys(entry.effects).length === 0 ? [] : [message('note.app_effects')]),
    ],
  };
}
