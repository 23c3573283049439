/** What a command is, before anybody is asked: whether it only reads, deserves red, and may be covered by a rule. */
import { realpath } from 'node:fs/promises';
import type { PlannedCommand } from '../../approvals/plan.js';
import { stepsInside } from '../../approvals/files.js';
import { fileIdentities } from '../../pipeline/file-identity.js';
import type { PlanContext } from '../../pipeline/context.js';
import { programFile } from './command-files.js';
import { type CommandInput, readableWords, simpleCommand } from './command-line.js';
import { readingCommand, type ReadingCommand } from './reading-commands.js';
import type { Place } from './reading-options.js';
import { basename, resolve } from 'node:path';

export interface JudgedCommand {
  /** null: not one command of plain words in the agent's workspace, so that a person is asked each time. */
  planned: PlannedCommand | null;
  plain: boolean;
  /** What runs in its place where it only reads. */
  reading: ReadingCommand | null;
}

interface Asked extends CommandInput {
  desktop: boolean;
  keepsRunning: boolean;
  sandbox: boolean;
}

const UNKNOWN: JudgedCommand = { planned: null, plain: false, reading: null };

export async function judgeCommand(
  asked: Asked,
  workspace: string | null,
  env: Readonly<Record<string, string>>,
): Promise<JudgedCommand> {
  const words = plainWords(asked);
  const { folder, sandbox } = asked;
  if (words === null || workspace === null || stepsInside(workspace, folder) === null) return UNKNOWN;
  const place: Place = { root: workspace, folder };
  const reading = sandbox ? null : await readingCommand(words, place, env);
  const program = reading?.argv[0] ?? (await programFile(words[0] ?? '', { folder, path: env['PATH'] }));
  if (program === null) return { ...UNKNOWN, plain: isPlain(words, place) };
  const [file] = await fileIdentities([program]);
  const identity = `${file?.identity ?? ''} ${file?.sha256 ?? ''}`;
  const rule = coverable(words, place);
  return {
    planned: { words, folder, program, identity, reads: reading !== null, sandbox, rule },
    plain: isPlain(words, place),
    reading,
  };
}

/** Anything besides words and a folder can change what they do. */
function plainWords({ command, args, environment, stdin, shell, desktop, keepsRunning }: Asked): string[] | null {
  if (Object.keys(environment).length > 0 || stdin !== null || desktop || keepsRunning) return null;
  if (!shell) return readableWords([command, ...args]);
  return args.length > 0 ? null : simpleCommand(command);
}

/** The folder that the kernel reports for the agent, where its calls also keep their evidence: never the home folder itself. */
export async function agentWorkspace({
  caller,
  workspace,
}: Pick<PlanContext, 'caller' | 'workspace'>): Promise<string | null> {
  const { cwd } = caller.agent;
  if (cwd === null) return null;
  const [own, kept] = await Promise.all([cwd, workspace].map((path) => realpath(path).catch(() => null)));
  return own === kept ? (own ?? null) : null;
}

