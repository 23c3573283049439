const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/action/${file}`, test: `test/${test}`, from, to, fails }); // prettier-ignore
const compare = at('compare.ts', 'adversary/targets.test.ts');
const again = at('again.ts', 'adversary/targets.test.ts');
const mask = at('masked.ts', 'action/masked.test.ts');
const run = at('run.ts', 'action/run.test.ts');

// prettier-ignore
export const PIPELINE = [
  compare('pixels-not-compared', 'return fresh.pixels === null || !samePixels(approved.pixels, fresh.pixels);', 'return false;', ''),
  compare('password-field-not-compared', '    secure: states.secure,\n', '', ''),
  compare('document-not-compared', 'return { id, title, documentUrl, pid:', 'return { id, title, pid:', ''),
  compare('element-not-compared', '    element: id,\n', '', ''),
  again('drift-ignored', 'if (drifts.length > 0) throw targetChanged(drifts);', '', ''),
  mask('excluded-app-shown', '    isExcluded(window.app) ||\n', '', ''),
  mask('shown-while-a-link-is-open', 'if (!protection.blind()) return;', 'return;', ''),
  mask('password-fields-not-covered', ', ...secure];', '];', ''),
  mask('tree-of-a-hidden-window', 'if (pids.has(scope.pid) || windows.some((window) => window.id === scope.windowId)) throw hidden();', 'if (pids.has(scope.pid)) throw hidden();', ''),
  run('permission-not-asked', "const missing = action.needs.filter((permission) => states[permission] !== 'granted');", 'const missing = action.needs.filter(() => false);', ''),
  run('denied-and-done', "if (decision.kind === 'denied') throw denial(decision);", '', ''),
];
