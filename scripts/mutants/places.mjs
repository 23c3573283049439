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
const labels = at('chat/reserved-labels.ts', 'adversary/quick-replies.test.ts');

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
  places('pipeline/evidence-sight.ts')('every-act-seen', 'if (bound.offDesktop === true) return true;', 'return true;', 'lies with Chaperone; the workspace has neither'),
  places('pipeline/evidence-sight.ts')('told-by-nobody', 'allowed && toldOnRequest(plan, decision) ?', 'allowed ?', 'is shown to the person, is verified in both places'),
  inner('main/pipeline/mask-rules.ts')('window-inside-shown', "(isHidden(window) ? [window] : (window.inside ?? []).filter(isHidden))", "(isHidden(window) ? [window] : [])", 'is covered there too'),
  inner('native/linux/x11/window-description.ts')('inside-not-looked-for', '!own.has(connectionOf(xid)) && ', 'false && ', 'is covered there too'),
  inner('native/linux/methods.ts')('click-inside-is-outside', 'if (hit === undefined) return window;', 'return window;', 'does not cover a click in what is plugged in'),
];