const list = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** They run what their arguments, their input or a file says: no rule reaches through them. */
const INTERPRETERS = list(
  'sh bash dash zsh fish ksh csh tcsh busybox pwsh nu elvish xonsh node nodejs deno bun python perl ruby php lua luajit tclsh wish expect guile julia Rscript R java dotnet mono awk gawk mawk nawk sed ed ex vi vim nvim emacs gdb lldb osascript env xargs sudo doas su run0 pkexec nice ionice nohup timeout time setsid stdbuf unbuffer script watch parallel entr strace ltrace perf valgrind chroot unshare nsenter bwrap flock chrt taskset systemd-run at batch crontab ssh npx bunx pnpx uvx pipx uv poetry pipenv conda mise asdf direnv nix docker podman kubectl helm vagrant screen tmux less more man tee install command exec eval source',
);
const VERSIONED = /^(python|pypy|perl|ruby|php|lua|node|tclsh|bash|ksh|emacs)[\d.]+$/;
/** They remove, overwrite, change rights or the system, or reach other machines. */
const HARMFUL = list(
  'rm rmdir unlink shred dd truncate mkfs fdisk parted mount umount mv cp ln chmod chown chgrp chattr setfacl kill killall pkill shutdown reboot halt poweroff init telinit systemctl service launchctl loginctl passwd usermod useradd userdel groupadd visudo iptables nft ufw sysctl modprobe insmod curl wget nc ncat netcat socat telnet ftp sftp scp rsync rclone mail sendmail msmtp gh glab hub aws gcloud az terraform pulumi ansible ansible-playbook fly heroku vercel netlify wrangler firebase apt apt-get dpkg yum dnf rpm pacman apk brew port snap flatpak pip pip3 gem cpan twine psql mysql sqlite3 mongosh redis-cli gpg ssh-add ssh-keygen openssl security keytool xdg-open open gio dbus-send gdbus busctl xdotool ydotool wtype xclip xsel pbcopy pbpaste export crontab history zip tar unzip 7z',
);
/** Of programs that are plain otherwise. */
const HARMFUL_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', list('push reset clean checkout restore rm rebase filter-branch filter-repo gc prune reflog config remote submodule update-ref send-email bundle bisect difftool mergetool daemon instaweb credential stash')],
  ['npm', list('install i add update up upgrade link publish unpublish deprecate owner access token login logout adduser dist-tag exec x explore config set edit hook team org star init create')],
  ['pnpm', list('install i add update up upgrade link publish dlx exec x login config create init deploy')],
  ['yarn', list('add up upgrade link publish dlx exec npm login config create init node')],
  ['cargo', list('publish yank login owner install uninstall')],
  ['go', list('install get clean generate tool')],
  ['find', list('-exec -execdir -ok -okdir -delete -fprint -fprintf -fprint0 -fls')],
  ['make', list('install uninstall publish deploy release')],
  ['gradle', list('publish')], ['gradlew', list('publish')], ['mvn', list('deploy')], ['mvnw', list('deploy')],
]); // prettier-ignore
/** Options that name a program, a script or settings, or another place to work in. */
const HARMFUL_OPTION = /^--?(exec|execdir|toolexec|eval|config|configuration|config-file|script-shell|shell|prefix|cwd|dir|directory|node-options|require|import|loader|runner|init-script|manifest-path|userconfig|globalconfig|force|exec-path|upload-pack|receive-pack|to-command|filter|compress-program|use-compress-program|checkpoint-action|plugin|rcfile|pre|output)(=|$)|^-(C|c|e|f|p|r)$/; // prettier-ignore

/** What is known of commands by their words: which deserve red and a held button, and which a rule may cover. Pure. */
const isInterpreter = (program: string): boolean => {
  const name = basename(program);
  return INTERPRETERS.has(name) || VERSIONED.test(name);
};

/** An interpreter that runs a file of the workspace is as plain as that file; anything else it is given can be anything. */
function isPlain(words: readonly string[], place: Place): boolean {
  const [program = '', ...args] = words;
  const name = basename(program);
  const runsFile =
    isInterpreter(name) &&
    /^(node|nodejs|deno|python|ruby|php|perl|bash|sh)[\d.]*$/.test(name) &&
    args[0]?.startsWith('-') === false;
  if (HARMFUL.has(name) || name.startsWith('mkfs.') || (isInterpreter(name) && !runsFile)) return false;
  const harmful = HARMFUL_WORDS.get(name);
  if (harmful !== undefined && args.some((arg) => harmful.has(arg))) return false;
  return (program.includes('/') ? words : args).every((word) => staysInside(word, place));
}

