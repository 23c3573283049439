const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/${file}`, test: `test/${test}`, from, to, fails }); // prettier-ignore
const mustAsk = (file) => at(file, 'adversary/must-ask.test.ts');
const holding = (file) => at(file, 'adversary/grants-hold.test.ts');
const lines = at('pipeline/target/plans.ts', 'pipeline/target/plan-description.test.ts');
const unseen = (file) => at(file, 'adversary/seeing.test.ts');
const told = at('pipeline/audience.ts', 'pipeline/audience.test.ts');
const compare = at('pipeline/compare.ts', 'adversary/targets.test.ts');
const facts = at('pipeline/compare.ts', 'pipeline/compare.test.ts');
const loading = at('pipeline/compare.ts', 'pipeline/new-windows.test.ts');
const view = at('pipeline/restore.ts', 'e2e/tools/out-of-view.test.ts');
const files = at('pipeline/compare.ts', 'adversary/replaced-files.test.ts');
const later = (file) => at(file, 'adversary/replaced-between-steps.test.ts');
const dialogs = (file) => at(file, 'adversary/replaced-in-dialogs.test.ts');
const fileContent = at('pipeline/file-identity.ts', 'adversary/replaced-files.test.ts');
const plannedContent = at('pipeline/file-identity.ts', 'tools/clipboard/clipboard.test.ts');
const fileIdentity = at('tools/commands/command-files.ts', 'adversary/replaced-files.test.ts');
const restore = at('pipeline/restore.ts', 'adversary/targets.test.ts');
const mask = at('pipeline/masked.ts', 'pipeline/masking.test.ts');
const meant = at('pipeline/target/selector.ts', 'adversary/targets.test.ts');
const workspaces = at('pipeline/decide.ts', 'e2e/evidence.test.ts');
const lanes = at('pipeline/run.ts', 'pipeline/fairness.test.ts');
const stops = at('host/control.ts', 'adversary/attention.test.ts');
const permissions = at('host/health.ts', 'faults/apps.test.ts');
const takeover = at('agents/takeover.ts', 'agents/takeover.test.ts');
const hidden = at('pipeline/mask-rules.ts', 'pipeline/masking.test.ts');
const actor = at('pipeline/run-context.ts', 'pipeline/masking.test.ts');
const guard = at('pipeline/act-checks.ts', 'pipeline/masking.test.ts');
const consequence = at('pipeline/consequence/recognise.ts', 'pipeline/consequence/acts.test.ts');
const ways = at('pipeline/consequence/judge-act.ts', 'pipeline/consequence/ways.test.ts');
const byKeys = at('pipeline/consequence/judge-act.ts', 'pipeline/consequence/acts.test.ts');
const tellsFacts = at('pipeline/consequence/index.ts', 'pipeline/consequence/acts.test.ts');
const keys = at('pipeline/consequence/keys.ts', 'pipeline/consequence/keys.test.ts');
const keyTable = at('pipeline/consequence/key-table.ts', 'pipeline/consequence/keys.test.ts');
const edits = at('pipeline/consequence/agent-edits.ts', 'pipeline/consequence/keys.test.ts');
const lost = at('pipeline/consequence/agent-edits.ts', 'pipeline/consequence/keys.test.ts');
const sameSecrets = at('pipeline/secret-identity.ts', 'pipeline/secret-fields.test.ts');
const secrets = at('pipeline/secret-fields.ts', 'pipeline/secret-fields.test.ts');
const named = at('pipeline/consequence/recognise.ts', 'pipeline/consequence/recognise.test.ts');
const hits = at('pipeline/consequence/recognise.ts', 'pipeline/consequence/recognise.test.ts');
const folds = at('pipeline/consequence/fold.ts', 'pipeline/consequence/fold.test.ts');
const menus = at('pipeline/consequence/judge-act.ts', 'adversary/nameless.test.ts');
const opens = (file) => at(file, 'adversary/recogniser.test.ts');
const inMenus = (file) => at(file, 'adversary/nameless.test.ts');
const explain = at('pipeline/verify/rest.ts', 'pipeline/verify/own-changes.test.ts');
const ownChanges = at('pipeline/verify/own-changes.ts', 'pipeline/verify/own-changes.test.ts');
const weighing = at('pipeline/consequence/index.ts', 'pipeline/consequence/acts.test.ts');
const inCard = at('approvals/card.ts', 'pipeline/consequence/acts.test.ts');
const untold = at('pipeline/consequence/index.ts', 'pipeline/consequence/index.test.ts');
const areas = at('pipeline/consequence/recognise.ts', 'pipeline/consequence/index.test.ts');
const soon = (file) => at(file, 'pipeline/verify/no-change.test.ts');
const picture = at('pipeline/verify/effect.ts', 'pipeline/verify/picture-effects.test.ts');
const ownFiles = at('pipeline/own-files.ts', 'pipeline/own-files.test.ts');
const managers = at('pipeline/own-files.ts', 'pipeline/own-files.test.ts');
const noting = at('pipeline/decide.ts', 'pipeline/own-files.test.ts');
const late = at('pipeline/sequence-run.ts', 'pipeline/late-steps.test.ts');
const again = (file) => at(file, 'pipeline/consequence/acts.test.ts');
const ran = (file) => at(file, 'pipeline/run.test.ts');
const run = at('pipeline/decide.ts', 'pipeline/run.test.ts');
const act = at('pipeline/act.ts', 'pipeline/run.test.ts');
const defining = at('pipeline/define.ts', 'pipeline/asks.test.ts');
const meanwhile = at('pipeline/masked.ts', 'pipeline/hidden-meanwhile.test.ts');
const released = at('pipeline/masked.ts', 'pipeline/released-pictures.test.ts');
const kept = at('pipeline/masked.ts', 'pipeline/kept-picture.test.ts');
const keptMask = at('pipeline/masked.ts', 'pipeline/kept-picture.test.ts');
const covering = at('pipeline/masked.ts', 'pipeline/masking.test.ts');
const pictured = at('pipeline/masked.ts', 'pipeline/hidden-meanwhile.test.ts');
const settling = at('pipeline/capture.ts', 'pipeline/kept-picture.test.ts');
const resting = at('pipeline/capture.ts', 'pipeline/capture.test.ts');
const stable = at('desktop/watch/snapshot.ts', 'desktop/watch/snapshot.test.ts');
const since = at('tools/tree/index.ts', 'tools/tree/since.test.ts');
const sameImage = at('tools/images.ts', 'tools/screen/if-changed.test.ts');

// prettier-ignore
export const PIPELINE = [
  lines('lines-in-fields', "role !== 'AXTextArea' || nativeRole", 'nativeRole', 'a field of one line'),
  lines('lines-in-terminals', "role !== 'AXTextArea' || nativeRole !== TEXT ||", "role !== 'AXTextArea' ||", 'a terminal in any application'),
  lines('lines-on-pages', 'if (element.document !== undefined || window.documents', 'if (window.documents', 'a text area of a page'),
  lines('lines-in-chats', '&& !KINDS.some((kind) => isOfKind(kind, names.join(\' \')))', '', 'a chat'),
  holding('pipeline/sequence.ts')('lines-of-later-steps', "...(plan.breaksLines === true ? { alwaysAsk: true, asksFor: 'enter' } : {}),", '', 'where an earlier step moves the focus'),
  mustAsk('pipeline/own-files.ts')('file-dialogs-are-granted', 'asks ||= !onlyTypes(plan) && plan.file === undefined;', '', 'its button'),
  mustAsk('pipeline/own-files.ts')('replacing-a-file-is-granted', 'asks ||= await asksInDialog(desktop, window, role, signal);', 'asks ||= false;', 'a button that puts it in the place of another file'),
  loading('asked-while-loading', 'if (isNew && (await changesWhileLoading(plan, planAgain, signal))) throw new PlanOutdated();', '', 'asked once, about what the window has become'),
  files('file-written-while-asked', 'return before === now ? []', 'return before !== null ? []', 'written while its card is open does not run'),
  fileContent('file-written-through-a-mapping', 'if (digest !== null) digests.set(path, digest);', '', 'through a mapping that is older'),
  plannedContent('other-picture-read-for-a-moment', 'planned !== null && sha256(bytes) !== planned', 'planned === null', 'as before again right after'),
  later('pipeline/compare.ts')('file-written-by-an-earlier-step', '    // Also what an earlier step wrote is not what the person was asked about.\n    ...fileDrift(approved, fresh),\n', '', 'is not done with a file that was written before it'),
  later('pipeline/act-checks.ts')('file-written-under-way', 'assertSameFiles(deps.plan?.files ?? [])', 'assertSameFiles([])', 'while the pointer is still on its way'),
  later('tools/clipboard/index.ts')('copied-files-unplanned', '...planReplacing(title(\'title.replace_clipboard\'), text), files };', '...planReplacing(title(\'title.replace_clipboard\'), text), files: files.slice(0, 0) };', 'does not go to the clipboard'),
  later('evidence/execution.ts')('digests-of-files-in-the-record', ' files: _files,', '', 'neither the refusal nor the record'),
  dialogs('tools/files/dialogs.ts')('replaced-file-unplanned', 'replaced === undefined ? plan', 'replaced !== undefined ? plan', 'while the card is open is not written over'),
  dialogs('tools/files/dialogs.ts')('replaced-file-written-under-way', '[plan.replaces]', '[]', 'is not written over'),
  ({ name: 'question-of-a-plug-in-unseen', file: 'src/main/desktop/file-dialog.ts', test: 'test/e2e/tools/files.test.ts', from: 'dialog.app.pid || focused)', to: 'dialog.app.pid)', fails: 'goes to the agent' }),
  dialogs('tools/files/dialogs.ts')('folder-led-elsewhere-under-way', '(await shownInDialog(path, replaces)) !== plan?.text', 'plan === null', 'under a folder that'),
  at('tools/macros/steps.ts', 'pipeline/late-steps.test.ts')('dropped-on-what-is-not-there', '(id ?? other) !== undefined', 'id !== undefined', 'must be named in words'),
  fileIdentity('script-is-data', 'const found = [await programFile(program, { folder, path }), ...scripts];', 'const found = [await programFile(program, { folder, path })];', 'written while its card is open does not run'),
  since('changes-of-another-place', 'if (keyOf(base.query) !== keyOf(snapshot.query))', 'if (keyOf(base.query).length === 0)', 'is told whole where that id is unknown'),
  since('moved-elements-untold', 'if (isReordered(before, after))', 'if (before.size + after.size === 0)', 'where what stayed is in another place'),
  since('changed-value-untold', 'JSON.stringify([role, title, value, states])', 'JSON.stringify([role, title, states])', 'with the earlier one it says what the whole would'),
  sameImage('other-pixels-unsent', ' && Buffer.compare(one.bytes, other.bytes) === 0', '', 'is sent where anything differs'),
  sameImage('renamed-control-untold', 'native.height, toldWith]', 'native.height]', 'called otherwise now are told again'),
  kept('picture-from-before-a-paint', ' || kept.generation !== paint?.generation', '', 'once the window was painted: what is there now is compared'),
  keptMask('picture-used-again-uncovered', 'imaging.mask(known, areas)', 'known', 'covered by now is covered in a picture that is used again'),
  settling('picture-while-painting', 'paint.unpaintedMs >= REST_MS;', 'paint.unpaintedMs >= 0;', 'still being painted is looked at until it rests'),
  resting('rests-without-waiting', 'await delay(Math.max(0, asked + waitMs - performance.now()), signal);', 'await delay(0, signal);', 'begin with the last paint'),
  resting('painted-meanwhile-unseen', 'if (now !== null && now.generation === paint?.generation) return taken;', 'if (now !== null) return taken;', 'painted while its picture was taken'),
  stable('change-during-a-reading-lost', 'if (isTold && hints() === from) break;', 'if (isTold) break;', 'where a hint came meanwhile'),
  stable('untold-change-read-once', '(hinted || hints() > from) &&', '', 'tells of nothing'),
  stable('moving-window-read-once', '(hinted || hints() > from) && placesKeyOf(seen) === placesKeyOf(last)', 'hinted || hints() > from', 'read until it stands'),
  at('pipeline/act.ts', 'pipeline/kept-picture.test.ts')('picture-of-before-as-after', ' && Buffer.compare(one.rgb, other.rgb) === 0', '', 'kept as the one from before only where it has the same pixels'),
  act('acts-before-evidence-is-written', 'if (control) await record.evidence.started();', 'if (control) void record.evidence.started().catch(() => undefined);', 'evidence that cannot be started refuses the act'),
  compare('pixels-not-compared', 'return fresh.pixels === null || !samePixels(approved.pixels, fresh.pixels, { overText });', 'return false;', '[req:DS-4-12] other pixels at the same coordinates'),
  facts('password-field-not-compared', '    secure: states.secure,\n', '', 'a password field is noticed'),
  facts('document-not-compared', 'return { id, title, documentUrl, pid:', 'return { id, title, pid:', 'the same window at another address of one site is noticed'),
  facts('going-out-of-view-unnoticed', 'if (fresh.scroller === undefined || approved.scroller !== undefined) return [];', 'if (fresh !== null) return [];', 'an element that went out of view is noticed'),
  view('dangerous-out-of-view', "if (plan.scroller === undefined || effectOf(own, plan) !== 'dangerous') return plan;", 'if (own) return plan;', '[req:SV-1]'),
  facts('caret-over-another-text', ' && before.value !== null && before.value === now?.value;', ';', 'is one where the text is another, is not known'),
  facts('element-not-compared', '    element: id,\n', '', 'another element of the same name is noticed'),
  again('pipeline/restore.ts')('content-of-the-policy-ignored', 'if (content) assertSameContent', 'if (content && plan.titlesUnseen !== true) assertSameContent', 'is asked about where it had none when the policy allowed it: no'),
  again('pipeline/consequence/index.ts')('decided-again-after-a-person', 'approved.titlesUnseen === true ? DecidedTooEarly : WireError', 'DecidedTooEarly', 'is not done when it had none while the person was asked'),
  ran('pipeline/restore.ts')('titles-of-a-grant-ignored', "decision.by === 'policy' ?", "decision.by !== 'token' ?", 'another title is refused where a grant allowed it'),
  ran('pipeline/compare.ts')('address-ignored-with-titles', "part === 'drop') && field === 'title')", "part === 'drop') && field !== 'id')", 'another page of the same site is refused also where the policy alone'),
  restore('drift-ignored', 'if (drifts.length > 0) throw coverErrorAt(plan, fresh) ?? targetChanged(drifts);', '', '] [req:DS-4-12] the same window at another address'),
  hidden('excluded-app-shown', 'isExcluded(window.app) || protection.isProtected', 'protection.isProtected', 'window, tree or picture of an excluded application'),
  hidden('shown-while-a-link-is-open', 'if (!protection.isPairingLinkOpen()) return;', 'return;', ' every method of the reader, but for those that show nothing'),
  covering('password-fields-not-covered', ', ...secure];', '];', 'q:DS-8-10] covers password fields in every picture'),
  hidden('hidden-for-now-not-waited-for', '(isHiddenWindow(one) && isForGood(one))', 'isHiddenWindow(one)', 'from one with a window that is hidden for now'),
  hidden('one-hidden-window-hides-all', 'own.every((one)', 'own.some((one)', 'from one with a window that is hidden for now'),
  hidden('tree-of-a-hidden-window', '    assertVisible(windows.find(({ id }) => id === windowId));\n', '', 'dow of ours, though others of its process are open'),
  defining('ancestors-read-twice', 'withAncestorsOnce(ctx.desktop)', 'ctx.desktop', 'ancestors of its target once for each plan'),
  meanwhile('late-window-in-a-tree', '[...before.windows, ...after.windows]', 'before.windows', 'while a tree is read is not in it'),
  meanwhile('gone-window-in-a-tree', '[...before.windows, ...after.windows]', 'after.windows', 'goes while a tree is read'),
  meanwhile('late-window-found', 'if ((await hiddenIn(scope, signal)).windows.length === 0) return found;', 'return found;', 'while elements are looked for is not found'),
  released('picture-released-while-encoded', 'if (begin === undefined ? covered !== picture : first !== picture)', 'if (covered !== picture)', 'is not released where another one takes its place'),
  released('shared-picture-released', 'target.kind === \'window\' ? unreleasable(taken) : taken', 'target.kind !== \'window\' ? unreleasable(taken) : taken', 'the picture of a window cannot be released'),
  keptMask('picture-ahead-uncovered', 'mask.imaging.mask(taken, areas)', 'taken', 'covered before a picture is taken ahead stays covered'),
  pictured('late-window-pictured', '[...before, ...(await after)]', '[...before]', 'while a picture is taken is covered in it'),
  explain('own-change-confirms', "if (history.fact(pid, key) === 'own') return false;", '', 'changes by itself, also when it is acted on'),
  explain('unknown-change-confirms', "return history.fact(pid, key) === 'still' &&", 'return', 'history of it, what changed elsewhere is not explained'),
  explain('clock-confirms', ' && !isTime(one, other)', '', 'time of day and a progress bar explain nothing'),
  ownChanges('change-of-an-act-is-own', 'seenAfter === acts && (', '(', 'a change with an act before it is that act’s'),
  run('call-key-without-arguments', 'call.workspace, requestDigest]', 'call.workspace]', 'same call again only with the same arguments'),
  unseen('pipeline/decide.ts')('looked-at-before-the-policy-refuses', 'if (refused !== null) return deny(state, refused);', '', 'refused before anything is looked at'),
  unseen('pipeline/decide.ts')('failure-told-before-the-decision', "if (sight === 'sees') return false;", 'return false;', 'a denial says the same'),
  at('pipeline/decide.ts', 'tools/applications/starting.test.ts')('start-waited-for-before-the-request', 'new Witness((shown) => patient ||', 'new Witness((shown) => true ||', 'asked about before anything is waited for'),
  unseen('pipeline/decide.ts')('reason-told-where-looking-is-refused', 'throw withheldError();', 'throw thrown;', 'tells its effect and nothing else'),
  unseen('pipeline/sight.ts')('nothing-counts-as-looked-at', 'this.looked = true;', '', 'a denial says the same'),
  at('pipeline/sight.ts', 'adversary/untold.test.ts')('errors-told-without-sight', "if (!this.looked || about === 'machine') return [];", 'return [];', 'no answer tells two desktops apart'),
  unseen('approvals/decide.ts')('act-unasked-where-its-agent-may-not-see', "request.unseen === true ? 'ask' : ", '', 'lets an act run unasked'),
  unseen('pipeline/run.ts')('result-told-to-who-may-not-see', "!sees(state, decided)('app')", 'false', 'tells its effect and nothing else'),
  unseen('pipeline/run.ts')('every-field-told', '(namesRecord(field) || (field instanceof z.ZodLiteral && field.values.size === 1))', 'true', 'tells its effect and nothing else'),
  unseen('pipeline/decide.ts')('phrase-for-who-may-not-see', "sight !== 'sees' || effect === 'dangerous'", "sight === 'never' || effect === 'dangerous'", 'a confirmation phrase asks nobody'),
  unseen('pipeline/run-context.ts')('titles-read-without-asking', "costsNothing && sightOf(approver, caller, [TITLES]) !== 'sees'", 'false', 'finds nothing open, whatever runs'),
  told('error-about-another-window-told', 'if (!sees(aboutText(error.text)))', 'if (false)', 'is not told which other window is in the way'),
  told('inner-text-not-looked-at', 'isText(value) ? wider(widest, aboutText(value)) : widest', 'widest', 'widest of what is in it'),
  told('unknown-detail-told', "detailLevels.get(name) ?? 'screen'", "detailLevels.get(name) ?? 'machine'", 'without a place in the table is dropped'),
  told('drift-to-another-process-told', '(elsewhere ? rest : { ...rest, now })', '({ ...rest, now })', 'told only where it is of the same process'),
  at('pipeline/decide.ts', 'adversary/targets.test.ts')('picture-of-an-unseen-plan-not-compared', 'return { plan: drawn.plan, effect,', 'return { plan, effect,', 'other pixels at the same coordinates'),
  run('denied-and-done', "if (decision.kind === 'denied') return deny(state, decision);", '', 'ent with what the person said, and nothing happens'),
  keys('replaced-text-saved-unasked', "found.includes('save') && (await edits.removedMuchIn(desktop, plan.window.app, signal))", 'false', 'select all, delete'),
  keys('save-beside-another-consequence-untold', 'alsoSaving(plan, plan.consequence)', 'plan', 'a letter in a menu'),
  edits('save-beside-another-asked-twice', ' || plan.consequence?.saves === true', '', 'a letter in a menu'),
  at('pipeline/consequence/judge-act.ts', 'pipeline/consequence/keys.test.ts')('letter-chooses-any-item', 'filter((one) => mayChoose(one, does))', 'filter(() => true)', 'a letter in a menu'),
  at('pipeline/consequence/surroundings.ts', 'pipeline/consequence/keys.test.ts')('letter-of-another-script-chooses-nothing', '!told || names', 'names', 'a letter in a menu'),
  keys('chords-do-nothing', 'if (found !== null && !isHarmless(chord, plan)) return found;', '', 'anything, ctrl+q: close'),
  keys('held-keys-make-no-chord', 'chordConsequence(plan, held)', 'chordConsequence(plan)', 'anything, q: close'),
  keys('a-claimed-name-makes-harmless', "window?.app.program?.split('/').at(-1) ?? ''", "window?.app.id ?? ''", 'xfce4-terminal, ctrl+w: close'),
  keys('letters-of-another-layout', "if (/\\b(?:ctrl|alt|cmd)\\+/.test(chord) && /[^\\p{ASCII}]/u.test(key)) return 'other';", '', 'anything, ctrl+й'),
  keys('letters-of-mail-do-nothing', '!editing && (lettersAct(kinds) ||', '!editing && (kinds.size < 0 ||', 'org.mozilla.thunderbird, a: other'),
  keys('delete-in-text-is-deleting', '!(editing && outsideText === true)', 'outsideText !== null', 'anything, delete: nothing'),
  keys('save-button-unnoticed', "...(saves ? ['save' as const] : [])", '', 'the button that saves'),
  keys('save-in-a-sequence-unforeseen', "const saves = chordConsequence(plan) === 'save' ||", 'const saves =', 'in a sequence it is foreseen'),
  at('pipeline/sequence-run.ts', 'pipeline/consequence/keys.test.ts')('steps-are-not-followed', 'deps.edits.follow(deps.desktop, fresh, stop, run)', 'run()', 'refused where that was not foreseen'),
  keyTable('chords-in-one-order-only', "[...MODIFIER_ORDER.filter((one) => held.includes(one)), name]", '[...held, name]', 'anything, shift+ctrl+w'),
  edits('what-was-removed-before-is-forgotten', '    text.carried += lostText(text.original, text.last);\n', '', 'what the person replaced is theirs'),
  edits('persons-edit-is-the-agents', 'if (text.seen === this.#personActs || text.last === now) return;', 'if (text.last !== null) return;', 'what the person replaced is theirs'),
  edits('agreed-to-and-asked-again', "if (plan.consequence?.kind === 'save' ||", "if (plan.consequence?.kind === 'send' ||", 'a value written'),
  edits('unread-text-not-followed', 'if (!whole) this.#noteKeys(plan, window);', '', 'a text that cannot be read'),
  lost('half-of-it-is-small', 'LARGE_SHARE = 1 / 3', 'LARGE_SHARE = 2 / 3', 'the line is a third: 14'),
  lost('a-word-is-large', 'LARGE_SHARE = 1 / 3', 'LARGE_SHARE = 1 / 90', 'a few words, a word corrected'),
  sameSecrets('secret-not-known-by-its-label', "secret.title !== '' && secret.title === element.title", 'secret.path.length < 0', 'another element with its label, elsewhere'),
  sameSecrets('secret-not-known-by-its-identifier', "secret.identifier !== '' && secret.identifier === element.identifier", 'secret.path.length < 0', 'another element with its identifier'),
  sameSecrets('secret-not-known-by-its-place', 'return overlap(secret.place, place) * 2 >', 'return overlap(secret.place, place) * 9 <', 'another one beside it, while it hides'),
  sameSecrets('secret-known-in-any-document', 'if (secret.document !== addressOf(element)) return false;', '', 'of another document'),
  sameSecrets('secret-known-in-any-window', 'if (secret.windowId !== null && window !== null && secret.windowId !== window.id) return false;', '', 'of another window'),
  sameSecrets('another-page-of-a-dialog-masked', "if (secret.state === 'hidden' && secret.title !== '' && element.title !== '') return false;", '', 'a field of another page of the dialog'),
  secrets('any-field-of-a-search-holds', 'fields.every(({ id }) => before.fields.has(id))', 'before.fields.size > 0', 'drawn anew before anything is painted'),
  secrets('painted-windows-not-searched', 'before?.look === look', 'before !== undefined', 'while nothing is painted, unless a field is new'),
  sameSecrets('hidden-page-is-near', "!isNear(secret.path, element.path)", 'secret.path.length === 0', 'without a label on another page'),
  secrets('secret-not-learned-from-a-picture', 'await this.#learnFrom(native, windows, signal);', '', 'when a picture was read'),
  secrets('exposed-secret-in-pictures', 'return exposed.flatMap(({ element }) => element.frame ?? []);', 'return exposed.length < 0 ? [] : [];', 'covered in pictures as well'),
  secrets('secret-told-by-counts', 'const kept = worded ? elements.filter((element) => matches(selector, element)) : elements;', 'const kept = elements;', 'another element with its label, elsewhere'),
  secrets('secret-in-another-field', 'this.#texts.has(sha256(text));', 'this.#texts.size < 0;', 'puts into another field'),
  sameSecrets('dots-are-a-text', "states.secure || (states.editable && isDotted(value))", "states.secure || (value === DOTS.source)", 'shows as dots, by its style'),
  secrets('secret-in-what-is-below', "if (this.#isInside(element)) return { ...element, title: '', description: '', value: null };", '', 'below a secret field tells nothing'),
  secrets('secret-place-not-followed', 'this.note(own.has(one.id) ? asSecret(one) : one, windows);', 'this.note(one, windows);', 'below a secret field tells nothing'),
  secrets('known-text-unseen-when-read', 'if (fields.length > 0) this.#spread(fields, await this.#desktop.windows(signal));', '', 'drawn anew before anything is painted'),
  secrets('secret-area-named-by-its-text', "...(isField(element) ? {} : { title: '', description: '' })", '', 'an editable area of dots is secret as a whole'),
  secrets('secret-area-copied', 'if (value !== null && !value.includes(', 'if (value !== null || !id.includes(', 'an editable area of dots is secret as a whole'),
  secrets('secret-copied', 'if (!secret) return reading;', 'if (secret || !secret) return reading;', 'is not read from the clipboard: correct horse'),
  sameSecrets('part-of-a-secret-copied', '(text.length >= MIN_SECRET_LENGTH && secret.includes(text))', '(text.length < 0)', 'is not read from the clipboard: horse'),
  secrets('copy-looked-at-too-late', 'if (written !== null || !fields.knows()) return;', 'if (written !== null || fields.knows()) return;', 'from when it was copied'),
  consequence('form-with-a-password-is-ordinary', "control?.role === 'AXButton' && (await holdsSecret", "control?.role === '' && (await holdsSecret", 'any button of a form with a password or card field submits it'),
  byKeys('enter-sends-unnoticed', "if (mnemonic || elsewhere || (activates && (kind !== 'delete' || around.dialog)))", 'if (mnemonic || elsewhere)', ' button, Enter or space on it, Alt with its letter'),
  hits('every-field-is-a-button', "edit: ['AXTextField', ", 'edit: [', 'what is edited, moved or opened is no such control'),
  hits('icon-instead-of-its-button', "part !== 'text' && part !== 'area');\n  const [part, control]", "part !== 'text');\n  const [part, control]", 'an area, a picture and a drawing are no controls'),
  byKeys('tab-then-space-unnoticed', 'if (mnemonic || elsewhere ||', 'if (mnemonic ||', 'by keys of which one moves the focus'),
  untold('grant-covers-what-nothing-tells', '{ ...plan, alwaysAsk: true, unclear', '{ ...plan, unclear', 'in an application that tells nothing each press is asked about'),
  facts('toolbar-is-on-the-site', 'return element !== null && window?.documents !== undefined ? null :', 'return', '[req:EG-1] what is in no document of a browser is on no site'),
  picture('change-elsewhere-confirms', 'if (place === null) return true;', 'if (cell >= 0) return true;', '[req:EG-5] a picture that changed only away from'),
  ownFiles('own-file-through-a-link', 'below(path) || below(real(path)) ||', 'below(path) ||', '[req:OF-1] knows them through links'),
  ownFiles('own-file-by-a-hard-link', ' || isHardLink(path, folders));', ');', '[req:OF-1] knows them through links'),
  at('pipeline/locks.ts', 'pipeline/fairness.test.ts')('last-to-come-served-first', 'else queue.push(turn);', 'else queue.unshift(turn);', 'is taken in turns'),
  at('pipeline/run.ts', 'pipeline/order.test.ts')('lane-kept-until-recorded', 'act(state, plan, decision, leaveLane)', 'act(state, plan, decision)', 'every call goes the same way'),
  ownFiles('own-folder-shown', 'if (own.isShown(folder) && !leavesFolder) throw', 'if (own === null) throw', 'where the dialog shows Chaperone’s own folder, whatever the name'),
  ownFiles('relative-name-into-own-folder', 'return below(real(normalize(join(folder.path, text))));', 'return false;', 'where a field holds it already, or it leads there from another folder'),
  ownFiles('relative-name-in-an-unknown-folder', ' || entriesIn(folders).has(name);', ';', 'where nothing tells the folder and one of them is called so'),
  ownFiles('own-file-typed', '  assertNone(own, named);\n', '', 'an act that hands one to an application is refused before anybody is asked type_text'),
  ownFiles('own-folder-in-a-file-manager', "if (all.some(has) || (isOwn && all.some((text) => entries.has(text)))) return 'folder';", '', 'is Chaperone’s folder where a path says so, or its name and one of its files'),
  ownFiles('folder-that-is-not-told', 'paths.length === 0 ||', '', 'where a name is the same, where a folder holds its folder, and where nothing tells'),
  managers('dragged-out-of-own-folder', 'return inside || plan.drop.window?.id === window.id;', 'return plan.drop.window?.id === window.id;', 'drags nothing out of a window with Chaperone’s folder'),
  managers('dragged-into-own-folder', 'return inside || plan.drop.window?.id === window.id;', 'return inside;', 'drags nothing out of a window with Chaperone’s folder'),
  noting('grant-covers-own-files', "const asked: Plan = { ...plan, alwaysAsk: true, asksFor: plan.asksFor ?? 'file' };", 'const asked: Plan = { ...plan };', 'is asked about each time, with a note, where the window may show one'),
  late('windows-changed-while-asked', 'if (now.length === windows.length && windows.every(({ id }) => now.some((one) => one.id === id))) return;', 'if (now !== null) return;', '[req:LW-1]'),
  late('late-step-in-a-replaced-window', 'if (gone.length > 0) throw', 'if (gone === null) throw', '[req:LW-2]'),
  named('cell-is-only-chosen', 'control !== null && isActing(control) ? kindOfNames(names, true) : null', 'null', 'data is one only by a short name'),
  named('text-of-a-page-is-only-read', "part === 'press' || (part === 'text' && inPage)", "part === 'press'", 'names are read on whatever acts'),
  named('amount-is-no-name', "? 'pay' : null", '? null : null', 'names are read on whatever acts'),
  areas('area-is-a-control', "part === 'area' ? NOT_A_CONTROL : judgeUnknown", "part === 'area' ? CLEAR : judgeUnknown", '[req:EG-3] a cell, a list item and a box'),
  consequence('nameless-control-runs', 'if (name === undefined ||', 'if (name === undefined) return CLEAR;\n  if (', 'a control without a name, and one whose name says nothing near a payment'),
  consequence('picture-for-a-name', '!names.some(isName)', 'names.length === 0', 'a picture for a name stands for its word'),
  at('pipeline/consequence/fold.ts', 'pipeline/consequence/acts.test.ts')('picture-says-nothing', '` ${SIGNS[sign] ??', '` ${SIGNS[sign + sign] ??', 'a picture for a name stands for its word'),
  byKeys('arrow-chooses-no-radio', 'arrowsIn(does) && element', 'false && element', 'an arrow key that chooses among radio buttons'),
  keys('letters-in-a-page-do-nothing', 'element?.document !== undefined && element.role', 'element?.document === null && element.role', 'anything, #: other'),
  consequence('unknown-name-runs', 'if (!acts || unknown === undefined', 'if (acts || unknown === undefined', 'a control without a name, and one whose name says nothing near a payment'),
  ways('option-is-not-read', 'const kind = kindNamed(option);', "const kind = kindNamed('' && option);", 'an option of a list, its name is written'),
  weighing('context-that-comes-later', 'const unasked = fresh.unclear === true', 'const unasked = fresh.unclear === undefined', 'a page that is about a payment only at the act'),
  consequence('text-inside-is-not-read', '[name, ...inside]', '[name]', 'whose text inside differs from its name'),
  ways('keys-press-what-has-no-name', 'if (!activates && !space) return null;', 'if (!activates || !space) return null;', 'one without a name, by Enter on the focus'),
  ways('keys-choose-an-option', '&& !onlyKeys(LEAVING_KEYS)', '&& onlyKeys(LEAVING_KEYS)', 'an option of a list, by its letter'),
  inCard('context-looks-like-the-control', "[message('note.window_shows')]", '[]', '[req:AC-3] [req:AC-4] is dangerous, and its card tells what goes where'),
  weighing('unread-amount-is-under-a-grant', '{ ...plan, alwaysAsk: true, consequence, notes', '{ ...plan, consequence, notes', '[req:AC-6] a payment whose amount cannot be read'),
  tellsFacts('unread-amount-is-not-told', "pays && amounts.length === 0 ? message('note.no_amount') : null", 'null', '[req:AC-6] a payment whose amount cannot be read'),
  folds('hidden-characters-stay', "one.replaceAll(UNSEEN, ''), one", 'one, one', 'characters that show nothing hide no word'),
  folds('look-alikes-stay', '[...text].map((one) => PROTOTYPES.get(one) ?? one).join(\'\')', 'text', 'letters that look alike, in any mixture, hide no word'),
  folds('marks-stay', ".replaceAll(MARKED_WITHOUT_MEANING, '$1')", '', 'marks, full-width, styled and enclosed letters hide no word'),
  folds('spelled-words-stay', 'if (single && spelled)', 'if (single && !single)', 'a word spelled letter by letter'),
  folds('digits-for-letters-stay', 'wordsOf(unleet(one))', 'wordsOf(one)', 'a word spelled letter by letter'),
  opens('tools/elements/index.ts')('expanding-presses-nothing', "notes: so ? [message('note.so_already')] : [],", "notes: so ? [message('note.so_already')] : [], ...(wanted?.part === 'expanded' ? { does: { kind: 'nothing' as const } } : {}),", 'what accessibility opens, selects or checks'),
  { name: 'shown-text-of-a-named-button', file: 'src/native/linux/atspi/describe.ts', from: 'value: value ?? text,', to: 'value,', test: 'test/adversary/recogniser.test.ts', fails: 'every control that acts is recognised' },
  opens('pipeline/consequence/recognise.ts')('button-called-a-list', "if (part === 'open') return inPage ? kindOfNames(all, true) : null;", "if (part === 'open') return null;", 'what accessibility opens, selects or checks'),
  opens('pipeline/consequence/judge-act.ts')('list-opened-to-be-written', "OPENED.has(hitOf([element]).part) ? judgePress(desktop, plan, element, null, signal) : CLEAR", 'CLEAR', 'what accessibility opens, selects or checks'),
  opens('pipeline/consequence/judge-act.ts')('colour-pressed-to-be-written', "new Set(['open', 'press'])", "new Set(['open'])", 'what accessibility opens, selects or checks'),
  inMenus('tools/elements/index.ts')('action-that-expands-is-harmless', "'AXScrollToVisible']);", "'AXScrollToVisible', 'AXExpandOrContract']);", '[req:EG-7] in GTK'),
  inMenus('pipeline/target/plans.ts')('right-button-in-a-menu', "one?.role === 'AXMenuItem'", 'one === undefined', '[req:EG-7] in GTK'),
  menus('open-menu-takes-no-keys', 'if (inMenu !== null) return {', 'if (inMenu === undefined) return {', '[req:EG-7]'),
  guard('keys-in-any-window', 'assertAllowed(window);\n    assertSameSite(plan, window);', 'assertSameSite(plan, window);', 'akes keys in the approved window, and nowhere else'),
  guard('pointer-anywhere', 'if (aim === null || (Math.abs', 'if (aim !== undefined || (Math.abs', 'utton where the pointer was moved away by somebody'),
  guard('button-in-our-window', 'if (isMenuOf(window)) assertNotOurs(window);\n    else assertAllowed(window);', '', 'in a window of ours, by events or by accessibility'),
  guard('accessibility-in-our-window', 'for (const window of approved === null ? own : [approved]) assertNotOurs(window);', '', 'in a window of ours, by events or by accessibility'),
  guard('accessibility-in-another-process', 'plan.window.app.pid !== pid)', 'false)', 'ssibility in another process than the approved one'),
  guard('acting-after-the-permission-was-taken-back', "if (revoked()) throw new Stopped('person', message('stopped.permission_taken_back'));", '', 'ing once the approval is taken back, whatever the method'),
  actor('windows-read-after-the-permission-was-taken-back', "['machine', 'changes', 'pointer'],", "['machine', 'changes', 'pointer', 'desktop'],", 'ing once the approval is taken back, whatever the method'),
  actor('read-after-the-permission-was-taken-back', 'return checkedReader(reader, createApprovalCheck(deps));', 'return reader;', 'ows a call that only reads nothing once the approval is taken back'),
  actor('act-without-its-check', 'call: () => checkAct(null),', 'call: () => Promise.resolve(),', 'ing once the approval is taken back, whatever the method'),
  meant('disabled-control-is-meant', 'elements.filter(({ states }) => states.enabled)', 'elements.filter(() => true)', 'is not for what is disabled or hidden'),
  meant('hidden-control-is-meant', 'enabled.filter(({ states }) => states.visible)', 'enabled.filter(() => true)', 'is not for what is disabled or hidden'),
  workspaces('hidden-workspace-unasked', 'const alwaysAsk = state.hiddenWorkspace || plan?.alwaysAsk === true ||', 'const alwaysAsk = plan?.alwaysAsk === true ||', 'a hidden folder as workspace is asked for'),
  lanes('plan-without-the-lane', 'const leaveLane = bound.offDesktop === true ?', 'const leaveLane = bound.offDesktop !== true ?', 'a plan has it for all its steps'),
  stops('stop-leaves-what-runs', "executions.halt(new Stopped('stop', ", "void (new Stopped('stop', ", 'a call that acts is stopped'),
  permissions('lost-permission-blocks-nothing', 'missing.length === 0 || trouble !== null\n        ? null', 'true\n        ? null', 'is named, opens attention'),
  takeover('takeover-ends-before-the-person', 'if (idleTimer !== null) clearTimeout(idleTimer);\n    attention', 'if (idleTimer !== null) return;\n    attention', 'three seconds after the last of their input'),
  mask('unknown-methods-shown', "return name === 'maySpendTimeOn' ? 'machine' : 'desktop';", "return 'machine';", 'leaves out a method that no rule knows'),
  mask('method-shown-while-a-link-is-open', '    async readClipboard(signal) {\n      assertNotBlind();\n', '    async readClipboard(signal) {\n', ' every method of the reader, but for those that show nothing'),
  guard('no-window-is-any-window', "throw new WireError('DESKTOP_TARGET_CHANGED', message('error.input_in_no_window')", "return; throw new WireError('DESKTOP_TARGET_CHANGED', message('error.input_in_no_window')", 'akes keys in the approved window, and nowhere else'),
  { name: 'shim-without-the-token', file: 'src/main/serve/connection.ts', from: 'if (!matchesToken(hello.token))', to: 'if (hello.token === null)', test: 'test/serve/shim.test.ts', fails: 'is served nothing without the token' },
  { name: 'repeated-line-is-a-new-call', file: 'src/main/serve/mcp/lines.ts', from: 'this.options.callIdOf(number, id), repeated', to: 'this.options.callIdOf(performance.now(), id), repeated', test: 'test/shim/waiting.test.ts', fails: 'is asked for the same call again' },
  { name: 'cancelled-call-is-made-by-the-next-host', file: 'src/main/shim/pipe.ts', from: 'if (cancelled !== null) return this.forget(cancelled);', to: '', test: 'test/shim/next-host.test.ts', fails: 'is not given a call that the client gave up' },
  { name: 'program-looked-at-only-once', file: 'src/main/serve/connection.ts', from: 'if (!checked) queueMicrotask(() => (checked = false));', to: '', test: 'test/serve/same-program.test.ts', fails: 'is looked at again for a message that comes later' },
  { name: 'older-client-waits-as-long', file: 'src/main/mcp/limits.ts', from: 'difference === 0 && Number(minor) >= since[1]', to: 'difference === 0', test: 'test/mcp/limits.test.ts', fails: 'codex-mcp-client 0.168.9 is treated as unknown' },
  soon('pipeline/verify/effect.ts')('early-answer-is-no-change', "NOTHING_SO_FAR: Verification = { effect: 'unverified',", "NOTHING_SO_FAR: Verification = { effect: 'no_change',", 'and is no “no_change”'),
  soon('pipeline/verify/effect.ts')('busy-application-is-no-change', 'rest.isUntold() || (mustKnow && rest.wasReadFirst())', 'true', 'the whole time is waited'),
  soon('pipeline/verify/effect.ts')('unread-input-is-no-change', ' || rest.isUnread()) return', ') return', 'does not read its input may change yet'),
  soon('pipeline/verify/effect.ts')('who-must-know-is-told-early', 'const early = mustKnow ? null :', 'const early =', 'nobody is told that nothing changed'),
  soon('pipeline/verify/effect.ts')('time-counted-from-the-act', 'mustKnow ? CHANGE_TIMEOUT_MS : FIRST_LOOK_MS', 'FIRST_LOOK_MS', 'counted from when the input was read'),
  soon('pipeline/verify/rest.ts')('look-before-the-input-was-read', "this.#answer === 'read' ? lookBegan >= this.#readAt : never()", "this.#answer === 'read' ? true : never()", 'before the input was read does not count'),
  soon('pipeline/verify/rest.ts')('answered-while-it-works', "this.#desktop.untilApplication(id, 'rest', signal)", 'Promise.resolve(true)', 'while an application works'),
  soon('pipeline/verify/rest.ts')('answered-while-it-paints', ' && paint.unpaintedMs >= quietMs', '', 'counted from the last paint'),
  { name: 'plan-that-stops-is-told-early', file: 'src/main/pipeline/sequence-run.ts', from: 'mustKnow: step.bound.mustChange', to: 'mustKnow: false', test: 'test/pipeline/sequence.test.ts', fails: 'or stops there when asked to' },
  at('pipeline/verify/effect.ts', 'pipeline/verify/picture-effects.test.ts')('painted-and-not-looked-at', '(await rest.isPainted(signal)) ? await pixels.look() : null', 'null', 'a change is confirmed also where there was time for one picture only'),
  { name: 'answer-of-qt-unheard', file: 'src/native/linux/x11/window-ops.ts', from: 'SUBSTRUCTURE_NOTIFY | STRUCTURE_NOTIFY', to: 'SUBSTRUCTURE_NOTIFY', test: 'test/contract/linux.test.ts', fails: 'linux, Qt 5 while it lives painting [req:WE-5] tells when the application has read' },
  soon('pipeline/verify/effect.ts')('field-of-a-page-read-too-soon', 'documentUrl === null\n        ?', 'documentUrl !== undefined\n        ?', 'browsers tell accessibility of it'),
  { name: 'keys-into-a-new-editor', file: 'src/main/desktop/type-text.ts', from: 'if (isOwn && !needsKeys', to: 'if (!isOwn && !needsKeys', test: 'test/tools/input/input.test.ts', fails: 'the first character opens its editor' },
  { name: 'field-that-may-still-change', file: 'src/main/desktop/type-text.ts', from: 'value === before && !soon', to: 'value === before', test: 'test/e2e/tools/calculators.test.ts', fails: 'galculator reckons with what is typed' },
  soon('pipeline/verify/effect.ts')('caret-of-a-page-not-waited-for', '? PAGE_LAG_MS : TWO_FRAMES_MS,', '? TWO_FRAMES_MS : TWO_FRAMES_MS,', 'a page may still tell more'),
  at('desktop/click.ts', 'e2e/tools/chromium.test.ts')('row-clicked-in-its-middle', 'return line == null ? middle', 'return line != null ? middle', 'clicked on its own line'),
];
