const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/${file}`, test: `test/${test}`, from, to, fails }); // prettier-ignore
const codes = at('serve/pairing/link-codes.ts', 'serve/pairing/pairing.test.ts');
const keys = at('serve/pairing/key-store.ts', 'serve/pairing/pairing.test.ts');
const requests = at('serve/pairing/requests.ts', 'serve/pairing/requests.test.ts');
const guard = at('serve/page/page-guard.ts', 'serve/page/page-guard.test.ts');
const linkPermissions = at('serve/pairing/link-permissions.ts', 'serve/pairing/link-permissions.test.ts');
const traces = at('agents/agent-traces.ts', 'agents/agent-traces.test.ts');
const macMarks = (name, from, to, fails) => ({ name, file: 'src/native/peer/macos-command-marks.ts', test: 'test/peer/macos-command-marks.test.ts', from, to, fails }); // prettier-ignore
const kept = (file) => (name, from, to, fails) => ({ name, file: `src/native/peer/${file}.ts`, test: 'test/peer/macos-command-marks.test.ts', from, to, fails }); // prettier-ignore
const same = at('agents/same-program.ts', 'agents/same-program.test.ts');
const pairing = at('serve/pairing/index.ts', 'serve/pairing/pairing.test.ts');
const dispatch = at('serve/page/dispatch.ts', 'serve/page/table.test.ts');
const table = (file) => at(`serve/page/${file}.ts`, 'serve/page/table.test.ts');
const page = at('serve/page/page.ts', 'serve/page/table.test.ts');
const inline = at('serve/page/inline-code.ts', 'serve/page/assets.test.ts');
const persons = at('serve/page/dispatch.ts', 'adversary/page.test.ts');
const names = at('transport/host-and-origin.ts', 'adversary/doors.test.ts');
const users = at('transport/unix.ts', 'transport/unix.test.ts');
const watching = at('serve/page/watching.ts', 'serve/page/watching.test.ts');
const clients = at('host/client-setup.ts', 'host/client-setup.test.ts');

// prettier-ignore
export const PAIRING = [
  kept('started-commands')('kept-commands-forgotten', 'for (const { pid, ...known } of kept.entries) commands.set(pid, known);', '', 'too, by what the host before kept'),
  kept('kept-commands')('commands-of-another-boot', 'Math.abs(then - bootedAt) > SAME_BOOT_MS ? null :', '', 'nor after the machine was started again'),
  inline('any-inline-code-runs', "`'sha256-${createHash('sha256').update(text).digest('base64')}'`", '`\'unsafe-inline\'${text.slice(0, 0)}`', 'hashes, and those of a page built anew'),
  codes('link-never-expires', 'if (until <= now()) issued.delete(hash);', '', 'inutes, and captures are refused exactly that long'),
  codes('link-guessed-for-ever', 'return wrong.length >= GUESS_LIMIT.together || ofSource.length >= GUESS_LIMIT.perSource;', 'return false;', 'es cannot be guessed on from many sources together'),
  codes('link-works-twice', 'spend: (code) => void issued.delete(hashOf(code)),', 'spend: () => undefined,', '[req:DS-7-15] work once'),
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
  linkPermissions('marked-asker', "if (found.kind === 'marked') return 'command';", '', 'not what carries the mark: the program that shows its terminal'),
  linkPermissions('marked-browser', "return below.some(({ pid }) => mark(pid).kind === 'marked') ? 'command' : null;", 'return null;', 'no browser that a command started or an agent had opened'),
  linkPermissions('link-for-the-hosts-child', "return 'host';\n      const marked", "return null;\n      const marked", 'not what the host started, nor what sits in a terminal that it holds'),
  traces('opened-program-forgotten', 'if (one.parentPid === process.pid) addOpened(one);', '', 'a program that an agent had opened counts as one'),
  same('replaced-program-asked', '      if (!free) assertSame(request.caller);\n', '', 'once the peer is another, nothing is asked and nothing allowed acts'),
  same('replaced-program-allowed', '      if (!free || decision.approvalId !== null || isGranted(decision)) assertSame(request.caller);\n', '', 'a program replaced while a person was asked is not allowed'),
  same('replaced-program-granted', ' || isGranted(decision)', '', 'unless a person or a grant decided it'),
  same('replaced-program-acts', '!isSame(caller) || ', '', 'once the peer is another, nothing is asked and nothing allowed acts'),
  guard('second-document-unseen', '...(documents?.urls ?? []), ', '', 'l documents [req:SG-1] is ours when any of them is'),
  guard('untold-browser-open', 'isProtected: (window) => window !== null && (isKnown(window) || isUntold(window) || isNamesake(window)),', 'isProtected: (window) => window !== null && (isKnown(window) || isNamesake(window)),', 'aired page of it is visible, and the cure is named'),
  guard('hidden-page-counts-as-visible', 'paired && visible && (line', 'paired && (line', 'aired page of it is visible, and the cure is named'),
  guard('document-of-ours-shown', 'hidesDocument: (pid, url) => (url === null ? from(pid).length > 0 || isUnnamedOpen() : isOurs(url)),', 'hidesDocument: (pid, url) => url === null && (from(pid).length > 0 || isUnnamedOpen()),', 'n address only in a browser that has, or may have'),
  guard('namesake-of-the-page-open', '(isUnnamedOpen() || recent(null))', 'false', 'there a window with our name is the page too'),
  guard('nameless-document-shown', 'from(pid).length > 0 || isUnnamedOpen() :', 'from(pid).length > 0 :', 'n address only in a browser that has, or may have'),
  macMarks('macos-session-of-a-command-unseen', 'for (const leader of [calls.session(pid), responsible])', 'for (const leader of [responsible])', 'by its session, without a word'),
  macMarks('macos-answering-command-unseen', 'for (const leader of [calls.session(pid), responsible])', 'for (const leader of [calls.session(pid)])', 'by who answers for it'),
  macMarks('macos-ended-command-is-nobody', "hasEnded ? { kind: 'unreadable' }", "hasEnded ? { kind: 'none' }", 'is unclear where who answered for it has ended'),
  dispatch('effect-after-unpairing', 'if (!has()) throw new Error', 'if (false) throw new Error', 'gets nothing done and nothing answered'),
  dispatch('answer-to-another-key', 'if (!has()) return refuse(page, NEEDS_PAIRING, about);\n      if (isRefusal', 'if (isRefusal', 'refused where it is paired with another key'),
  dispatch('nested-dependency-unguarded', "? guarded(value, check) : value", '? value : value', 'gets nothing done and nothing answered'),
  page('other-key-same-page', 'identity.abort(new WaitEnded', 'void (new WaitEnded', 'refused where it is paired with another key'),
  table('clients')('anyone-sets-up-agents', "setUp: {\n    role: 'paired'", "setUp: {\n    role: 'any'", 'refuses each to an unpaired page'),
  table('agents')('anyone-resumes-agents', "pause: {\n    role: ({ on }) => (on ? 'any' : 'paired')", "pause: {\n    role: ({ on: _ }) => 'any'", 'refuses each to an unpaired page'),
  persons('page-of-an-agent-answers', 'return !agents.includes(processes.lineage(client.pid));', 'return true;', 'opened before its program became an agent'),
  names('any-host-name', "if (host === null || !ourHosts(request.socket.localPort ?? 0).includes(host))", 'if (host === null)', 'answers to its own names only'),
  names('upgrade-without-an-origin', 'return needsOrigin ? {', 'return false ? {', 'opens no WebSocket for another site'),
  users('agent-of-another-user', 'const own = uid === undefined || peer.uid === uid;', 'const own = true;', 'turns away another user'),
  watching('desktop-live-for-anyone', "live: {\n    role: 'paired'", "live: {\n    role: 'any'", 'sees nothing live'),
  clients('set-up-after-unpairing', 'signal.throwIfAborted();', '', 'sets nothing up for a page that was unpaired'),
];
