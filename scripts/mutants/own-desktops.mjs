const started = (name, from, to, fails) => ({ name, file: 'src/main/host/own/approver.ts', test: 'test/host/own-started.test.ts', from, to, fails }); // prettier-ignore
const lived = (file) => (name, from, to, fails) => ({
  name,
  file,
  test: 'test/adversary/own-desktop.test.ts',
  from,
  to,
  fails,
});
const approver = lived('src/main/host/own/approver.ts');
const environment = lived('src/main/tools/commands/environment.ts');
const decided = lived('src/main/approvals/decide.ts');
const given = (name, from, to, fails) => ({ name, file: 'src/main/host/own/desktops.ts', test: 'test/e2e/own-desktop.test.ts', from, to, fails }); // prettier-ignore

const lease = (name, from, to, fails) => ({ name, file: 'src/main/host/own/lease.ts', test: 'test/host/own-lease.test.ts', from, to, fails }); // prettier-ignore

// prettier-ignore
export const OWN_DESKTOPS = [
  lease('own-lease-late-acts', '        this.assertAgents();\n        const result', '        const result', 'does nothing then'),
  lease('own-lease-late-characters', '      await guard();\n      this.assertAgents();', '      await guard();', 'stops at the next character'),
  lease('own-lease-late-looks', "        if (known?.kind === 'reader') this.assertAgents();\n", '', 'a look that comes late'),
  { name: 'own-hand-late', file: 'src/main/host/own/lease.ts', test: 'test/host/own-lease.test.ts', from: 'if (this.#mayAct()) await', to: 'await', fails: 'is dropped once they have given it back' },
  started('own-desktop-any-window', '    return isOrdinary(window.app) && showsOnlyWeb(window) && this.#descends(window.app);', '    return isOrdinary(window.app) && showsOnlyWeb(window);', 'another program is not'),
  started('own-desktop-terminals', '    return isOrdinary(window.app) && showsOnlyWeb(window)', '    return showsOnlyWeb(window)', 'a terminal is not'),
  started('own-desktop-files-in-browsers', ' && showsOnlyWeb(window) &&', ' &&', 'a file in a browser is not'),
  started('own-desktop-untold-documents', '  if (documents?.complete === false) return false;\n', '', 'that does not tell all is not'),
  started('own-desktop-pid-given-again', '    if (line[0]?.startTime !== app.startTime) return false;\n', '', 'of a number that was given again is not'),
  started('own-desktop-through-terminals', "    return from > 0 && line.slice(0, from + 1).every(({ executable }) => isOrdinaryName(basename(executable)));", '    return from > 0;', 'what a terminal in it started is not'),
  started('own-desktop-terminal-starts', "if (isNew && isOrdinary(launched.app))", "if (isNew)", 'what is started in a terminal'),
  started('own-desktop-screen-of-others', "    if (target.kind === 'screen') return this.#windows?.every((one) => this.#isOwn(one)) === true;\n", "    if (target.kind === 'screen') return true;\n", 'the whole screen is covered only where everything'),
  started('own-desktop-dangerous', '    if (!UNASKED.has(effect)) return false;\n', '', 'is covered'),
  started('own-desktop-late-steps', '    if (late !== null) return false;\n', '', 'of a sequence, every step'),
  approver('own-desktop-own-entries', '[found.entry, ...files.map(({ path }) => path)]', 'files.map(({ path }) => path)', 'a program that is no installed application asks'),
  approver('own-desktop-opens-terminals', ' || !isOrdinary(found)) return false;', ') return false;', 'terminals and file managers ask'),
  environment('own-desktop-persons-bus', '.filter(([name]) => !DESKTOP_VARIABLES.has(name) && !OF_SESSION.test(name))', '.filter(() => true)', 'a command asks, and reaches neither'),
  decided('own-desktop-without-grants', 'parts.rules.policy.grants && isTrusted(parts, caller)', 'isTrusted(parts, caller)', 'under a policy without grants'),
  decided('own-desktop-any-file', "&& isOwnFile(asked) && ownCounts", "&& ownCounts", 'a dialog saves and opens new files'),
  { name: 'own-desktop-files-for-sites', file: 'src/main/approvals/decide.ts', test: 'test/approvals/sequences.test.ts', from: '(!browser && isInFolder(folder, file))', to: 'isInFolder(folder, file)', fails: 'asks for a file of a browser' },
  given('own-desktop-shared-unasked', "return one === undefined ? null : one.choice === 'shared' ? shared : one.desk.seat;", "return one === undefined || one.choice === 'shared' ? shared : one.desk.seat;", 'one request; then'),
  given('own-desktop-limit-race', 'assertRoom(desks().length + opening.size, ', 'assertRoom(desks().length, ', 'two that are allowed at one moment'),
  given('own-desktop-stays', "      if (kind === 'disconnected' && given.has(agent.id) && !agents.has(agent.id)) forgetLater(agent.id);\n", '', 'each ends with its agent'),
];
