const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/approvals/${file}`, test: `test/approvals/${test}`, from, to, fails }); // prettier-ignore
const tokens = at('tokens.ts', 'tokens.test.ts');
const grants = at('grants.ts', 'grants.test.ts');
const covered = at('choices.ts', 'grants.test.ts');
const offered = at('choices.ts', 'choices.test.ts');
const stopped = at('decide.ts', 'pauses.test.ts');
const broken = at('decide.ts', 'answer.test.ts');
const policy = at('policy.ts', 'policy.test.ts');
const pauses = at('pauses.ts', 'pauses.test.ts');
const decide = at('decide.ts', 'approvals.test.ts');
const digest = at('digest.ts', 'digest.test.ts');
const presses = at('presses.ts', 'answer.test.ts');
const sites = at('origin.ts', 'origin.test.ts');
const memory = at('memory.ts', 'disclosure.test.ts');
const queue = at('queue.ts', 'queue.test.ts');
const never = at('grants.ts', 'choices.test.ts');
const kept = at('kept.ts', 'orphans.test.ts');
const answer = at('answer.ts', 'answer.test.ts');
const pausedAnswer = at('answer.ts', 'pauses.test.ts');

// prettier-ignore
export const APPROVALS = [
  tokens('token-of-another-process', "if (!sameSecret(entry.peer, peerKey(use.caller))) throw refused('peer');", '', ''),
  tokens('token-spent-twice', "    end(entry, 'used');", '', ''),
  tokens('token-for-other-parameters', 'sameSecret(entry.paramsDigest, use.paramsDigest),', '', ''),
  tokens('token-for-another-method', 'sameSecret(entry.method, use.method),', '', ''),
  tokens('token-for-another-workspace', 'sameSecret(entry.workspace, use.workspace),', '', ''),
  tokens('token-never-expires', "if (entry.good !== null && time >= entry.expiresAt) end(entry, 'expired');", '', ''),
  tokens('token-of-a-denied-request', "if (decision.kind !== 'allowed') throw refused('missing', 'Only an allowed request gets a token');", '', ''),
  tokens('token-without-room-limit', 'if (held < MAX_PER_PEER) return;', 'return;', ''),
  grants('grant-for-another-program', 'grant.agent.executable !== agent.executable ||', '', ''),
  grants('grant-for-another-script', 'grant.agent.script !== agent.script', 'false', ''),
  grants('grant-for-another-process', 'return grant.agent.pid === agent.pid && grant.agent.startTime === agent.startTime;', 'return true;', ''),
  grants('grant-for-a-reused-pid', 'return grant.agent.pid === agent.pid && grant.agent.startTime === agent.startTime;', 'return grant.agent.pid === agent.pid;', ''),
  grants('grant-never-ends', 'clock.read() >= Date.parse(grant.expiresAt)', 'false', ''),
  grants('grant-never-counts-down', 'const left = grant.usesLeft - count;', 'const left = grant.usesLeft;', ''),
  grants('grant-beyond-its-count', 'if (left < 0) return false;', '', ''),
  grants('grant-not-revoked', '    grants = grants.filter((one) => one.id !== id);\n', '', ''),
  grants('grant-from-the-future', "if (created > time || grant.effects.some((effect) => effect === 'dangerous')) return false;", "if (grant.effects.some((effect) => effect === 'dangerous')) return false;", ''),
  grants('grant-of-dangerous-from-disk', "if (created > time || grant.effects.some((effect) => effect === 'dangerous')) return false;", 'if (created > time) return false;', ''),
  never('always-in-a-terminal', "if (kind === 'always' && !mayBeAlways(asked)) throw", "if (false) throw", ''),
  covered('grant-covers-another-app', 'if (grant.appId !== asked.app.id || grant.origin !== asked.origin) return false;', 'if (grant.origin !== asked.origin) return false;', ''),
  covered('grant-covers-another-site', 'if (grant.appId !== asked.app.id || grant.origin !== asked.origin) return false;', 'if (grant.appId !== asked.app.id) return false;', ''),
  offered('grant-offered-for-dangerous', "  if (asked.effect === 'dangerous') return [];\n", '', ''),
  covered('pointer-grant-covers-clicks', "['pointer', ['pointer']],", "['pointer', ['pointer', 'input']],", ''),
  policy('widening-unnoticed', '(to.grants && !from.grants) ||', '', ''),
  policy('exclusion-dropped-unnoticed', 'from.excludedApps.some((app) => !to.excludedApps.includes(app))', 'false', ''),
  policy('dangerous-remembered-by-file', "if (dangerous === 'ask_once_per_session')", 'if (false)', ''),
  policy('dangerous-allowed-by-file', "if (dangerous === 'allow' && base !== 'unattended')", 'if (false)', ''),
  policy('looser-rule-wins', 'return order.indexOf(one) <= order.indexOf(other) ? one : other;', 'return order.indexOf(one) >= order.indexOf(other) ? one : other;', ''),
  pauses('pause-forgotten', 'if (agentId === null) all = paused;', 'if (agentId === null) return;', ''),
  pauses('pause-of-all-spares-one', 'of: (agentId) => all ?? alone(agentId),', 'of: (agentId) => alone(agentId),', ''),
  pauses('pause-evaded-by-a-new-process', '(agents.get(agentId) ?? agents.get(standsFor(agentId)))?.paused ?? null', 'agents.get(agentId)?.paused ?? null', ''),
  broken('failure-means-yes', "return denied(clock, 'policy', 'host', `Approvals failed, so no: ${why}`);", "return allowed(clock, 'policy', 'policy', null);", ''),
  stopped('closing-host-decides', "if (rules.closed) return denied(clock, 'stopped', 'host', 'Chaperone is closing.');", '', ''),
  decide('always-ask-ignored', "if (asked.alwaysAsk || asked.effect === 'dangerous') return null;", "if (asked.effect === 'dangerous') return null;", ''),
  stopped('paused-agent-decided', "if (paused !== null) return denied(clock, 'paused', paused.by, paused.reason);", '', ''),
  decide('excluded-app-reached', 'if (app !== null && isExcluded(policy, app.id)) return `The policy keeps agents out of ${app.name}.`;', '', ''),
  stopped('revoked-fails-open', '        log(thrown);\n        return true;', '        log(thrown);\n        return false;', ''),
  decide('revoked-grant-acts-on', 'if (decision.grantId !== null && (!rules.policy.grants || !grants.live(decision.grantId))) return true;', '', ''),
  stopped('paused-while-acting', "if (decision.kind === 'denied' || rules.closed || pauses.of(caller.agent.id) !== null) return true;", "if (decision.kind === 'denied' || rules.closed) return true;", ''),
  digest('digest-without-text', 'const { agent, effect, tool, subject, text, workspace,', 'const { agent, effect, tool, subject, workspace, text: _,', ''),
  digest('digest-without-arguments', 'return { ...shown, arguments: card.arguments, steps: card.steps };', 'return { ...shown, steps: card.steps };', ''),
  digest('call-key-without-arguments', 'return digestOf([agent.id, action, args, workspace]);', 'return digestOf([agent.id, action, workspace]);', ''),
  queue('one-allow-for-all-identical-calls', "denied || waiter === newest ? { ...decision } : 'again'", '{ ...decision }', ''),
  queue('card-never-expires', 'if (time >= Date.parse(entry.card.expiresAt)) close(', 'if (false) close(', ''),
  queue('two-open-cards-of-one-agent', 'if (busy !== undefined && joined === null) return waitInTurn(busy, signal);', '', ''),
  kept('kept-decision-for-another-look', 'return !expired(one) && sameSeen(one.seen, seen(one)) ? one.decision : null;', 'return !expired(one) ? one.decision : null;', ''),
  kept('kept-decision-used-twice', '      all.delete(key);\n      saved();', '      saved();', ''),
  answer('answer-for-another-card', "if (digest !== card.digest) return refusal('stale', 'This request changed. Read it again, then decide.');", '', ''),
  answer('answer-at-once', 'if (clock.read() - shownAt < options.deadMs)', 'if (false)', ''),
  answer('allow-from-a-terminal', "if (where !== 'popover' && where !== 'page')", 'if (false)', ''),
  pausedAnswer('allow-while-paused', 'if (paused !== null) return refusal(', 'if (false) return refusal(', ''),
  answer('dangerous-on-the-page', "if (options.popover && where !== 'popover' && (dangerous || grant !== 'once'))", 'if (false)', ''),
  answer('grant-that-was-not-offered', "if (grant !== 'once' && !offered)", 'if (false)', ''),
  answer('allow-without-a-press', "if (press === null)\n      return refusal('no_press', 'No press on this request was reported. Nothing was decided; press Allow again.');", "if (press === null) return null;", ''),
  answer('allow-while-something-is-held', 'const held = options.letGo() || press.held;', 'const held = false;', ''),
  answer('press-begun-at-once', 'if (press.at - shownAt < options.deadMs)', 'if (false)', ''),
  presses('press-counts-twice', '      presses.delete(connection);\n      return press', '      return press', ''),
  presses('press-on-another-card', 'press !== undefined && press.id === id && press.digest === digest', 'press !== undefined && press.digest === digest', ''),
  presses('press-before-the-card-changed', 'press !== undefined && press.id === id && press.digest === digest', 'press !== undefined && press.id === id', ''),
  presses('input-before-the-press-forgotten', '> at - BEFORE_MS) ?? null', '> at) ?? null', ''),
  presses('input-around-the-press-forgotten', 'injected: (by) => void injectedAt.set(by, read()),', 'injected: () => undefined,', ''),
  sites('site-of-the-window-for-an-element', 'if (target.element?.document !== undefined) return target.element.document.url;', '', ''),
  sites('site-of-untold-documents', 'if (!documents.complete) return null;', '', ''),
  sites('site-of-several-steps', 'return new Set(origins).size === 1 ? (origins[0] ?? null) : null;', 'return origins[0] ?? null;', ''),
  memory('anything-shown-covers-the-screen', "known.has(key({ ...asked, memory: 'screen' }))", "known.size > 0", ''),
  memory('dangerous-remembered', "asked.effect !== 'dangerous' &&\n", "", ''),
];
