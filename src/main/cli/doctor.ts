/** `chaperone doctor`: checks this machine and the running host, and says how to fix what is missing. */
import * as z from 'zod';
import { checkFolders, checkMachine, checkPictures, passed, provisionsIn, thisMachine } from '../host/doctor.js';
import { doubtSchema, doubtText, healthSchema, type Finding, type Health } from '../protocol/index.js';
import { PERMISSION_NAMES } from '../host/health.js';
import { paths, tryWithHost } from './host-client.js';
import { print, printJson, terminalSafe } from './failure.js';
import { withLocalCommand, VERSION } from '../protocol/local-command.js';
import { ownCommand } from './launcher.js';
import { inEnglish, message, type Formatter, type Message } from '../../messages/index.js';

const statusSchema = z.looseObject({
  url: z.string(),
  health: healthSchema.nullable(),
  doubt: doubtSchema.optional(),
});

export async function doctor(options: { json?: boolean }, words: Formatter): Promise<void> {
  const machine = [...checkMachine(thisMachine(process.env)), await checkPictures(), checkFolders(paths())];
  const found = [...machine, ...(await checkHost())];
  if (options.json === true) printJson({ version: VERSION, findings: found.map((one) => inWords(one, inEnglish)) });
  else print(withLocalCommand(found.map((one) => formatFinding(inWords(one, words))).join('\n'), ownCommand()));
  if (found.some((finding) => !finding.ok)) process.exitCode = 1;
}

async function checkHost(): Promise<Finding[]> {
  const status = await tryWithHost(async (session) => statusSchema.parse(await session.request('admin/status', {})));
  if (status === null)
    return [{ ...passed('host', message('doctor.host_stopped')), fix: message('doctor.host_starts') }];
  const { url, health, doubt } = status;
  if (doubt !== undefined)
    return [{ ...passed('host', message('doctor.host_running', { url })), fix: doubtText(doubt) }];
  const issues = health?.issues ?? [];
  return [
    passed('host', health === null ? message('doctor.host_running', { url }) : detailed(url, health)),
    ...grantedIn(health),
    ...automationIn(health),
    ...granteeIn(health),
    ...provisionsIn(health),
    ...(health?.note == null ? [] : [passed('display', health.note)]),
    ...(health?.doors ?? []).map((door) => passed('door', door)),
    ...issues.map((issue) => ({ name: 'host', ok: false, seen: issue.title, fix: issue.fix, command: null })),
  ];
}

/** Those that are not are among the issues, with what to do. */
function grantedIn(health: Health | null): Finding[] {
  const names = Object.entries(PERMISSION_NAMES).filter(([name]) => health?.permissions[name] === 'granted');
  return names.map(([, permission]) =>
    passed('permission', message('health.permission', { permission, state: 'granted' })),
  );
}

/** No fault where the person said no: scripts for other applications run all the same. */
const automationIn = (health: Health | null): Finding[] =>
  (health?.automation ?? []).map(({ application, state }) =>
    passed(
      'permission',
      message('health.automation', {
        application: terminalSafe(application),
        state: state === 'granted' ? state : 'other',
      }),
    ),
  );

const granteeIn = (health: Health | null): Finding[] =>
  health?.grantee === undefined
    ? []
    : [
        passed(
          'permission',
          message('doctor.grantee', {
            name: terminalSafe(health.grantee.name),
            path: terminalSafe(health.grantee.path),
          }),
        ),
      ];

const detailed = (url: string, { hostVersion: version, backend, display }: Health): Message =>
  message('doctor.host_details', { url, version, backend, display });

type WordedFinding = Omit<Finding, 'seen' | 'fix'> & { seen: string; fix: string | null };

const inWords = ({ seen, fix, ...finding }: Finding, { format }: Formatter): WordedFinding => ({
  ...finding,
  seen: format(seen),
  fix: fix === null ? null : format(fix),
});

function formatFinding({ name, ok, seen, fix, command }: WordedFinding): string {
  const help = [fix, command].flatMap((one) => (one === null ? [] : [`\n      ${one}`]));
  return `${ok ? 'ok ' : 'NO '} ${name}: ${seen}${help.join('')}`;
}
