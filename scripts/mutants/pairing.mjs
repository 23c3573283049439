const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/${file}`, test: `test/${test}`, from, to, fails }); // prettier-ignore
const codes = at('serve/pairing/link-codes.ts', 'serve/pairing/pairing.test.ts');
const keys = at('serve/pairing/key-store.ts', 'serve/pairing/pairing.test.ts');
const requests = at('serve/pairing/requests.ts', 'serve/pairing/requests.test.ts');
const guard = at('serve/page/page-guard.ts', 'serve/page/page-guard.test.ts');
const person = at('agents/person.ts', 'agents/person.test.ts');
const origin = at('agents/person.ts', 'agents/person.test.ts');
const admin = at('serve/admin.ts', 'serve/admin.test.ts');
const server = at('serve/page/server.ts', 'adversary/page.test.ts');
const descent = at('agents/agent-traces.ts', 'agents/person.test.ts');
const traces = at('agents/agent-traces.ts', 'agents/agent-traces.test.ts');
const macMarks = (name, from, to, fails) => ({ name, file: 'src/native/peer/macos-calls.ts', test: 'test/peer/macos-command-marks.test.ts', from, to, fails }); // prettier-ignore
const kept = (file) => (name, from, to, fails) => ({ name, file: `src/native/peer/${file}.ts`, test: 'test/peer/macos-command-marks.test.ts', from, to, fails }); // prettier-ignore
const same = at('agents/same-program.ts', 'agents/same-program.test.ts');
const pairing = at('serve/pairing/index.ts', 'serve/pairing/pairing.test.ts');
const dispatch = at('serve/page/index.ts', 'serve/page/table.test.ts');
const decided = at('serve/page/approvals.ts', 'serve/page/table.test.ts');
const table = (file) => at(`serve/page/${file}.ts`, 'serve/page/table.test.ts');
const page = at('serve/page/page.ts', 'serve/page/table.test.ts');
const inline = at('serve/page/headers.ts', 'serve/page/assets.test.ts');
const names = at('transport/http.ts', 'adversary/doors.test.ts');
const users = at('transport/unix.ts', 'transport/unix.test.ts');
const watching = at('serve/page/watching.ts', 'serve/page/watching.test.ts');
const clients = at('host/pages.ts', 'host/client-setup.test.ts');

// prettier-ignore
export const PAIRING = [
  kept('started-commands')('kept-commands-forgotten', 'for (const { pid, ...known } of kept.entries) commands.set(pid, known);', '', 'too, by what the host before kept'),
  kept('started-commands')('commands-of-another-boot', 'Math.abs(then - bootedAt) > SAME_BOOT_MS ? null :', '', 'nor after the machine was started again'),
  inline('any-inline-code-runs', "`'sha256-${createHash('sha256').update(text).digest('base64')}'`", '`\'unsafe-inline\'${text.slice(0, 0)}`', 'hashes, and those of a page built anew'),
  codes('link-never-expires', 'if (until <= now()) issued.delete(hash);', '', 'inutes, and captures are refused exactly that long'),
  codes('link-guessed-for-ever', 'return wrong.length >= GUESS_LIMIT.together || ofSource.length >= GUESS_LIMIT.perSource;', 'return false;', 'es cannot be guessed on from many sources together'),
  codes('link-works-twice', 'spend: (code: string): void => void issued.delete(hashOf(code)),', 'spend: () => undefined,', '[req:DS-7-15] work once'),
  codes('open-link-not-told', 'return issued.size > 0;', 'return false;', 'ave captures refused while another link is unspent'),
  keys('key-file-others-can-write', '&& (stats.mode & 0o022) === 0', '', ' is not believed when others could have written it'),
  keys('key-stays-after-removal', 'keys: state.keys.filter((one) => one !== key), past', 'past', 'S-7-17] refuses a revoked key at once and for good'),
  pairing('any-signature', "const good = verify('sha256', text, { key: keyObject(key.publicKey), dsaEncoding: 'ieee-p1363' }, bytes);", 'const good = text.length > 0;', 'r origin, host or nonce, by another key, or forged'),
  requests('further-page-unasked', "if (link.by === 'cli') return confirmedIn();", "if (link.by === 'cli') return null;", 'perone pair` pairs nothing when the person said no'),
  requests('denied-page-paired', "if (decision !== null && decision.kind !== 'allowed') {", 'if (false) {', 'perone pair` pairs nothing when the person said no'),
  requests('command-redeems-a-link', 'if (fault !== null) {', 'if (false) {', 'ent or a command started pairs with no link at all'),
  requests('pairing-off-the-record', "await record({ ...line, event: 'paired', decision: decision && decisionPlace(decision) });", '', 'eq:PW-6] nothing is paired that cannot be recorded'),
  requests('link-open-while-asked', '    offer.spend();\n', '', 'rone pair` is spent as soon as the person is asked'),
  requests('unnamed-browser-unasked', "return client === null ? (popover ? 'popover' : confirmedIn()) : null;", 'return null;', 'l does not name is confirmed wherever somebody can'),
  requests('pairing-asked-as-ordinary', "effect: 'dangerous' }", "effect: 'input' }", 'ed it, as a dangerous request that names who asked'),
  traces('opened-program-forgotten', ' || (one.parentPid === process.pid && this.options.openedByAgent(one.pid))', '', 'a program that an agent had opened counts as one'),
  descent('agents-place-forgotten', 'this.#sessions.add(this.#sessionOf(own));', '', 'below the session of an agent'),
  person('marked-asker', "if (kind === 'marked') return 'command';", '', 'what carries the mark of a command'),
  person('marked-browser', "return below.some(({ pid }) => this.options.mark(pid).kind === 'marked') ? 'command' : null;", 'return null;', 'no browser that a command started or an agent had opened'),
  person('marked-page', "if (line.some(({ pid }) => this.options.mark(pid).kind === 'marked')) return 'command';", '', 'not of a command'),
  person('hosts-child-is-the-person', "? 'host' : null;\n  }\n\n  #markDoubt", "? null : null;\n  }\n\n  #markDoubt", 'what the host started'),
  person('nobodys-terminal-is-the-person', "if (place.terminal === 0) return 'no_terminal';", '', 'who has no terminal'),
  person('sandbox-is-the-person', "every(({ pid }) => this.#sharesWithHost(pid, 'pid', 'mount'))", 'every(() => true)', 'in a sandbox'),
  person('unshown-terminal-is-the-person', 'return masters.length === 0 && (', 'return masters.length === 0 || (', 'in a terminal that nobody above it shows'),
  person('editors-terminal-is-the-person', "if (above.some((one) => this.options.traces.isProgram(one))) return 'agent';", '', 'what a terminal of the agent’s own editor shows'),
  person('any-origin-is-the-persons', 'tops.every((line) => this.#origins.isKnown(line, place.sessionLeader))', 'tops.length > 0', 'what forked away from an agent with a terminal of its own'),
  person('second-showers-origin-unasked', 'const tops = [own.slice(leaderAt), ...masters.map(this.options.lineage)];', 'const tops = [own.slice(leaderAt)];', 'in a terminal that another program shows too'),
  origin('orphan-is-the-person', "if (parent.pid === 1 || ADOPTERS.test(basename(parent.executable))) return false;", '', 'what the first process adopted, which is of the same user'),
  origin('adopters-are-parents', 'parent.pid === 1 || ADOPTERS.test(basename(parent.executable))', 'parent.pid === 1', 'what a desktop that adopts has below it'),
  origin('agents-ancestor-adopts-unasked', 'if (this.options.mayHaveLeft(one, parent, leader)) return false;', '', 'what an agent’s ancestor adopted, in a session of its own'),
  origin('setuid-file-lets-in', 'return place?.realUid === uid || (', 'return (', 'what became another user by its file'),
  origin('timer-lets-in', '&& !UNATTENDED.test(name)', '', 'what a timer started as the user'),
  origin('manager-of-all-lets-in', 'pid === 1 ? undefined : this', 'this', 'what the first process adopted of another user'),
  origin('script-is-a-window', "if (place === null || !WINDOWS.test(basename(one.executable))) return false;", 'if (place === null) return false;', 'a script of the manager, in a group of its own'),
  origin('any-xterm-is-a-window', "if (this.options.inspector.programOf(one.pid)?.isInstalled !== true) return false;", '', 'a window of a program that is not installed'),
  origin('scope-of-another', "return unit?.endsWith(`-${pid}.scope`) === true;", 'return unit !== undefined;', 'what is left in the group of another window'),
  origin('login-is-a-unit', "/\\/user@\\d+\\.service\\/(?:\\S*\\/)?([^/\\s]+\\.(?:scope|service))$/m", "/([^/\\s]+\\.(?:scope|service))$/m", 'what is left in the group of the login'),
  origin('service-with-its-shells', 'return shell !== null && shell.family !== family;', 'return shell !== null;', 'what is left in a service with its shells'),
  origin('second-in-its-group', 'Number(one.startTime) >= Number(startTime) &&', '', 'who came second into the group'),
  origin('group-with-a-command', "mark(one.pid).kind !== 'marked' &&", '', 'in a group with a command'),
  origin('group-with-the-host', "one.pid !== host.pid &&", '', 'in a group with the host'),
  origin('group-with-an-agents-child', " &&\n        !lineage(one.pid).some(isAgents)", '', 'in a group with what an agent started'),
  person('second-shower-unchecked', 'const lines = [own, ...masters.map(this.options.lineage)];\n    if (this.options.traces.any', 'const lines = [own];\n    if (this.options.traces.any', 'in a terminal that a tmux shows too'),
  person('tmux-is-the-person', 'if (this.options.traces.any && lines.flat().some(isMultiplexer))', 'if (lines.length === 0)', 'in tmux, also one that was there before the agent'),
  person('hosts-tmux-is-the-person', 'this.options.traces.any && lines.flat()', '!this.#isHostsTerminal(place) && lines.flat()', 'in a tmux, in the terminal of the host too'),
  person('shims-host-proves-its-terminal', 'const host = background ? null : this', 'const host = background ? this.options.inspector.inspect(pid) : this', 'of a host that an agent’s shim started'),
  person('company-of-a-command', "if (this.options.mark(pid).kind === 'marked') return 'command';", '', 'in the terminal of a command'),
  person('agents-place-is-the-person', "if ([peer, ...line].some((one) => this.#livesWithAgents(one))) return 'agent';", '', 'below the session of an agent'),
  person('forwarded-is-the-person', "if (peer.forwardedBy !== undefined) return 'unclear';", '', 'whoever SSH forwards'),
  person('number-of-another', 'own[0]?.startTime !== peer.startTime || place === null', 'place === null', 'whoever has the number of another now'),
  person('hidden-environment-is-the-person', "return unreadable ? 'unclear' : null;", 'return null;', 'what hides its environment'),
  person('any-program-is-a-browser', 'if (client === undefined || !isBrowser(client)) return false;', 'if (client === undefined) return false;', 'not in another program'),
  person('copied-browser-is-one', 'program?.isInstalled === true && ', 'program != null && ', 'not in a copy of a browser'),
  person('driven-browser-is-the-persons', ' && !program.argv.some((one) => AUTOMATED.test(one))', '', 'not with --remote-debugging-port=0'),
  person('left-browser-is-the-persons', '!this.#origins.isKnown(line) || !this', '!this', 'not that lost its parent, however old'),
  person('sandboxed-browser-is-the-persons', "return this.#sharesWithHost(client.pid, 'pid') ? null : 'unclear';", 'return null;', 'not in a sandbox'),
  descent('launchers-start-forgotten', '...together.map(({ startTime }) => Number(startTime))', 'Number(line[0].startTime)', 'what an agent’s launcher started before the agent'),
  descent('subreaper-adopts-unnoticed', ' || this.#above.has(keyOf(parent));', ';', 'what an agent’s ancestor adopted, in a session of its own'),
  descent('new-agent-clears-what-is-above', 'line.slice(open + 1)', 'line.slice(Math.min(open, 0))', 'what an agent’s ancestor adopted, with a new agent below it'),
  descent('left-session-unnoticed', 'return place.sessionLeader !== one.pid || ', 'return ', 'what a subreaper adopted'),
  descent('agents-group-forgotten', 'this.#families.add(own.family);', '{}', 'in the control group of an agent'),
  admin('unproven-gets-it-all', "return asking.doubt === null ? row.whole(params, asking) : row.counts(params, asking);", 'return row.whole(params, asking);', 'sees counts, and why'),
  admin('unproven-may', 'if (asking.doubt !== null) throw onlyPerson(asking.doubt);', '', 'stops agents in no person’s name, and does nothing else'),
  admin('anybody-denies', '!isOwn(card.agent) || ', '', 'an agent sees and withdraws its own'),
  admin('agent-speaks-in-a-denial', ' || words !== undefined', '', 'an agent sees and withdraws its own'),
  admin('agent-is-asked-for-a-terminal', "view !== null ? 'agent' : caller.early", 'false ? \'agent\' : caller.early', 'an agent sees and withdraws its own'),
  admin('stop-in-the-persons-name', "else stopAgents(caller.agent.name, 'unproven');", "else stopAgents('command line', 'cli');", 'stops agents in no person’s name'),
  admin('anybody-ends-the-host', 'if (host && doubt !== null) throw onlyPerson(doubt);', '', 'stops agents in no person’s name'),
  server('page-of-an-agent-answers', 'if (this.#at !== this.person.changes) this.#told.clear();', '', 'opened before its program became an agent'),
  same('replaced-program-asked', '      if (!free) assertSame(request.caller);\n', '', 'once the peer is another, nothing is asked and nothing allowed acts'),
  same('replaced-program-allowed', '      if (!free || decision.approvalId !== null || isGranted(decision)) assertSame(request.caller);\n', '', 'a program replaced while a person was asked is not allowed'),
  same('replaced-program-granted', ' || isGranted(decision)', '', 'unless a person or a grant decided it'),
  same('replaced-program-acts', '!isSame(caller) || ', '', 'once the peer is another, nothing is asked and nothing allowed acts'),
  guard('second-document-unseen', '...(documents?.urls ?? []), ', '', 'l documents [req:SG-1] is ours when any of them is'),
  guard('untold-browser-open', 'window !== null && (isKnown(window) || isUntold(window) ||', 'window !== null && (isKnown(window) ||', 'aired page of it is visible, and the cure is named'),
  guard('hidden-page-counts-as-visible', 'paired && visible && (line', 'paired && (line', 'aired page of it is visible, and the cure is named'),
  guard('document-of-ours-shown', 'hidesDocument: (pid, url) => (url === null ? from(pid).length > 0 || isUnnamedOpen() : isOurs(url)),', 'hidesDocument: (pid, url) => url === null && (from(pid).length > 0 || isUnnamedOpen()),', 'n address only in a browser that has, or may have'),
  guard('namesake-of-the-page-open', '(isUnnamedOpen() || recent(null))', 'false', 'there a window with our name is the page too'),
  guard('nameless-document-shown', 'from(pid).length > 0 || isUnnamedOpen() :', 'from(pid).length > 0 :', 'n address only in a browser that has, or may have'),
  macMarks('macos-session-of-a-command-unseen', 'for (const leader of [calls.session(pid), responsible])', 'for (const leader of [responsible])', 'by its session, without a word'),
  macMarks('macos-answering-command-unseen', 'for (const leader of [calls.session(pid), responsible])', 'for (const leader of [calls.session(pid)])', 'by who answers for it'),
  macMarks('macos-ended-command-is-nobody', "hasEnded ? { kind: 'unreadable' }", "hasEnded ? { kind: 'none' }", 'is unclear where who answered for it has ended'),
  dispatch('effect-after-unpairing', 'if (!has()) throw new Error', 'if (false) throw new Error', 'gets nothing done and nothing answered'),
  dispatch('answer-to-another-key', 'if (!has()) return refuse(page, NEEDS_PAIRING, about);\n      if (isRefusal', 'if (isRefusal', 'refused where it is paired with another key'),
  decided('allow-after-unpairing', 'assertRole();\n        return approvals', 'return approvals', 'allows nothing where it is unpaired during the last wait'),
  decided('press-judged-after-unpairing', 'assertRole();\n        const [', 'const [', 'gets nothing done and nothing answered'),
  page('other-key-same-page', 'identity.abort(new WaitEnded', 'void (new WaitEnded', 'refused where it is paired with another key'),
  table('programs')('anyone-sets-up-agents', "setUp: {\n    role: 'paired'", "setUp: {\n    role: 'any'", 'refuses each to an unpaired page'),
  table('agents')('anyone-resumes-agents', "pause: {\n    role: ({ on }) => (on ? 'any' : 'paired')", "pause: {\n    role: ({ on: _ }) => 'any'", 'refuses each to an unpaired page'),
  names('any-host-name', "if (host === null || !ourHosts(request.socket.localPort ?? 0).includes(host))", 'if (host === null)', 'answers to its own names only'),
  names('upgrade-without-an-origin', 'return needsOrigin ? {', 'return false ? {', 'opens no WebSocket for another site'),
  users('agent-of-another-user', 'const own = uid === undefined || peer.uid === uid;', 'const own = true;', 'turns away another user'),
  watching('desktop-live-for-anyone', "live: {\n    role: 'paired'", "live: {\n    role: 'any'", 'sees nothing live'),
  clients('set-up-after-unpairing', 'signal.throwIfAborted();', '', 'sets nothing up for a page that was unpaired'),
  { name: 'allow-where-input-is-untold', file: 'src/main/serve/page/press-check.ts', from: '!untold || !(', to: '!untold || false && !(', test: 'test/serve/page/press-check.test.ts', fails: 'where no program is told of others' },
];
