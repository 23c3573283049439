/** `chaperone doctor`: checks this machine and the running host, and says how to mend what is missing. */
import * as z from 'zod';
import { checkFolders, checkMachine, fine, thisMachine } from '../host/doctor.js';
import { healthSchema } from '../protocol/index.js';
import type { Finding, Health } from '../protocol/index.js';
import { ifHost, paths } from './running.js';
import { asCalledHere } from '../protocol/own-command.js';
import { ownCommand } from './launcher.js';
import { VERSION } from '../protocol/version.js';
import { formatEnglish, message, type Message } from '../../messages/index.js';

const shownSchema = z.looseObject({ url: z.string(), health: healthSchema.nullable() });

export async function doctor(options: { json?: boolean }): Promise<void> {
  const found = [...checkMachine(thisMachine(process.env)), checkFolders(paths()), ...(await checkHost())];
  const findings = found.map(inEnglish);
  if (options.json === true) process.stdout.write(`${JSON.stringify({ version: VERSION, findings }, null, 2)}\n`);
  else process.stdout.write(`${asCalledHere(findings.map(line).join('\n'), ownCommand())}\n`);
  if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
}

async function checkHost(): Promise<Finding[]> {
  const shown = await ifHost(async (session) => shownSchema.parse(await session.request('admin/status', {})));
  if (shown === null) return [{ ...fine('host', message('doctor.host_stopped')), fix: message('doctor.host_starts') }];
  const { url, health } = shown;
  const issues = health?.issues ?? [];
  return [
    fine('host', health === null ? message('doctor.host_running', { url }) : detailed(url, health)),
    ...(health?.note == null ? [] : [fine('display', health.note)]),
    ...issues.map((issue) => ({ name: 'host', ok: false, seen: issue.title, fix: issue.fix, command: null })),
  ];
}

const detailed = (url: string, { hostVersion: version, backend, display }: Health): Message =>
  message('doctor.host_details', { url, version, backend, display });

type InEnglish = Omit<Finding, 'seen' | 'fix'> & { seen: string; fix: string | null };

const inEnglish = ({ seen, fix, ...finding }: Finding): InEnglish => ({
  ...finding,
  seen: formatEnglish(seen),
  fix: fix === null ? null : formatEnglish(fix),
});

function line({ name, ok, seen, fix, command }: InEnglish): string {
  const help = [fix, command].flatMap((one) => (one === null ? [] : [`\n      ${one}`]));
  return `${ok ? 'ok ' : 'NO '} ${name}: ${seen}${help.join('')}`;
}
