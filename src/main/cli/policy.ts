/** `chaperone policy`: shows the policy of the running host, else the one that the next host would start with; and checks a policy file. */
import * as z from 'zod';
import { message, type Formatter } from '../../messages/index.js';
import { loadPolicy, PolicyError, shownPolicy } from '../approvals/policy.js';
import { doubtSchema, doubtText, policySchema, type ShownPolicy } from '../protocol/index.js';
import { policyPath } from '../host/policy.js';
import { Failure, print, printJson } from './failure.js';
import { paths, tryWithHost } from './host-client.js';

const statusSchema = z.looseObject({ policy: policySchema.nullable(), doubt: doubtSchema.default('unclear') });

export async function show(options: { json?: boolean }, words: Formatter): Promise<void> {
  const status = await tryWithHost(async (session) => statusSchema.parse(await session.request('admin/status', {})));
  if (status?.policy === null) throw new Failure(message('error.only_person', { why: doubtText(status.doubt) }));
  const running = status?.policy;
  const shown = running ?? read(policyPath(paths().config), 'file');
  if (options.json === true) return printJson(shown);
  const policy = formatPolicy(shown, words);
  print(words.text(running ? 'cli.policy.running_host' : 'cli.policy.next_host', { policy }));
}

export function check(file: string, words: Formatter): void {
  print(words.text('cli.policy.valid', { file, policy: formatPolicy(read(file, 'flag'), words) }));
}

function read(file: string, source: 'file' | 'flag'): ShownPolicy {
  try {
    return shownPolicy(loadPolicy(file, { source }));
  } catch (error) {
    if (error instanceof PolicyError) throw new Failure(message('cli.policy.bad_file', { why: error.text }));
    throw error;
  }
}

function formatPolicy(policy: ShownPolicy, { text }: Formatter): string {
  const effects = Object.entries(policy.effects).map(([effect, rule]) => `  ${effect}: ${rule}`);
  const phrase = text('cli.policy.phrase', { rule: policy.confirmPhrase });
  return [policy.preset, ...effects, `  ${phrase}`].join('\n');
}
