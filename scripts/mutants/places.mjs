/** Where evidence lies, windows inside windows, numbers that cannot be read, and labels that are Chaperone's own. */
const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/${file}`, test: `test/${test}`, from, to, fails }); // prettier-ignore
const numbers = (file) => at(file, 'adversary/numbers.test.ts');
const places = (file) => at(file, 'adversary/evidence-places.test.ts');
const inner = (file) => (name, from, to, fails) => ({
  name,
  file: `src/${file}`,
  test: 'test/adversary/inside-windows.test.ts',
  from,
  to,
  fails,
});
const labels = at('chat/limits.ts', 'adversary/quick-replies.test.ts');

// prettier-ignore
export const PLACES = [
  numbers('protocol/json.ts')('large-number-passed', 'return member === null ? value : new Overflowing(member, value);', 'return value;', 'of a desktop.* method, and of its id'),
  numbers('protocol/json.ts')('only-exponents-looked-at', '|\\d{100}', '', 'of a desktop.* method, and of its id'),
  numbers('protocol/gabp.ts')('large-number-without-its-id', 'readId(message.id, strict) ?? NIL_UUID', 'NIL_UUID', 'of a GABP tool, nested in the steps'),
  numbers('serve/http/client-body.ts')('large-number-without-its-call', 'return message ?? respond(refusal ?? null);', "return message ?? problem(400, 'no');", 'of an MCP tool over HTTP'),
  labels('label-not-looked-at', "if (all === looks) return true;", '', 'that reads like a button of the page'),
  labels('label-only-whole', "if (where === 'whole') return false;", 'return false;', 'that reads like a button of the page'),
  labels('label-with-its-hidden-characters', '\\p{Default_Ignorable_Code_Point}\\p{Cf}', '', 'that reads like a button of the page'),
  labels('label-with-its-lookalikes', 'LATIN.get(one) ?? one', 'one', 'that reads like a button of the page'),
  labels('label-in-english-only', 'everyText(code)', 'everyText(code).slice(0, 1)', 'that reads like a button of the page'),
  labels('button-without-a-reserved-label', "'page.list.clear', ", '', 'every button of the page has a reserved label'),
  at('chat/limits.ts', 'adversary/quick-replies.test.ts')('labels-not-asked-about', 'if (label !== null) throw', 'if (label === null) continue; else if (label === "") throw', 'that reads like a button of the page'),
  places('evidence/execution-files.ts')('unseen-picture-in-the-workspace', 'this.#options.isSeen(shows) ? this.#own', 'true ? this.#own', 'lies with Chaperone; the workspace has neither'),
  places('evidence/execution-files.ts')('unseen-trace-in-the-workspace', "this.#keepsTrace ||= !this.#options.isSeen('call');", '', 'lies with Chaperone; the workspace has neither'),
  places('evidence/execution-files.ts')('unseen-result-in-the-workspace', 'const content = seen ?', 'const content = true ?', 'lies with Chaperone; the workspace has neither'),
  places('evidence/execution-files.ts')('digests-of-the-unseen-told', 'const told = { files: [...this.#own.files.values()]', 'const told = { files: this.list()', 'lies with Chaperone; the workspace has neither'),
  places('evidence/recorded-folder.ts')('kept-files-not-verified', 'return kept.length === 0 ? [own]', 'return kept.length >= 0 ? [own]', 'is shown to the person, is verified in both places'),
  places('evidence/folder-check.ts')('foreign-kept-files-passed', '? [inState(stateDir)] : []', '? [] : []', 'of somebody else in its place is found'),
  places('evidence/retention.ts')('kept-files-stay', 'await removeIfPresent(keptDirOf(stateDir, dir), now);', '', 'is deleted with the rest'),
  places('tools/evidence.ts')('kept-file-given-to-its-agent', 'if (files.some((one) => one.name === name && one.kept === true)) throw keptError(name);', 'void files;', 'is shown to the person, is verified in both places'),
  places('pipeline/begin-call-record.ts')('every-act-seen', 'if (bound.offDesktop === true) return true;', 'return true;', 'lies with Chaperone; the workspace has neither'),
  places('pipeline/begin-call-record.ts')('told-by-nobody', 'allowed && toldOnRequest(plan, decision) ?', 'allowed ?', 'is shown to the person, is verified in both places'),
  at('pipeline/mask-rules.ts', 'pipeline/masking.test.ts')('window-inside-shown', "(isHidden(window) ? [window] : (window.inside ?? []).filter(isHidden))", "(isHidden(window) ? [window] : [])", 'where it is a window inside another'),
  inner('native/linux/x11/window-description.ts')('inside-not-looked-for', '!own.has(connectionOf(xid)) && ', 'false && ', 'is covered there too'),
  inner('native/linux/methods.ts')('click-inside-is-outside', 'if (plug === null) return window;', 'if (plug !== undefined) return window;', 'does not cover a click in what is plugged in'),
  inner('native/linux/methods.ts')('click-by-frame', 'apps.foreignTo(found, await windows.insideAt(found, point))', 'apps.foreignTo(found, found.inside.filter(({ frame: f }) => point.x >= f.x && point.y >= f.y && point.x < f.x + f.width && point.y < f.y + f.height))', 'whose shape leaves the place of a click'),
  inner('native/linux/methods.ts')('click-handed-on', '...(unsure ? { crowded: true } : {})', '...(unsure ? {} : {})', 'through a window of another in it that hands clicks on'),
  inner('native/linux/methods.ts')('focus-as-the-outer-tells', 'return element.pid === plug.pid ? element : null;\n      }),\n    scrollerOf', 'return plug.pid === 0 ? null : element;\n      }),\n    scrollerOf', 'where X gives the focus to a window inside'),
  at('pipeline/mask-rules.ts', 'pipeline/masking.test.ts')('crowded-window-shown', ' || isUnclear(window, mask);', ';', 'has no window with too many windows in it where any'),
  at('pipeline/decide.ts', 'pipeline/asks.test.ts')('crowded-window-not-asked-about', 'plan?.alwaysAsk === true || isCrowded', 'plan?.alwaysAsk === true', 'with too many windows in it is asked about each time'),
  at('serve/page/page-guard.ts', 'serve/page/page-guard.test.ts')('crowded-window-may-be-ours', ' || isTooFull(window)),', '),', 'Chaperone’s where a page is open'),
  inner('main/pipeline/target/plans.ts')('keys-for-the-window-around', 'own === null && window.inside !== undefined)', 'false)', 'reach another only where the person was told'),
  inner('main/pipeline/act-checks.ts')('keys-to-the-excluded-inside', "if (!shown.some(({ pid }) => pid === one.app.pid)) throw protectedError(null);", 'void shown;', 'never reach one that is excluded'),
];
