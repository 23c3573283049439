/** The card on which a person confirms an entry of `gabp-apps.json`, word for word, before anything of it is used. */
import { randomUUID } from 'node:crypto';
import { delimiter } from 'node:path';
import { message } from '../../messages/index.js';
import type { PlannedFile } from '../pipeline/plan.js';
import type { ApprovalRequest, Caller, Decision } from '../pipeline/ports.js';
import { subjectWithoutPlace, title } from '../protocol/index.js';
import { commandFileIdentities } from '../tools/commands/command-files.js';
import type { AppEntry } from './config.js';

export type AskPerson = (
  request: ApprovalRequest,
  onWaiting: (card: { approvalId: string }) => void,
  signal: AbortSignal,
) => Promise<Decision>;

/** The name of the request on cards and in notifications. */
const CONNECT_TOOL = 'connect_application';

/** True only where a person has allowed exactly this. Never rejects but with the signal's reason. */
export async function confirmEntry(
  ask: AskPerson,
  asked: { name: string; entry: AppEntry; file: string; caller: Caller; changed: readonly string[] },
  signal: AbortSignal,
): Promise<boolean> {
  const decision = await ask(requestFor(asked), () => undefined, signal);
  return decision.kind === 'allowed' && decision.by === 'person';
}

/** What it would start, to see that it is not replaced, neither while the card is open nor later. */
export async function filesOf({ launch }: AppEntry): Promise<PlannedFile[]> {
  if (launch === undefined) return [];
  const variables = Object.values(launch.env).flatMap((value) => value.split(delimiter));
  return commandFileIdentities([...launch.command, ...variables], { folder: launch.folder });
}

/** The command of an entry, or the file that says where it listens. */
export const placeOf = ({ launch, attach }: AppEntry): string => launch?.command.join(' ') ?? attach?.bridgeFile ?? '';

function requestFor({ name, entry, file, caller, changed }: Parameters<typeof confirmEntry>[1]): ApprovalRequest {
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
      ...(changed.length === 0 ? [] : [message('note.app_files_changed', { files: changed })]),
      message('note.app_entry', { file }),
      ...(launch === undefined ? [] : [message('note.outside_sandbox')]),
      ...(Object.keys(entry.effects).length === 0 ? [] : [message('note.app_effects')]),
    ],
  };
}
