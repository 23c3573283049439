const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/approvals/${file}`, test: `test/approvals/${test}`, from, to, fails }); // prettier-ignore
const tokens = at('tokens.ts', 'tokens.test.ts');
const grants = at('grants.ts', 'grants.test.ts');
const covered = at('choices.ts', 'grants.test.ts');
const inFolder = at('request-facts.ts', 'grants.test.ts');
const offered = at('choices.ts', 'choices.test.ts');
const stopped = at('decide.ts', 'pauses.test.ts');
const broken = at('decide.ts', 'answer.test.ts');
const undrawn = at('decide.ts', 'orphans.test.ts');
const policy = at('policy.ts', 'policy.test.ts');
const pauses = at('store.ts', 'pauses.test.ts');
const unasked = at('decide.ts', 'unasked.test.ts');
const decide = at('decide.ts', 'approvals.test.ts');
const digest = at('digest.ts', 'digest.test.ts');
const presses = at('answer.ts', 'presses.test.ts');
const pressed = at('answer.ts', 'presses.test.ts');
const control = at('control.ts', 'control.test.ts');
const worn = (name, from, to, fails) => ({ name, file: 'src/main/approvals/store.ts', test: 'test/adversary/wearing.test.ts', from, to, fails }); // prettier-ignore
const signed = at('grants.ts', 'signed-programs.test.ts');
const bound = at('trust.ts', 'signed-programs.test.ts');
const lasting = at('parts.ts', 'signed-programs.test.ts');
const cover = (name, from, to, fails) => ({ name, file: 'src/main/serve/page/page-cover.ts', test: 'test/serve/page/page-cover.test.ts', from, to, fails }); // prettier-ignore
const seen = (name, from, to, fails) => ({ name, file: 'src/main/serve/page/seen-presses.ts', test: 'test/serve/page/seen-presses.test.ts', from, to, fails }); // prettier-ignore
const unseen = (name, from, to, fails) => ({ name, file: 'src/main/approvals/answer.ts', test: 'test/adversary/macos-presses.test.ts', from, to, fails }); // prettier-ignore
const sites = at('request-facts.ts', 'origin.test.ts');
const programs = at('choices.ts', 'program.test.ts');
const remembered = at('parts.ts', 'program.test.ts');
const memory = at('parts.ts', 'disclosure.test.ts');
const queue = at('queue.ts', 'queue.test.ts');
const never = at('grants.ts', 'choices.test.ts');
const kept = at('queue.ts', 'orphans.test.ts');
const answer = at('answer.ts', 'answer.test.ts');
const ended = at('answer.ts', 'orphans.test.ts');
const timed = (name, from, to, fails) => ({ name: `time-${name}`, file: 'src/main/approvals/request-time.ts', test: 'test/approvals/request-time.test.ts', from, to, fails }); // prettier-ignore
const sight = (name, from, to, fails) => ({ name: `time-${name}`, file: 'src/main/serve/page/page.ts', test: 'test/e2e/request-time.test.ts', from, to, fails }); // prettier-ignore
const together = (name, from, to, fails, file = 'together.ts') => ({ name: `together-${name}`, file: `src/main/approvals/${file}`, test: 'test/approvals/together.test.ts', from, to, fails }); // prettier-ignore
const pausedAnswer = at('answer.ts', 'pauses.test.ts');

// prettier-ignore
export const APPROVALS = [
  together('warns', '  card.notes.length === 0 &&\n', '', 'says why it is asked anyway'),
  together('always-asked', '  !asked.alwaysAsk &&\n', '', 'what is always asked stands alone'),
  together('off-screen', '  ON_SCREEN.test(asked.memory) &&\n', '', 'what belongs to no application stands alone'),
  together('secrets', '(asked.app === null || !isOneOf(NEVER_ALWAYS, namesOf(asked.app)))', 'true', 'a password manager stands alone'),
  together('hidden-characters', 'said.every((text) => !reveal(text).marked) && ', '', 'hidden characters stands alone'),
  together('cut-names', ' && named.every((text) => [...text].length <= MAX_NAME_CHARS)', '', 'a name that is cut stands alone'),
  together('says-more', 'PLAIN.has(name) || isNothing(value)', 'true', 'a plan that says more stands alone'),
  together('unseen', '  request.unseen !== true &&\n', '', 'what the agent may not see stands alone'),
  together('without-end', 'own.length < MAX_TOGETHER &&', '', 'of a hundred calls at once'),
  together('grows-later', ' && time - Date.parse(card.createdAt) < GATHER_MS', '', 'three seconds after it appeared'),
  together('alive-at-once', '    for (const one of own) one.shownAt = time;\n', '', 'covers none that came after it was read', 'queue.ts'),
  together('beside-what-stands-alone', '    if (card.group === undefined) return null;\n', '', 'a click stands alone', 'queue.ts'),
  together('gone-is-left-out', '      if (gone !== undefined) return ended(settled.get(gone.seen.id));\n', '', 'is for all or for none', 'answer.ts'),
  together('first-digest-only', 'staleProblem(entry, { ...answer, ...seen })', 'staleProblem(entry, { ...answer, digest: entry === entries[0] ? seen.digest : entry.card.digest })', 'is for all or for none', 'answer.ts'),
  together('strangers', 'groups.size === 1 &&', '', 'not shown together', 'answer.ts'),
  together('press-on-fewer', 'isDeepStrictEqual(seenBy(press), seenBy(answer))', 'press.id === answer.id && press.digest === answer.digest', 'must end a press on the same ones', 'answer.ts'),
  together('three-denials', 'for (const entry of entries) queue.settle(entry, { ...denialOf(entry, answer), ...timing(entry) });', 'for (const entry of entries) { queue.settle(entry, { ...denialOf(entry, answer), ...timing(entry) }); if (entry !== entries[0] && agent !== undefined && parts.pauses.countDenial(programOf(agent))) effects.thirdDenial(agent.id); }', 'counts as one denial', 'answer.ts'),
  timed('stands-for-ever', 'Math.min(end + Math.max(0, time - heldSince), longest)', 'end + Math.max(0, time - heldSince)', 'ends after an hour all the same'),
  timed('runs-behind-a-lock', '!locked && visible.size > 0', 'visible.size > 0', 'stands behind a locked screen'),
  timed('more-without-end', 'Math.min(end + REQUEST_TIME.moreMs, Date.parse(createdAt) + REQUEST_TIME.longestMs)', 'end + REQUEST_TIME.moreMs', 'ends at two hours'),
  sight('seen-by-a-stranger', 'isSeen: () => isPaired() && visible', 'isSeen: () => visible', 'nor keep the clock from standing'),
  { name: 'time-given-by-a-stranger', file: 'src/main/serve/page/approvals.ts', test: 'test/e2e/request-time.test.ts', from: "moreTime: {\n    role: 'paired'", to: "moreTime: {\n    role: 'any'", fails: 'neither give more time' },
  covered('files-elsewhere-are-granted', 'if (asked.file !== undefined && !isInFolder(grant.folder, asked.file)) return false;', '', 'covers files of the folder'),
  inFolder('hidden-files-are-granted', '&& !steps.some(isHidden)', '', 'covers files of the folder'),
  inFolder('the-home-folder-is-granted', ' || stepsInside(cwd, homedir()) !== null', '', 'the home folder'),
  covered('pointer-grants-see', "['pointer', ['pointer']]", "['pointer', ['pointer', 'disclose']]", 'given for the pointer does not cover'),
  control('anyone-widens-the-policy', 'if (widens(rules.policy, policy) && !person)', 'if (false && !person)', 'takes a person to widen it'),
  control('anyone-lifts-a-pause', "if (where === 'popover' || where === 'page') return lift(agentId ?? null);", 'return lift(agentId ?? null);', 'is lifted by a person only'),
  worn('five-denials', 'const MAX_DENIALS = 3;', 'const MAX_DENIALS = 5;', 'three times No pauses it as well'),
  never('grants-for-the-demo', '    agent.demo === true ||\n    !isKnownProgram', '    !isKnownProgram', 'no grant of another is for it'),
  offered('always-offered-to-terminals', 'if (isOneOf(NEVER_ALWAYS, namesOf(app))) return false;', '', 'is never given for com.apple.Terminal'),
  unseen('unseen-press-allows', 'if (answer.unseen === true)', 'if (answer.unseen === null)', 'counts where the person’s own device pressed on the page'),
  bound('always-for-a-replaced-agent', "|| !is(agent, 'agent', programs.agent)", '', 'signed by another'),
  bound('always-in-a-replaced-application', "return is(app.process, 'application', programs.app);", 'return true;', 'application’s program is another'),
  bound('always-without-programs-goes-on', 'if (programs === undefined ||', 'if (programs === undefined) return true;\n      if (', 'does not go on from a file'),
  signed('always-for-whom-nobody-knows', "if (programs !== undefined && 'why' in programs) throw", "if (programs === undefined && kind === 'always') throw", 'is neither given nor offered'),
  lasting('always-offered-for-whom-nobody-knows', 'always: noAlways === null', 'always: true', 'offers “always” only where'),
  seen('press-elsewhere-allows', 'isOnPage(stack, press.isOwn, point);', 'true;', 'was not where nobody pressed, or pressed elsewhere'),
  seen('press-allows-twice', '      seen = seen.filter((one) => one !== found);\n', '', 'counts once'),
  seen('press-of-before-allows', 'at >= press.at - BEFORE_MS &&', 'true &&', 'was not where nobody pressed, or pressed elsewhere'),
  seen('press-of-after-allows', 'at <= press.at + AFTER_MS &&', 'true &&', 'was not where nobody pressed, or pressed elsewhere'),
  seen('key-presses-for-the-pointer', '(point !== null || !press.byPointer) &&', 'true &&', 'a key is no press of the pointer'),
  {
    name: 'a-notification-allows',
    file: 'src/main/approvals/index.ts',
    from: "decision: 'deny' });",
    to: "decision: 'allow' });",
    test: 'test/app/notification-buttons.test.ts',
    fails: 'opens the popover or denies the request on macOS',
  },
  {
    name: 'new-doubt-is-not-shown',
    file: 'src/main/approvals/card.ts',
    from: 'if (shown.request !== now.request || now.doubts.some((doubt) => !shown.doubts.includes(doubt))) return false;',
    to: 'if (shown.request !== now.request) return false;',
    test: 'test/approvals/orphans.test.ts',
    fails: 'keeps the card as shown where a doubt has passed, and shows a new one',
  },
  unasked('unasked-although-always-asked', '!asked.alwaysAsk && rule ===', 'rule ===', 'where each of its kind is asked anew'),
  unasked('unasked-without-an-allow', "rule === 'ask_once_per_session' && isRemembered(memory, asked);\n  if (remembered", "rule === 'ask_once_per_session';\n  if (remembered", 'where nobody has to be asked, and puts no card'),
  unasked('unasked-puts-a-card', '    if (request.unasked === true) return decideUnasked(parts, asked, request.caller);\n', '', 'where nobody has to be asked, and puts no card'),
  unasked('unasked-while-paused', 'const no = refusedBy(parts, asked);\n  if (no !== null) return no;\n  const rule = strictestRule(rules.policy, effectsOf(asked));\n  if', 'const rule = strictestRule(rules.policy, effectsOf(asked));\n  if', 'nor while agents are paused'),
  ended('allow-for-an-agent-that-has-ended', 'if (card.agentEnded === true)', 'if (card.agentEnded === null)', 'leaves a card that says so and takes no Allow, only a No'),
  tokens('token-of-another-process', "if (!sameSecret(entry.peer, peerKey(use.caller))) throw refused('peer');", '', 'token up, and another pid with the same number too'),
  tokens('token-spent-twice', "    end(entry, 'used');", '', 'tokens is spent once'),
  tokens('token-for-other-parameters', 'sameSecret(entry.paramsDigest, use.paramsDigest),', '', 'okens is bound to method, parameters and workspace'),
  tokens('token-for-another-method', 'sameSecret(entry.method, use.method),', '', 'okens is bound to method, parameters and workspace'),
  tokens('token-for-another-workspace', 'sameSecret(entry.workspace, use.workspace),', '', 'okens is bound to method, parameters and workspace'),
  tokens('token-never-expires', "if (entry.good !== null && time >= entry.expiresAt) end(entry, 'expired');", '', 'pires at its time, even when the clock is set back'),
  tokens('token-of-a-denied-request', "if (decision.kind !== 'allowed') throw refused('missing', 'other');", '', 'tokens is only given for what was allowed'),
  tokens('token-without-room-limit', 'if (held < MAX_PER_PEER) return;', 'return;', 'ach process, and nobody can push out another one’s'),
  grants('grant-stored-twice', 'const same = list().find((one) => isSameGrant(one, made));', 'const same = list().find(() => false);', 'is renewed rather than listed twice'),
  offered('offered-for-what-is-always-asked', '  if (asked.alwaysAsk) return [ONCE];\n', '', 'offers nothing longer for a kind of request'),
  offered('asked-anyway-untold', 'if (isCovered) return null;', 'return null;', 'says why a request comes although there is a grant'),
  grants('grant-for-another-program', 'grant.agent.executable !== agent.executable ||', '', 'with its pid, nor for another script or executable'),
  grants('grant-for-another-script', 'grant.agent.script !== agent.script', 'false', 'with its pid, nor for another script or executable'),
  grants('grant-for-another-process', 'const isSame = grant.agent.pid === agent.pid && grant.agent.startTime === agent.startTime;', 'const isSame = true;', 'with its pid, nor for another script or executable'),
  grants('grant-for-a-reused-pid', 'const isSame = grant.agent.pid === agent.pid && grant.agent.startTime === agent.startTime;', 'const isSame = grant.agent.pid === agent.pid;', 'with its pid, nor for another script or executable'),
  grants('grant-never-ends', 'clock.read() >= Date.parse(grant.expiresAt)', 'false', 'vers does not come back when the clock is set back'),
  grants('grant-never-counts-down', 'const left = grant.usesLeft - count;', 'const left = grant.usesLeft;', 'es, and lets the act that took the last one finish'),
  grants('grant-beyond-its-count', 'if (left < 0) return false;', '', 'es, and lets the act that took the last one finish'),
  grants('grant-not-revoked', '    grants = grants.filter((one) => one.id !== id);\n', '', ' file is private and whole, and survives a restart'),
  grants('grant-from-the-future', "if (created > time || grant.effects.some((effect) => effect === 'dangerous')) return false;", "if (grant.effects.some((effect) => effect === 'dangerous')) return false;", ' have written: dangerous, endless, from the future'),
  grants('grant-of-dangerous-from-disk', "if (created > time || grant.effects.some((effect) => effect === 'dangerous')) return false;", 'if (created > time) return false;', ' have written: dangerous, endless, from the future'),
  never('always-in-a-terminal', "if (kind === 'always' && !mayBeAlways(asked))\n    throw", "if (false) throw", 'always [req:DS-6-13] is never given for a IDE'),
  covered('grant-covers-another-app', 'if (grant.appId !== asked.app.id || grant.origin !== asked.origin) return false;', 'if (grant.origin !== asked.origin) return false;', 'nt, application and classes until its time is over'),
  covered('grant-covers-another-site', 'if (grant.appId !== asked.app.id || grant.origin !== asked.origin) return false;', 'if (grant.appId !== asked.app.id) return false;', 'origin in a browser, and there is none without one'),
  offered('grant-offered-for-dangerous', "  if (asked.effect === 'dangerous') return [];\n", '', 'me first, and nothing longer for what is dangerous'),
  covered('pointer-grant-covers-clicks', "['pointer', ['pointer']],", "['pointer', ['pointer', 'input']],", 'ven for the pointer does not cover clicks and keys'),
  policy('widening-unnoticed', '(to.grants && !from.grants) ||', '', 'f policies [req:DS-6-2] sees each single loosening'),
  policy('exclusion-dropped-unnoticed', 'from.excludedApps.some((app) => !to.excludedApps.includes(app))', 'false', 'f policies [req:DS-6-2] sees each single loosening'),
  policy('dangerous-remembered-by-file', "if (dangerous === 'ask_once_per_session')", 'if (false)', 'sk_once_per_session"}} and names effects.dangerous'),
  policy('dangerous-allowed-by-file', "if (dangerous === 'allow' && base !== 'unattended')", 'if (false)', '{"dangerous":"allow"}} and names effects.dangerous'),
  policy('looser-rule-wins', 'return order.indexOf(one) <= order.indexOf(other) ? one : other;', 'return order.indexOf(one) >= order.indexOf(other) ? one : other;', 'never wider than standard in a host a shim started'),
  pauses('pause-forgotten', 'if (agentId === null) all = paused;', 'if (agentId === null) return;', 'a paused agent is denied even'),
  pauses('pause-of-all-spares-one', 'holding: (agentId: string): Paused | null => all ?? ofAgent(agentId),', 'holding: (agentId: string): Paused | null => ofAgent(agentId),', 'a paused agent is denied even'),
  pauses('pause-evaded-by-a-new-process', '(agents.get(agentId) ?? agents.get(pausedIdentityOf(agentId)))?.paused ?? null', 'agents.get(agentId)?.paused ?? null', ' approval that cannot be checked counts as revoked'),
  broken('failure-means-yes', "return denied(clock, 'policy', 'host', message('approval.failed', { why: textOf(thrown) }));", "return allowed(clock, 'policy', 'policy', null);", ' when things break says no to what cannot be shown'),
  stopped('closing-host-decides', "if (rules.closed) return denied(clock, 'stopped', 'host', message('approval.closing'));", '', 'a closing host decides nothing'),
  decide('always-ask-ignored', 'if (asked.alwaysAsk) return null;', '', 'h that a rule does not allow, whatever came before'),
  stopped('paused-agent-decided', "if (paused !== null) return denied(clock, 'paused', paused.by, paused.reason);", '', 'a paused agent is denied even'),
  decide('excluded-app-reached', "if (app !== null && isExcludedApp(policy.excludedApps, app)) return message('policy.excludes', { app: app.name });", '', 'ations are refused without asking, even unattended'),
  stopped('revoked-fails-open', '        log(thrown);\n        return true;', '        log(thrown);\n        return false;', ' approval that cannot be checked counts as revoked'),
  decide('revoked-grant-acts-on', 'if (grantId !== null && (!rules.policy.grants || !(grants.live(grantId) || tasks.live(grantId)))) return true;', '', 'with its time, also while an act runs, and says so'),
  stopped('paused-while-acting', "if (decision.kind === 'denied' || rules.closed || pauses.holding(caller.agent.id) !== null) return true;", "if (decision.kind === 'denied' || rules.closed) return true;", 'an act under way loses its approval'),
  digest('digest-without-text', 'const { agent, effect, tool, subject, text, workspace,', 'const { agent, effect, tool, subject, workspace, text: _,', 'digests changes with everything a card shows'),
  digest('digest-without-arguments', 'arguments: card.arguments, steps, task, plain }', 'steps, task, plain }', 'digests changes with everything a card shows'),
  queue('one-allow-for-all-identical-calls', "denied || waiter === newest ? { ...decision } : 'again'", '{ ...decision }', 'newest of two identical calls, the other asks anew'),
  queue('card-never-expires', 'for (const entry of ends.due([...entries.values()]))', 'for (const entry of [])', 'a card ends by itself, without anybody sweeping'),
  queue('two-open-cards-of-one-agent', 'if (ahead !== undefined && joined === null) return waitInTurn(ahead, signal);', '', 'several calls leaves its turn when its caller goes'),
  kept('kept-decision-for-another-look', 'const stands = ', 'const stands = true || ', 'o nobody else, and to nothing that looks different'),
  kept('kept-decision-used-twice', '      all.delete(key);\n      saved();', '      saved();', 'ng when the caller goes in the moment of the press'),
  answer('answer-for-another-card', "if (digest !== card.digest) return refusal('stale', message('answer.changed'));", '', 'r cannot be played again, nor used on another card'),
  answer('answer-at-once', 'if (clock.read() - shownAt < options.deadMs)', 'if (false)', 'he first half second, whatever the wall clock does'),
  answer('allow-from-a-terminal', "if (where !== 'popover' && where !== 'page')", 'if (false)', 'an answer may deny but not allow from cli'),
  pausedAnswer('allow-while-paused', 'if (paused !== null) return refusal(', 'if (false) return refusal(', 'l open while its agent is paused cannot be allowed'),
  answer('dangerous-on-the-page', "if (options.popover && where !== 'popover' && (dangerous || lasts))", 'if (false)', ' where there is one: dangerous requests and grants'),
  answer('grant-that-was-not-offered', "if (grant !== 'once' && !offered)", 'if (false)', 't that was offered, and none for what is dangerous'),
  pressed('allow-without-a-press', "if (press === null) return refusal('no_press', message('answer.no_press'));", "if (press === null) return null;", 'on Allow counts for nothing where letting go fails'),
  pressed('allow-while-something-is-held', 'const held = options.releaseHeld() || press.held;', 'const held = false;', 'held since it began, and does not count [req:PR-5]'),
  pressed('press-begun-at-once', 'if (entries.some(({ shownAt }) => press.at - shownAt < options.deadMs))', 'if (false)', 'fter the request appeared, however long it is held'),
  pressed('allow-under-another-window', 'if (answer.over !== undefined)', 'if (false)', 'under another window'),
  cover('window-over-the-card-unseen', 'const above = stack.slice(0, stack.indexOf(page))', 'const above = stack.slice(0, 0)', 'above it, over the pointer or over any part'),
  cover('page-moved-under-the-pointer', 'return new Set(places).size > 1 ? { moved: true } : null;', 'return null;', 'was not read there'),
  cover('cover-gone-as-it-is-pressed', 'const stacks = samples.slice(Math.max(since, 0))', 'const stacks = samples.slice(-1)', 'or as it begins, lay over it'),
  presses('press-counts-twice', '      presses.delete(connection);\n      return press', '      return press', 'have been reported, once for each Allow [req:PR-1]'),
  presses('input-before-the-press-forgotten', '> at - quietMs) ?? null', '> at) ?? null', 's on Allow is not helped by setting the clock back'),
  presses('input-around-the-press-forgotten', 'injected: (by: Injector): void => void injectedAt.set(by, read()),', 'injected: () => undefined,', 's on Allow is not helped by setting the clock back'),
  sites('site-of-the-window-for-an-element', 'if (target.element?.document !== undefined) return target.element.document.url;', '', 'a plan of steps is theirs, where all have the same'),
  sites('site-of-untold-documents', 'if (!documents.complete) return null;', '', '; its window alone has one where it shows one site'),
  sites('site-of-several-steps', 'return new Set(origins).size === 1 ? (origins[0] ?? null) : null;', 'return origins[0] ?? null;', 'a plan of steps is theirs, where all have the same'),
  memory('anything-shown-covers-the-screen', "known.has(key({ ...asked, memory: 'screen' }))", "known.size > 0", ':TR-3] an Allow for app covers'),
  programs('grant-under-a-borrowed-id', "if (asked.app.program === '' || grant.appProgram !== asked.app.program) return false;", '', 'is for the program that the kernel names'),
  programs('grant-for-an-unknown-program', "asked.app.program === '' && (asked.opens === undefined || asked.origin === null)", 'false', 'where the program is not known'),
  remembered('seen-under-a-borrowed-id', "memory.startsWith('app:') ? (app?.program ?? null) : null", 'null', 'is not remembered for another program'),
  undrawn('kept-answer-without-a-look', 'const mustDraw = draw !== undefined && parts.queue.hasKept(request);', 'const mustDraw = false;', 'draws the picture before it gives a kept answer'),
];
