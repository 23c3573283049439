/** The card on which a person confirms an entry of `gabp-apps.json`, word for word, before anything of it is used. */
import { randomUUID } from 'node:crypto';
import { message } from '../../messages/index.js';
import type { ApprovalRequest, Caller, Decision } from '../approvals/request.js';
import { subjectWithoutPlace, title } from '../protocol/index.js';
import type { AppEntry } from './config.js';
import type { Untold } from './launched-code.js';

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
export const placeOf = ({ launch, attach }: AppEntry): string => launch?.command.join(' ') ?? attach?.bridgeFile ?? '';

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
      place: placeOf(entry),
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
