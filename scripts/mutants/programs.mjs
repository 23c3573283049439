const at = (file, test) => (name, from, to, fails) => ({ name, file, test: `test/${test}`, from, to, fails }); // prettier-ignore
const programs = at('src/native/peer/linux-programs.ts', 'adversary/program-identity.test.ts');
const code = at('src/native/peer/script.ts', 'adversary/program-identity.test.ts');
const holders = at('src/native/peer/connection-holders.ts', 'adversary/program-identity.test.ts');
const passed = at('src/native/peer/connection-holders.ts', 'peer/connection-holders.test.ts');
const again = at('src/main/approvals/grants.ts', 'adversary/program-identity.test.ts');
const trust = at('src/main/approvals/trust.ts', 'adversary/program-identity.test.ts');
const bound = at('src/main/approvals/trust.ts', 'approvals/signed-programs.test.ts');
const shim = at('src/main/approvals/trust.ts', 'adversary/shim-identity.test.ts');
const own = at('src/native/peer/linux-programs.ts', 'adversary/shim-identity.test.ts');
const used = at('src/main/approvals/decide.ts', 'adversary/program-identity.test.ts');
const names = at('src/main/agents/caller.ts', 'adversary/program-identity.test.ts');
const given = at('src/main/agents/names.ts', 'agents/names.test.ts');
const frames = at('src/main/transport/frames.ts', 'transport/frames.test.ts');
const http = at('src/main/serve/http/peers.ts', 'adversary/mcp-http.test.ts');
const table = at('src/native/peer/linux.ts', 'adversary/program-identity.test.ts');
const gabp = at('src/main/gabp/confirmations.ts', 'gabp/replaced-program.test.ts');
const apps = at('src/main/gabp/index.ts', 'gabp/replaced-program.test.ts');
const started = at('src/main/gabp/launched-code.ts', 'gabp/replaced-program.test.ts');
const places = at('src/native/peer/program-identity.ts', 'peer/program-places.test.ts');

