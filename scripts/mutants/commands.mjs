const reads = (file) => (name, from, to, fails) => ({ name, file: `src/main/tools/commands/${file}`, test: 'test/tools/commands/reading.test.ts', from, to, fails }); // prettier-ignore
const words = reads('command-line.ts');
const places = reads('reading-options.ts');
const git = reads('reading-commands.ts');
const programs = reads('reading-commands.ts');
const options = reads('reading-options.ts');
const kinds = reads('judge-command.ts');
const judged = reads('judge-command.ts');
const ruled = (name, from, to, fails) => ({ name, file: 'src/main/approvals/command-rules.ts', test: 'test/e2e/tools/command-rules.test.ts', from, to, fails }); // prettier-ignore
const decided = (name, from, to, fails) => ({ name, file: 'src/main/approvals/decide.ts', test: 'test/e2e/tools/command-rules.test.ts', from, to, fails }); // prettier-ignore
const boxed = (name, from, to, fails) => ({ name, file: 'src/native/process/sandbox.ts', test: 'test/e2e/tools/sandboxed.test.ts', from, to, fails }); // prettier-ignore

// prettier-ignore
export const COMMANDS = [
  words('dollar-within-quotes', "new Set(['$', ", 'new Set([', 'what a shell makes more of'),
  words('hidden-characters-in-a-script', 'if (hiddenKind(one) !== null) return null;', '', 'what a shell makes more of'),
  words('hidden-characters-in-words', "program === '' || words.some(hides) ? null", "program === '' ? null", 'words with hidden characters'),
  places('secrets-are-read', 'steps === null || isSecret(steps)', 'steps === null', 'a secret, and a link that leads out'),
  places('links-that-lead-out', 'const ways = [path, real]', 'const ways = [path]', 'a secret, and a link that leads out'),
  places('pipes-are-read', 'facts === null || facts.isFile() || facts.isDirectory()', 'true', 'what is no file or folder'),
  places('code-named-like-secrets', "flatMap((name) => DATA.map((end) => `*${name}.${end}`))", "map((name) => `*${name}.*`)", 'names of secrets are told'),
  git('settings-of-the-repository', 'config !== null && isPlainConfig(config)', 'config !== null', 'core.fsmonitor is asked about'),
  git('objects-of-elsewhere', "'objects/info/alternates', ", '', 'objects of another repository'),
  git('another-common-folder', "['commondir', ", '[', 'another common folder'),
  git('filters-of-the-workspace', '|| /filter/i.test(attributes)', '', 'a filter of the workspace'),
  git('repository-behind-a-link', "if (![...kinds, ...others].every(Boolean)) return null;", '', 'a link to the repository'),
  git('helpers-of-git', "['--no-ext-diff', '--no-textconv', ", '[', 'runs no helper that was written after'),
  git('fsmonitor-of-git', "    'core.fsmonitor=false',\n", '', 'runs no helper that was written after'),
  git('submodules-are-entered', "['--ignore-submodules=all']", '[]', 'does not look into a submodule'),
  git('secrets-in-changes', 'reader.content === true ? WITHOUT_SECRETS : []', '[]', 'shows changes, but of no file'),
  programs('options-that-are-files', '|| (await hidesFiles(args, place))', '', 'where a file has that name'),
  programs('secrets-in-searches', '...SECRET_FILES.map((pattern) => `--exclude=${withEitherCase(pattern)}`),', '', 'through folders leaves secrets'),
  programs('programs-of-anybody', "[name] : named)", "[name] : [name, ...named])", 'a program that others could have put there'),
  options('searches-run-programs', "'no-line-number'],", "'no-line-number', 'pre', 'hidden', 'search-zip'],", 'with rg --hidden is asked about'),
  kinds('rules-through-interpreters', "if (isInterpreter(program) || !isPlain(words, place)) return null;", 'if (!isPlain(words, place)) return null;', 'nothing of node x.js'),
  kinds('rules-with-more-targets', '(targets !== true && NAME.test(word))', 'NAME.test(word)', 'only exactly make test lint'),
  kinds('harm-is-plain', 'if (HARMFUL.has(name) ||', 'if (', 'rm -rf deserves them'),
  kinds('plain-outside', "return !isPath || stepsInside(root, resolve(folder, value)) !== null;", 'return true;', 'touch ../x deserves them'),
  judged('variables-are-plain', 'Object.keys(environment).length > 0 || ', '', 'all that is more than one command'),
  ruled('rules-in-every-folder', 'folder !== asked.folder || ', '', 'a rule for exactly a command'),
  ruled('rules-for-more-words', 'rule.exact ? asked.words : asked.rule?.prefix', 'asked.rule?.prefix', 'a rule for exactly a command'),
  ruled('rules-for-another-program', ' || identity !== asked.identity', '', 'a program that has taken the place'),
  ruled('denials-are-forgotten', ' || denied.some((one) => isDenial(one, asked, command))', '', 'a denial goes before a rule'),
  ruled('rules-for-every-agent', 'isFor(rule.grant, asked) && ', '', 'a rule is for one process'),
  ruled('rules-come-back', 'change(rules.filter(({ grant }) => grant.id !== id))', 'true', 'a rule for exactly a command'),
  decided('reads-under-strict', '(parts.rules.policy.grants && !alwaysAsk && isTrusted(parts, caller))', 'true', 'under strict'),
  boxed('sandbox-with-network', "'--unshare-all', '--unshare-user',", "'--unshare-user', '--unshare-pid', '--unshare-ipc',", 'has no network'),
  boxed('sandbox-sees-the-home', "...HELD.map(", "...['--ro-bind', '/tmp', '/tmp', '--bind', workspace, workspace],\n      ...HELD.map(", 'sees no file of the person'),
  boxed('sandbox-writes-hooks', "['.git/hooks', '.git/config']", '[]', 'writes nothing else'),
];
