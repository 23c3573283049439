/** `chaperone doctor`: checks this machine and the running host, and says how to mend what is missing. */
import * as z from 'zod';
import { checkFolders, checkMachine, fine, thisMachine } from '../host/doctor.js';
import { healthSchema } from '../protocol/index.js';
import type { Finding } from '../protocol/index.js';
import { ifHost, paths } from './running.js';
import { asCalledHere } from '../protocol/own-command.js';
import { ownCommand } from './launcher.js';
import { VERSION } from '../protocol/version.js';

const shownSchema = z.looseObject({ url: z.string(), health: healthSchema.nullable() });

export async function doctor(options: { json?: boolean }): Promise<void> {
  const findings = [...checkMachine(thisMachine(process.env)), checkFolders(paths()), ...(await checkHost())];
  if (options.json === true) process.stdout.write(`${JSON.stringify({ version: VERSION, findings }, null, 2)}\n`);
  else process.stdout.write(`${asCalledHere(findings.map(line).join('\n'), ownCommand())}\n`);
  if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
}

async function checkHost(): Promise<Finding[]> {
  const shown = await ifHost(async (session) => shownSchema.parse(await session.request('admin/status', {})));
  if (shown === null) return [{ ...fine('host', 'not running'), fix: 'An agent starts it, or run `chaperone host`.' }];
  const { url, health } = shown;
  const detail = health === null ? '' : `: ${health.hostVersion} on ${health.backend}, ${health.display}`;
  const issues = health?.issues ?? [];
  return [
    fine('host', `running at ${url}${detail}`),
    ...(health?.note == null ? [] : [fine('display', health.note)]),
    ...issues.map((issue) => ({ name: 'host', ok: false, seen: issue.title, fix: issue.fix, command: null })),
  ];
}

function line({ name, ok, seen, fix, command }: Finding): string {
  const help = [fix, command].flatMap((one) => (one === null ? [] : [`\n      ${one}`]));
  return `${ok ? 'ok ' : 'NO '} ${name}: ${seen}${help.join('')}`;
}
