const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/action/${file}`, test: `test/${test}`, from, to, fails }); // prettier-ignore
const compare = at('compare.ts', 'adversary/targets.test.ts');
const again = at('again.ts', 'adversary/targets.test.ts');
const mask = at('masked.ts', 'action/masking.test.ts');
const guard = at('guarded.ts', 'action/masking.test.ts');
const consequence = at('consequence/recognising.ts', 'action/consequence/acts.test.ts');
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
  run('denied-and-done', "if (decision.kind === 'denied') throw denial(decision);", '', ''),
  consequence('form-with-a-password-is-ordinary', "const submits = control?.role === 'AXButton' && (await holdsSecret(desktop, line, around, signal));", 'const submits = false;', ''),
  consequence('enter-sends-unnoticed', "if (mnemonic || (activates && (kind !== 'delete' || around.dialog)))", 'if (mnemonic)', ''),
  consequence('every-field-is-a-button', 'if (HOLDERS.has(one.role)) return { control: null, held: true };', '', ''),
  guard('keys-in-any-window', '      assertAllowed((await real.frontmost(signal)).window);\n', '', ''),
  guard('pointer-anywhere', 'if (aim === null || (Math.abs', 'if (aim !== undefined || (Math.abs', ''),
  guard('button-in-our-window', 'if (isMenuOf(window)) assertNotOurs(window);\n      else assertAllowed(window);', '', ''),
  guard('accessibility-in-our-window', 'for (const window of approved === null ? own : [approved]) assertNotOurs(window);', '', ''),
  guard('accessibility-in-another-process', 'plan.window.app.pid !== pid)', 'false)', ''),
  guard('acting-after-the-permission-was-taken-back', "if (watch.revoked()) throw new Stopped('person', 'The person took the permission back.');", '', ''),
  guard('no-window-is-any-window', "throw new WireError(\n        'DESKTOP_TARGET_CHANGED',\n        'Input was stopped: what was approved is in no window, so it could reach another.',", "return;\n      throw new WireError(\n        'DESKTOP_TARGET_CHANGED',\n        'Input was stopped: what was approved is in no window, so it could reach another.',", ''),
];