/** Who a program is, and who speaks over a connection. */
export const PROGRAMS = [
  given('name-for-two-processes', 'isSame(one.of, of) && !isHeld(one)', 'isSame(one.of, of)', 'belongs to one process at a time'),
  given('name-in-any-folder', ' && one.folder === other.folder', '', 'belongs to the program in its folder'),
  given('name-of-whatever-python-runs', 'if (script === null && isListed(INTERPRETERS, basename(executable))) return null;', 'void [INTERPRETERS, basename, isListed];', 'lasts no longer than its process, for an interpreter'),
  given('name-of-the-person', 'ROLES.has(look) || ', '', 'nobody may be called as the page calls the person'),
  at('src/main/serve/page/agents.ts', 'adversary/agent-names.test.ts')('named-by-an-unpaired-page', "  renameAgent: {\n    role: 'paired',", "  renameAgent: {\n    role: 'any',", 'nobody else names one'),
  programs('program-in-another-namespace', "if (!own) return untold('namespace', found.executable);", '', 'only in its own view'),
  programs('program-with-loading-variables', "if (variable !== null) return untold('variable', executable, variable);", '', 'variables or options that load'),
  programs('program-with-loading-options', "if (option !== null) return untold(", "if (option === '-') return untold(", 'variables or options that load'),
  programs('program-with-modules-of-home', "return modules === undefined ? null : untold('modules', executable, modules);", 'return null;', 'missing modules'),
  programs('program-anywhere', 'if (place === null || own ||', 'if (', 'outside the places for programs'),
  programs('script-anywhere', "if (script !== null && placeOf(script, places) !== 'system')", 'if (script === null && place === null)', 'that other programs can change'),
  programs('script-of-any-content', "script === null ? '-' : hashes.of(join(`${proc}/${pid}/root`, script), began)", "'-'", 'was rewritten'),
  programs('script-put-back', '|| Number(facts.ctimeNs / 1_000_000n) >= began - CLOCK_SLACK_MS', '', 'put back'),
  programs('interpreter-with-startup-files', "untold(option === '' ? 'missing' : 'option', executable, option)", "null", 'start-up files'),
  code('node-options-of-any-kind', "if (name === 'NODE_OPTIONS') return !hasHarmlessOptions(entry);", "if (name === 'NODE_OPTIONS') return false;", 'variables or options that load'),
  trust('application-of-any-content', "return is(app.process, 'application', programs.app);", 'return true;', 'for the application as it was'),
  trust('connection-with-another-holder', 'if (other !== undefined) return', 'if (other === -1) return', 'ran the trusted program'),
  trust('early-request-uses-grants', 'if (early === true) return', 'if (early === true && pid < 0) return', 'that was written to before'),
  http('early-http-request-uses-grants', 'early: read <= line }', 'early: read > line }', 'without sessions, what may have been sent'),
  passed('first-look-is-the-last', 'if (isAlone(holders, peer) ||', 'if (looks > 0 ||', 'is waited for'),
  passed('first-thread-that-ended', "if (readStat(task, Number(thread))?.ending !== false) return false;", 'if (Number(thread) !== pid || readStat(task, pid)?.ending !== false) return false;', 'whose first thread has ended'),
  table('waiting-bytes-not-counted', 'waiting: waitingBytes(socketFd),', 'waiting: 0,', 'that was written to before'),
  frames('unknown-count-is-none', '(waiting ?? Infinity)', '(waiting ?? 0)', 'where nobody knows how many waited'),
  frames('early-frame-by-its-end', 'decoder.position().begin < line', 'decoder.position().end <= line', 'within the bytes that waited'),
  bound('connection-nobody-knows', 'if (socket === null) return', 'if (socket === null && pid < 0) return', 'whose end the kernel does not name'),
  passed('descriptor-on-its-way-not-looked-at-again', 'if (holders?.hidden.length === 0) return null;', 'if (holders !== null) return null;', 'sends to itself for a moment'),
  holders('holders-not-looked-for', 'if (links.includes(', 'if (pid === peer && links.includes(', 'child of its program'),
  passed('holder-by-a-child-that-ended', ' || last.reaped !== reapedBy(proc, peer)', '', 'from one that has ended'),
  passed('holder-by-a-message-on-its-way', "return pid !== peer && files.some(", 'return pid < 0 && files.some(', 'on its way'),
  again('session-grant-after-another-execution', 'return isSame && grant.agent.id === agent.id;', 'return isSame;', 'executed again'),
  names('agent-without-its-image', 'executable, script, image]', 'executable, script]', 'executed again'),
  used('grant-over-a-shared-connection', 'if (grant === null || !isTrusted(parts, caller) ||', 'if (grant === null ||', 'child of its program'),
  used('memory-over-a-shared-connection', "isRemembered(memory, asked) && isTrusted(parts, request.caller)", 'isRemembered(memory, asked)', 'child of its program'),
  shim('any-program-as-shim', 'if (speaksForOther && !isOwnShim(peer))', 'if (speaksForOther && peer.pid < 0)', 'speaks as the shim does'),
  own('shim-with-other-code', '|| otherCode(proc, found) !== null) return false;', ') return false;', 'with other code in it'),
  own('shim-at-another-place', 'return known && found.script === realPath(entry);', 'return known;', 'at another place'),
  names('name-of-a-known-program-anywhere', 'const known = isPlaced(code) ?', 'const known = code !== program || isPlaced(code) ?', 'called as its package'),
  names('name-without-its-place', '(isPlaced(path) ? basename(path) : path)', 'basename(path)', 'called claude elsewhere'),
  places('place-that-others-write', '(facts.mode & OTHERS_WRITE) !== 0 ||', '', 'others can write'),
  gabp('confirmed-application-replaced', 'filter((path) => before[path] !== now[path])', 'filter((path) => before[path] === null && now[path] === null)', 'peer.mjs was written'),
  gabp('confirmed-application-of-another-owner', "`${owner} ${content}`", "content", 'belongs to another user'),
  gabp('confirmed-interpreter-without-a-file', 'recent.has(name) || untold === null', 'true || untold === null', 'told its code by no file'),
  gabp('confirmed-application-with-another-link', 'isDirectory() === true ? realpathSync(path)', "isDirectory() === true ? ''", 'a linked folder'),
  apps('confirmed-application-with-a-new-file', 'JSON.stringify(await codeOf(entry, env)) !==', "'' ===", 'a module is put while its card is open'),
  started('confirmed-application-with-other-modules', '!named.has(path)', 'named.has(path)', 'a module beside a Python script'),
  started('confirmed-application-with-modules-above', '...(isWorking ? [working] : []),', '', 'a module above a script was'),
  started('confirmed-application-with-packages-above', "above.map((at) => join(at, 'node_modules'))", '[]', 'a package above the folder'),
  started('confirmed-application-without-a-script', "if (script === null || !statSync(script).isFile())", 'if (script === null) return [];\n  if (!statSync(script).isFile())', 'a module by its name'),
  started('confirmed-application-that-starts-others', 'program === null || starter !== undefined ||', 'program === null ||', 'a program by its name'),
  started('confirmed-application-that-is-a-script', ' || !isNative(program)', '', 'a script of a shell'),
  started('confirmed-application-with-a-search-path', 'search ??', '', 'PATH: '),
  started('confirmed-application-with-loading-variables', 'if (variable !== null)', "if (variable === '')", 'PYTHONPATH'),
  started('confirmed-application-with-loading-options', "if (option !== null && option !== '')", "if (option === '-')", 'modules named by an option'),
  started('confirmed-application-told-a-program', 'const starts = other ?? shell;', 'const starts = shell;', 'a program that its script is told'),
  started('confirmed-application-told-a-script', 'const starts = other ?? shell;', 'const starts = other;', 'a script that its script is told'),
  started('confirmed-application-with-links-out', '&& !isOfSystem(real)) return false;', '&& !isOfSystem(real)) return true;', 'leads out of its folder'),
  started('confirmed-application-of-any-size', 'this.#bytes > MAX_BYTES', 'this.#bytes < 0', 'more beside the script'),
]; // prettier-ignore
