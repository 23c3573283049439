/** `chaperone policy`: the policy of the running host, else the one the next host would start with; and a check of a file before it is used. */
import { join } from 'node:path';
import * as z from 'zod';
import { loadPolicy } from '../approvals/policy-file.js';
import { PolicyError, shownPolicy } from '../approvals/policy.js';
import { policySchema } from '../protocol/index.js';
import type { ShownPolicy } from '../protocol/index.js';
import { Failure } from './failure.js';
import { ifHost, paths } from './running.js';

const statusSchema = z.looseObject({ policy: policySchema });

export async function show(options: { json?: boolean }): Promise<void> {
  const running = await ifHost(async (session) => statusSchema.parse(await session.request('admin/status', {})).policy);
  const policy = running ?? read(join(paths().config, 'policy.json'), 'file');
  if (options.json === true) return void process.stdout.write(`${JSON.stringify(policy, null, 2)}\n`);
  process.stdout.write(`${running ? 'The running host has' : 'A host starts with'} ${inWords(policy)}`);
}

export function check(file: string): void {
  process.stdout.write(`${file} is valid: ${inWords(read(file, 'flag'))}`);
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

function inWords(policy: ShownPolicy): string {
  const effects = Object.entries(policy.effects).map(([effect, rule]) => `  ${effect}: ${rule}`);
  return [`${policy.preset}`, ...effects, `  a confirmation phrase: ${policy.confirmPhrase}`, ''].join('\n');
}