/** No word, nor the value of an option, is a path that leads out of the workspace. */
function staysInside(word: string, { root, folder }: Place): boolean {
  const values = [word, word.replace(/^-{0,2}[^=]*=/s, ''), word.replace(/^-\w/, '')];
  return values.every((value) => {
    if (value.startsWith('~') || value.includes('://')) return false;
    const isPath = value.startsWith('/') || value.split('/').includes('..');
    return !isPath || stepsInside(root, resolve(folder, value)) !== null;
  });
}

/** `prefix`: the first words that a wider rule can be for; null: only for all words. In all null where no rule may cover it. */
function coverable(words: readonly string[], place: Place): PlannedCommand['rule'] {
  const [program = '', ...args] = words;
  if (isInterpreter(program) || !isPlain(words, place)) return null;
  return { prefix: args.some((arg) => HARMFUL_OPTION.test(arg)) ? null : prefixOf(words) };
}

/** Of each program, how many words name what is done, by the first of them. `targets`: further names would be done as well. */
const PREFIXES: ReadonlyMap<string, { words: ReadonlyMap<string, number>; targets?: true }> = new Map(
  (
    [
      ['npm', 'test:1 t:1 ci:1 start:1 run:2 run-script:2'],
      ['pnpm', 'test:1 build:1 lint:1 run:2'],
      ['yarn', 'test:1 build:1 lint:1 run:2'],
      ['cargo', 'build:1 test:1 check:1 clippy:1 fmt:1 doc:1 bench:1'],
      ['go', 'build:1 test:1 vet:1 fmt:1'],
      ['pytest', ':0'],
      ['tsc', ':0'],
      ['eslint', ':0'],
      ['prettier', ':0'],
      ['vitest', 'run:1 :0'],
      ['jest', ':0'],
      ['ruff', 'check:1 format:1'],
      ['mypy', ':0'],
      ['black', ':0'],
      ['swift', 'build:1 test:1'],
      ['make', '*:1', 'targets'],
      ['just', '*:1', 'targets'],
      ['gradle', '*:1', 'targets'],
      ['gradlew', '*:1', 'targets'],
      ['mvn', '*:1', 'targets'],
      ['mvnw', '*:1', 'targets'],
      ['ninja', ':0', 'targets'],
    ] as const
  ).map(([program, words, targets]) => [
    program,
    {
      words: new Map(words.split(' ').map((one) => [one.slice(0, one.indexOf(':')), Number(one.slice(-1))])),
      ...(targets === undefined ? {} : { targets: true }),
    },
  ]),
);

/** Change only how much is said, how much runs at a time, or which of what is there. */
const MILD_OPTION =
  /^(--|-v|-vv|-q|-s|-x|-j\d*|-\d+|--(verbose|quiet|silent|watch=false|run|coverage|no-coverage|bail|ci|color|no-color|release|debug|all|workspace|all-features|all-targets|lib|bins|tests|locked|offline|frozen|no-fail-fast|check|noEmit|pretty|watchAll=false|passWithNoTests|stacktrace|info|max-warnings=\d+|maxfail=\d+|count=\d+|jobs=\d+)|-(race|short|cover|count=\d+|timeout=\d+[smh]))$/;
const NAME = /^[\p{L}\p{N}_@./][\p{L}\p{N}_@%+:,./^-]*$/u;

function prefixOf(words: readonly string[]): string[] | null {
  const [program = '', first = '', second = ''] = words;
  const known = PREFIXES.get(basename(program));
  if (known === undefined) return null;
  const { words: starts, targets } = known;
  const count = starts.get(first) ?? (NAME.test(first) ? starts.get('*') : undefined) ?? starts.get('');
  if (count === undefined || (count > 0 && !NAME.test(first)) || (count > 1 && !NAME.test(second))) return null;
  const rest = words.slice(1 + count);
  const isMild = (word: string) => MILD_OPTION.test(word) || (targets !== true && NAME.test(word));
  return rest.every(isMild) ? words.slice(0, 1 + count) : null;
}
