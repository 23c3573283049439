/** `chaperone policy`: shows the policy of the running host, else the one that the next host would start with; and checks a policy file. */
import * as z from 'zod';
import { loadPolicy } from '../approvals/policy-file.js';
import { PolicyError, shownPolicy } from '../approvals/policy.js';
import { policySchema } from '../protocol/index.js';
import type { ShownPolicy } from '../protocol/index.js';
import { policyPath } from '../host/policy.js';
import { Failure } from './failure.js';
import { paths, tryWithHost } from './host-client.js';
import { print, printJson } from './output.js';

const statusSchema = z.looseObject({ policy: policySchema });

export async function show(options: { json?: boolean }): Promise<void> {
  const running = await tryWithHost(
    async (session) => statusSchema.parse(await session.request('admin/status', {})).policy,
  );
  const policy = running ?? read(policyPath(paths().config), 'file');
  if (options.json === true) return printJson(policy);
  print(`${running ? 'The running host has' : 'A host starts with'} ${formatPolicy(policy)}`);
}

export function check(file: string): void {
  print(`${file} is valid: ${formatPolicy(read(file, 'flag'))}`);
}

function read(file: string, source: 'file' | 'flag'): ShownPolicy {
  try {
    return shownPolicy(loadPolicy(file, { source }));
  } catch (error) {
    if (error instanceof PolicyError)
      throw new Failure(`${error.message}\nNo host starts with this policy; mend the file and check again.`);
    throw error;
  }
}

function formatPolicy(policy: ShownPolicy): string {
  const effects = Object.entries(policy.effects).map(([effect, rule]) => `  ${effect}: ${rule}`);
  return [`${policy.preset}`, ...effects, `  a confirmation phrase: ${policy.confirmPhrase}`].join('\n');
}
