/** Faults in what the backends tell: who has the keyboard, what is a password, how long a name may be, who connects. */

const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/native/${file}`, test: `test/${test}`, from, to, fails }); // prettier-ignore
const keyboard = at('linux/atspi/keyboard-focus.ts', 'native/linux/keyboard-focus.test.ts');
const passwords = at('linux/atspi/one-object.ts', 'native/linux/passwords.test.ts');
const secrets = at('linux/atspi/secure-areas.ts', 'native/linux/passwords.test.ts');
const hits = at('linux/atspi/hit-testing.ts', 'adversary/menus.test.ts');
const vast = (file) => at(`linux/atspi/${file}.ts`, 'adversary/vast.test.ts');
const modal = at('linux/atspi/bus.ts', 'adversary/modal.test.ts');
const unreadable = (file) => (name, from, to, fails) => ({ name, file: `src/main/pipeline/${file}`, test: 'test/adversary/unreadable.test.ts', from, to, fails }); // prettier-ignore
const silence = at('linux/atspi/bus-calls.ts', 'native/linux/silent-applications.test.ts');
const steps = at('linux/atspi/secure-areas.ts', 'native/linux/password-steps.test.ts');
const embedded = at('linux/atspi/object-reader.ts', 'adversary/claimed-objects.test.ts');
const options = at('linux/atspi/options.ts', 'adversary/claimed-objects.test.ts');
const sessions = at('linux/session.ts', 'native/linux/session.test.ts');
const clipboards = at('linux/x11/clipboard.ts', 'native/linux/clipboard-owners.test.ts');
const typing = at('linux/x11/keyboard.ts', 'native/linux/typing.test.ts');
const shell = (file) => at(`linux/wayland/${file}.ts`, 'adversary/gnome.test.ts');
const tried = (file) => at(`linux/self-test/${file}.ts`, 'native/linux/abilities.test.ts');
const turned = at('linux/wayland/frames.ts', 'native/linux/outputs.test.ts');
const locks = (file) => at(`linux/x11/${file}.ts`, 'native/linux/lock-keys.test.ts');
const layouts = (file) => at(`linux/x11/${file}.ts`, 'native/linux/layouts.test.ts');
const claimed = at('linux/x11/keyboard.ts', 'e2e/tools/keys.test.ts');
const pressTimes = at('linux/release-buttons.ts', 'e2e/tools/polled.test.ts');
const lists = at('linux/atspi/whole-list.ts', 'native/linux/whole-list.test.ts');
const direct = at('linux/atspi/bus-calls.ts', 'native/linux/direct-connections.test.ts');
const hidden = at('linux/atspi/object-reader.ts', 'native/linux/object-reader.test.ts');
const ahead = at('linux/atspi/bus-calls.ts', 'native/linux/read-ahead.test.ts');
const told = at('linux/atspi/bus.ts', 'native/linux/accessibility-events.test.ts');
const lengthLimits = at('length-limits.ts', 'native/length-limits.test.ts');
const events = at('linux/x11/window-model.ts', 'native/linux/window-model.test.ts');
const cache = at('linux/x11/window-cache.ts', 'native/linux/window-model.test.ts');
const model = at('linux/x11/window-model.ts', 'native/linux/window-model.test.ts');
const pool = at('linux/x11/pixel-reader.ts', 'native/linux/pixel-pool.test.ts');
const paints = at('linux/x11/paint-watch.ts', 'native/linux/paint-watch.test.ts');
const shared = at('linux/x11/screen-capture.ts', 'native/linux/shared-pictures.test.ts');
const ofWindow = at('linux/x11/screen-capture.ts', 'native/linux/shared-pictures.test.ts');
const keptBytes = at('linux/x11/screen-capture.ts', 'native/linux/kept-pictures.test.ts');
const monitors = at('linux/x11/window-model.ts', 'native/linux/windows.test.ts');
const watched = at('linux/process-rest.ts', 'native/linux/watched-processes.test.ts');
const peers = at('peer/linux.ts', 'peer/watch.test.ts');
const tokens = at('peer/types.ts', 'transport/xpc.test.ts');
const lines = at('ocr/index.ts', 'native/ocr/thread.test.ts');
const clients = at('peer/linux.ts', 'peer/tcp-clients.test.ts');
const described = at('macos/accessibility/describe.ts', 'native/macos/elements.test.ts');
const ids = at('macos/accessibility/element-table.ts', 'native/macos/elements.test.ts');
const helper = at('macos/helper/client.ts', 'native/macos/helper.test.ts');
const closing = at('macos/window-acts/closing.ts', 'native/macos/window-acts.test.ts');
const frames = at('macos/window-acts/frames.ts', 'native/macos/window-acts.test.ts');
const documents = at('macos/accessibility/documents.ts', 'native/macos/documents.test.ts');
const board = at('macos/clipboard/pasteboard.ts', 'native/macos/clipboard.test.ts');
const posts = at('macos/input/post.ts', 'native/macos/input.test.ts');
const ownKeys = at('macos/input/post.ts', 'native/macos/special-keys.test.ts');
const areas = at('macos/accessibility/secure-areas.ts', 'native/macos/watching.test.ts');
const picture = at('macos/pictures/picture-source.ts', 'native/macos/pictures.test.ts');
const shots = at('macos/pictures/capture.ts', 'native/macos/pictures.test.ts');
const onScreen = at('macos/screen/windows.ts', 'native/macos/screen.test.ts');
const refusals = at('macos/accessibility/calls.ts', 'native/macos/screen.test.ts');
const stacked = at('macos/screen/windows.ts', 'adversary/macos-presses.test.ts');
const ownSurfaces = at('macos/screen/windows.ts', 'adversary/macos-surfaces.test.ts');
const focusing = at('macos/window-acts/focus.ts', 'native/macos/window-acts.test.ts');
const clips = at('macos/accessibility/describe.ts', 'adversary/macos-surfaces.test.ts');
const overlays = at('macos/screen/hit-tests.ts', 'native/macos/watching.test.ts');
const kit = at('macos/pictures/screen-capture-kit.ts', 'native/macos/pictures.test.ts');
const byProgram = at('macos/pictures/capture.ts', 'native/macos/pictures.test.ts');
const related = at('macos/screen/apps.ts', 'adversary/macos-surfaces.test.ts');
const excludedOnMac = (name, from, to, fails) => ({ name, file: 'src/main/pipeline/masked.ts', test: 'test/adversary/macos-surfaces.test.ts', from, to, fails }); // prettier-ignore
const woken = at('macos/accessibility/woken-apps.ts', 'native/macos/page-waking.test.ts');
const servedBy = at('macos/helper/served.ts', 'native/macos/clipboard.test.ts');
const lending = at('macos/clipboard/pasteboard.ts', 'native/macos/clipboard.test.ts');
const choosing = at('macos/accessibility/set-values.ts', 'native/macos/acting.test.ts');
const owning = at('macos/foundation/scope.ts', 'native/macos/foundation.test.ts');
const messages = at('macos/calls/objective-c.ts', 'native/macos/prototypes.test.ts');
const launching = at('macos/launching/launch.ts', 'native/macos/launching.test.ts');

const composed = at('macos/open.ts', 'native/macos/open.test.ts');
const processesOf = at('macos/helper/client.ts', 'native/macos/open.test.ts');
const copies = at('macos/clipboard/clipboard.ts', 'native/self-test/on-macos.test.ts');
const chosen = at('open.ts', 'native/open.test.ts');
const taps = at('macos/watching/input-tap.ts', 'native/macos/listening.test.ts');
const observed = at('macos/watching/changes.ts', 'native/macos/listening.test.ts');
const heardOf = at('macos/watching/listening.ts', 'native/macos/listening.test.ts');

const signatures = at('peer/macos-signatures.ts', 'peer/macos-signatures.test.ts');
const identities = at('peer/program-identity.ts', 'peer/macos-signatures.test.ts');

// prettier-ignore
export const NATIVE = [
  told('ended-object-untold', 'StateChanged defunct 0', 'StateChanged defunct 1', 'tell of no change; everything else does'),
  hidden('shown-children-as-they-were', 'limits.keepsHidden === true && (branch.above?.hidden === true || isHidden(item))', 'limits.keepsHidden === true', 'are asked for again as soon as they show'),
  ahead('act-sent-ahead', '|| !READS.test(member)', '', 'changes an application is ever sent ahead'),
  ahead('answer-given-twice', 'reading.ahead.delete(request);', '', 'gets another answer'),
  embedded('object-of-another-application', 'if (own === other) return true;', 'if (own !== 0) return true;', 'neither read nor found'),
  options('option-of-another-application', 'if (children.every((child) => child.bus === ref.bus)) return children;', 'if (children.length >= 0) return children;', 'not pressed as an option of its own'),
  sessions('crash-handler-ended-at-once', '"programs chrome_crashpad"*) left=1 ;;', '', 'lets a crash handler finish'),
  clipboards('secret-copied-meanwhile', 'if (await marksSecret(await selection.targets(signal), signal)) return { concealed: true };', '', 'copied while it reads'),
  tried('scene')('self-test-types-elsewhere', 'if (!focused) throw', 'if (focused === null) throw', 'sends no key where another window has the focus'),
  tried('scene')('self-test-types-into-a-grab', 'if (grabbed) throw', 'if (!window) throw', 'a program that has grabbed the keyboard gets no key'),
  tried('checks')('self-test-loses-a-copied-text', 'if (Object.keys(before).length > 0) throw', 'if (Object.keys(before).length > 9) throw', 'does not try what would lose a copied text'),
  turned('picture-upside-down', 'start: lastY, right: -line, down: 4 },', 'start: lastX, right: line, down: -4 },', 'is upright in pictures: 270'),
  turned('fraction-cut-by-the-compositor', '|| !Number.isInteger(scale)', '', 'has every pixel of it, upright'),
  locks('keyboard')('lock-stays-on', 'return locked ^ (', 'return 0 & (', 'types with the option caps:escape'),
  locks('keyboard')('lock-not-restored', 'if (flips !== 0) this.#xkb.', 'if (flips < 0) this.#xkb.', 'types with the option ctrl:nocaps'),
  locks('keymap')('modifier-that-switches-layouts', 'if (level?.sets === bit &&', 'if (level !== undefined &&', 'types with the option grp:lshift_toggle'),
  layouts('keymap')('first-layout-always', 'const own = ownGroup(group, ', 'const own = ownGroup(0 * group, ', 'takes all characters of the keyboard and others with us,de'),
  layouts('keyboard')('layout-not-announced', 'if (now.group === 0) return;', 'if (now.group >= 0) return;', 'takes all characters of the keyboard and others with gb,ru,fr'),
  { name: 'command-is-no-control', file: 'src/main/desktop/key-names.ts', test: 'test/desktop/key-names.test.ts', from: "linux: { cmd: 'ctrl' },", to: "linux: { cmd: 'super' },", fails: 'Command is Control on Linux' },
  claimed('super-types-its-letter', 'if (!isFree) return;', 'if (isFree || !isFree) return;', 'Super types nothing'),
  { name: 'typed-keys-not-held', file: 'src/native/linux/methods.ts', from: '!(await isAccessible(bus, front, combined))', to: 'false', test: 'test/e2e/tools/polled.test.ts', fails: 'sees type_text' },
  { name: 'utf-8-called-latin-1', file: 'src/native/linux/encoded-text.ts', from: "'C_STRING') return utf8OrLatin1(data);", to: "'C_STRING') return data.toString('latin1');", test: 'test/native/linux/text.test.ts', fails: 'UTF-8 against its definition' },
  pressTimes('press-too-short', 'const FRAMES_MS = 60;', 'const FRAMES_MS = 0;', 'sees press_key'),
  typing('layout-of-before', 'if (state.group !== start.group) break;', '', 'switched in the middle of it'),
  direct('bus-of-another-process', '.pid === (await pidOf(name))) return socket;', '.pid > 0) return socket;', 'another process at that address is not called'),
  tokens('service-caller-may-have-ended', 'identity === null || !still()', 'identity === null', 'are of the process that the token names'),
  tokens('service-caller-of-another-user', 'return { ...identity, uid, auditToken: hex }', 'return { ...identity, auditToken: hex }', 'are of the process that the token names'),
  owning('macos-object-leaks', 'for (const ref of owned.reverse()) CFRelease(ref);', 'owned.reverse();', 'gnustep: what is taken over is released at the end'),
  owning('macos-pool-stays-open', '      objc_autoreleasePoolPop(pool);\n', '', 'gnustep: pools release what was autoreleased'),
  messages('macos-message-of-another-kind', "'setWidth:': ['void', ['uint64']]", "'setWidth:': ['void', ['uint32']]", 'of setWidth: goes as the compiler has'),
  described('macos-password-is-read', 'const value = secure || ROLES', 'const value = ROLES', 'that is a password field has no value'),
  described('macos-unknown-field-is-no-password', 'return !known && (', 'return known && (', 'that is a password field has no value'),
  areas('macos-silent-window-uncovered', '    silent.add(row.pid);\n    return [row.frame];', '    silent.add(row.pid);\n    return [];', 'of an application that hangs are covered'),
  areas('macos-sheet-outside-its-picture', 'shown.filter(({ pid }) => pids.has(pid))', 'shown.filter(({ pid, frame }) => pids.has(pid) && (area === null || overlaps(frame, area)))', 'are looked for in what a picture shows'),
  areas('macos-field-beside-rows-shown', '...children.filter((child) => !left.has(child)), ...visible', '...visible', 'in the rows that show, and beside them'),
  woken('macos-browser-stays-woken', 'this.#set(pid, attribute, false);', 'this.#set(pid, attribute, true);', 'is put back at the end'),
  woken('macos-voiceover-switched-off', 'if (was === true) return;', '', 'where another program had switched it on'),
  woken('macos-another-process-switched-off', 'startTime(pid) === startTime', "startTime(pid) !== ''", 'never in a later process'),
  composed('macos-host-leaves-browsers-woken', ', letSleep()]', ']', 'lets browsers sleep'),
  areas('macos-webkit-search-believed', 'searchesPages: isBuiltOnChromium(core.processes.executable(row.pid))', 'searchesPages: true', 'where the browser is WebKit'),
  areas('macos-empty-search-believed', 'found.length === 0 || ', '', 'where the browser answers a search with nothing'),
  areas('macos-search-cut-short', ' || found.length >= MOST_FIELDS', '', 'where there are more than were asked for'),
  areas('macos-odd-field-not-asked-for', "['AXTextFieldSearchKey', 'AXControlSearchKey']", "['AXTextFieldSearchKey']", 'whatever the page calls them'),
  areas('macos-sheet-is-cut', 'OWN_SURFACES.has(look.role) ? null : within', 'within', 'in a sheet are found beyond'),
  onScreen('macos-overlay-hides-windows', 'if (whole === undefined && this.#takesClicks(row, hit, point))', 'if (whole === undefined)', 'are below what other programs lay over everything'),
  onScreen('macos-hit-test-believed', ' || this.#parts.hits.ofProcess(row.pid, point) !== null) return true;', ') return true;', 'where the hit test passes over what takes clicks'),
  onScreen('macos-own-popover-passed-over', 'known === null || isOwnProcess(row.pid)) return', 'known === null) return', 'are ours wherever one of ours lies over them'),
  refusals('macos-one-refusal-is-all', 'const SEVERAL = 3;', 'const SEVERAL = 1;', 'as those of one that hangs; of several it is off'),
  stacked('macos-dock-covers-page', 'const seeThrough = window === undefined', 'const seeThrough = window !== undefined', 'counts where the person’s own device pressed'),
  ownSurfaces('macos-own-popover-unlisted', '    if (isOwnProcess(row.pid)) return this.describe(row);\n', '', 'where it counts as another window of ours'),
  onScreen('macos-menu-counts-as-its-window', "hit.place !== 'menu' && ", '', 'have menus and lists beside them'),
  focusing('macos-frame-takes-the-focus', 'one.visible && (one.normal || one.id === id)', 'one.visible', 'is done although a sheet of it'),
  clips('macos-popover-is-cut', 'OWN_SURFACES.has(role) && outside !== null ? area : outside', 'outside', 'reaches a popover beside it'),
  overlays('macos-any-overlay-let-through', '/^\\/System', '/\\/System', 'of other programs all'),
  excludedOnMac('macos-excluded-surfaces-shown', 'excludesAny() ? await desktop.stack(signal) : [];', '[];', 'the sheet of its window, of an excluded application'),
  excludedOnMac('macos-excluded-helper-shown', ' || (app !== undefined && isExcluded(app))', '', 'by its icon in the menu bar'),
  related('macos-bundle-in-bundle-is-another', '...[...program.matchAll(BUNDLE)]', '...[...program.matchAll(/never/g)]', 'an excluded application, in its bundle'),
  related('macos-responsible-is-another', 'isApp ? null : this.#core.processes.responsible(pid)', 'isApp ? null : null', 'that it answers for'),
  related('macos-started-app-is-hidden', 'isApp ? null : this', 'this', 'an application that another one has started'),
  onScreen('macos-bare-window-passed-over', '?.bare ?? true;', ' !== undefined;', 'below an overlay that accessibility names'),
  onScreen('macos-small-overlay-passed-over', ' || !this.#coversDisplay(row)) return false;', ') return false;', 'below an overlay that accessibility names'),
  onScreen('macos-normal-window-passed-over', ' || this.#isNormal(row) || ', ' || ', 'below an overlay that accessibility names'),
  kit('macos-own-windows-pictured', 'making.list(scope, own)', 'making.list(scope, [])', 'are without our own windows'),
  byProgram('macos-program-pictures-popover', 'if (without.length > 0)', 'if (without.length > 99)', 'are without our own windows'),
  closing('macos-question-unseen', "(asks() ? 'asks' : null)", 'null', 'says at once that the application asks something'),
  closing('macos-host-ended', 'pid <= 1 || isOwnProcess(pid)', 'pid <= 1', 'never the system or ourselves'),
  frames('macos-frame-of-the-request', 'return requireRow(parts, id).frame;', 'return wanted;', 'is what the window granted'),
  documents('macos-pageless-browser-complete', 'complete: urls.length > 0 && ', 'complete: ', 'without any page may not have built them yet'),
  documents('macos-unanswering-browser-complete', 'urls: [], complete: false };', 'urls: [], complete: true };', 'does not answer may show anything'),
  board('macos-concealed-read', 'if (isSecret(types)) return { concealed: true };', '', 'never reads what is marked'),
  board('macos-denied-is-empty', "if (isDenied(core, pasteboard)) throw new DesktopError('permission', message('native.clipboard_denied'));", '', 'may not be read is no empty one'),
  posts('macos-text-into-password-field', "if (text?.kind === 'key' && isSecure())", "if (text?.kind === 'mouse' && isSecure())", 'stops where a password field takes the keyboard meanwhile'),
  ownKeys('macos-keys-without-their-flags', " | (event.kind === 'key' ? ownFlags(event.code) : 0)", '', 'says of itself what a keyboard says'),
  board('macos-clipboard-asks-nobody', 'new Set([1, 3])', 'new Set([3])', 'not unasked'),
  posts('macos-late-input-posted', 'until !== null && Date.now() > until', 'until === 0', 'that comes long after its guard'),
  posts('macos-person-held-up', '  cg.CGEventSourceSetLocalEventsSuppressionInterval(source, 0);\n', '', 'drags: with the distances'),
  picture('macos-picture-asks-the-person', 'if (!core.bound.coreGraphics.CGPreflightScreenCaptureAccess()) throw noScreenRecording();', '', 'are not asked for without permission'),
  shots('macos-picture-of-before', 'if (pixels !== null && isSame(source, after))', 'if (pixels !== null)', 'that moves meanwhile are taken again'),
  launching('macos-front-taken-untold', "return taken ? 'given_back' : 'kept'", "return 'kept'", 'gives the front back where'),
  lending('macos-secret-saved-for-paste', 'isDenied(core, pasteboard) || types.some((type) => CONCEALED.has(type))', 'isDenied(core, pasteboard)', 'takes the place of nothing that is marked'),
  lending('macos-paste-loses-what-it-cannot-keep', 'return whole ? items : null;', 'return items;', 'takes the place of nothing that is promised'),
  lending('macos-paste-loses-what-it-may-not-read', 'return null;\n  let bytes', 'return [];\n  let bytes', 'takes the place of nothing that may not be read'),
  servedBy('macos-clipboard-question-untold', "thrown.code !== 'not_responding') throw thrown;", "thrown.code !== 'lost') throw thrown;", 'told as a permission'),
  lending('macos-copy-of-another-lost', "if (known === null || Number(core.bound.send(pasteboard, 'changeCount')) !== known.count) {", 'if (known === null) {', 'leaves what another program copies meanwhile'),
  composed('macos-held-by-an-ended-helper', 'void (again && input.releaseAll())', 'undefined', 'where the helper that pressed it ends'),
  composed('macos-first-press-let-go', 'void (again && input.releaseAll())', 'void input.releaseAll()', 'lets go of what is held when it is closed'),
  composed('macos-held-at-the-end', 'Promise.all([input.releaseAll(), letSleep()])', 'Promise.all([letSleep()])', 'lets go of what is held when it is closed'),
  processesOf('macos-events-behind-elements', 'const events = openHelperClient(options);', 'const events = elements;', 'asks a process of its own'),
  posts('macos-held-after-the-host', '      post(left.releases(', '      void (left.releases(', 'by the helper itself where the host has ended'),
  copies('macos-first-copy-missed', 'void look();\n      }', 'setTimeout(() => void look(), 250);\n      }', 'exercises every member of the macOS backend'),
  chosen('macos-terminal-granted-unasked', "if (note !== null && startHelper === undefined && backend === 'auto') {", "if (note === null && startHelper === undefined && backend === 'auto') {", 'says on plain Node that the terminal would be granted'),
  chosen('macos-real-in-place-of-virtual', "if (display === 'virtual') throw new DesktopError('unsupported', message('display.no_virtual_mac'));", '', 'never takes the real one where a virtual one'),
  taps('macos-own-input-not-awaited', 'tap === null || returned >= posted()', 'true', 'is done when the system has let its events through'),
  taps('macos-dropped-input-awaited-for-ever', '=== null) returned = posted();', '=== null) returned = 0;', 'that another program drops is waited for once'),
  taps('macos-own-input-is-the-person', "ours || injected ? 'program' : 'person'", "injected ? 'person' : 'program'", 'of the person is told from that of programs'),
  taps('macos-ended-tap-stays-deaf', 'if (tap !== null) cg.CGEventTapEnable(tap.port, true);', 'if (tap !== null) return;', 'where the system has ended the tap'),
  taps('macos-missed-input-is-nobodys', "tell({ from: 'program', at: null, pressed: false });", '', 'where the system has ended the tap'),
  taps('macos-release-is-a-press', 'pressed: PRESS_EVENTS.has(type)', 'pressed: true', 'is told from movements, releases'),
  signatures('macos-claimed-team-believed', 'anchor apple generic and ${named} and', '${named} and', 'known by its developer’s team'),
  signatures('macos-odd-name-quoted', 'identifier !== null && PLAIN.test(identifier)', 'identifier !== null', 'would be another requirement'),
  identities('macos-file-of-after-the-start', 'if (statSync(executable).ctimeMs / 1000 >= Number(startTime)) return null;', '', 'written since'),
  identities('macos-signed-file-by-content', 'signatures.requirementOf(found.pid) === null && identity', 'identity', 'is known by its file'),
  observed('macos-hanging-app-asked-for-each', 'if (failed === AX_ERROR.cannotComplete) return null;', '', 'that hangs cost one call'),
  heardOf('macos-deaf-after-a-new-helper', 'eventsHelper.onReady(() => watching.input && watchInput()),', '', 'outlive the helpers that tell'),
  choosing('macos-menu-left-open', 'if (!chosen) closeMenu(core, ref);', '', 'and the menu is closed again'),
  ids('macos-id-of-another-helper', '${generation}.', '1.', 'and so is one of another process'),
  helper('macos-hanging-helper-kept', "replace(running, new DesktopError('failed', message('native.helper_replaced')));", '', 'that hangs is ended'),
  helper('macos-aborted-hang-kept', 'reject(signal.reason);', 'settle(); reject(signal.reason);', 'which was aborted is ended all the same'),
  lines('lines-known-by-their-size', "${isBlock} `).update(grey)", "${isBlock} `)", 'reads only the lines that changed, wherever they moved to'),
  keyboard(
    'calc-line-has-the-keyboard',
    "others.length > 0 ? others : focused",
    "focused.length > 0 ? focused : others",
    'is not the input line of Calc',
  ),
  keyboard('window-holds-the-keyboard', ' && !TOP_LEVEL.has(item.role)', '', 'not the window that has the focus too'),
  keyboard('hidden-document-holds-the-keyboard', 'document === null || has(document.item.states, STATE.showing)', 'document === null || STATE !== null', 'not the field of a document in another tab'),
  keyboard('document-before-the-address-field', 'if (own.length > 0)', 'if (own.length > 9)', 'own address field, also while the document names one'),
  keyboard('around-a-document-is-beside-it', 'document === null && !around.has(node)', 'document === null', 'only what is around the document has the focus too'),
  keyboard('frame-is-another-document', '.findLast(({ item }) => item.role === ROLE.documentWeb)', '.find(({ item }) => item.role === ROLE.documentWeb)', 'a frame in a document, which is no other document'),
  keyboard('two-documents-one-chosen', 'if (documents.size > 1)', 'if (documents.size > 2)', 'two documents that each say they have the keyboard'),
  keyboard('current-row-holds-the-keyboard', 'const among = [sure, rows, nodes].find((some) => some.length > 0) ?? [];', 'const among = [...nodes, ...sure.slice(nodes.length), ...rows.slice(nodes.length)];', 'not the current row of a list or the current tab'),
  keyboard('row-that-moved-is-the-same', 'return first !== null && first === second;', 'return first !== null || second !== null;', 'is another one that is in another place'),
  at('linux/atspi/hit-testing.ts', 'e2e/tools/choices.test.ts')('row-is-another-at-each-question', 'return { ...element, id };', 'return element;', 'is clicked, which selects it'),
  passwords('shown-password-is-text', "else if (PLAIN_TEXT_ROLES.has(item.role) && isKnown(item.ref)) return { ...item, role: ROLE.passwordText };", '', 'stays one while it shows its text'),
  passwords('oldest-password-pushed-out', "fields.size > maxFields ? 'overflowed' : fields", 'fields.size > maxFields ? new Map() : fields', 'is never pushed out by others'),
  passwords('overflowed-knows-nothing', "return fields === 'overflowed' || fields?.has", "return fields !== 'overflowed' && fields?.has", 'is never pushed out by others'),
  passwords('one-overflows-all', "overflowed: (bus) => known.get(bus) === 'overflowed'", "overflowed: () => [...known.values()].includes('overflowed')", 'counts each application alone'),
  passwords('overflowed-forgets', "if (fields !== 'overflowed') fields?.delete(idOf(ref));", "if (fields === 'overflowed') known.delete(ref.bus); else fields?.delete(idOf(ref));", 'makes room when it is gone'),
  secrets('overflowed-is-pictured', 'passwords.overflowed(root.bus) ? await wholeWindows(pid) : []', '[]', 'more of them than are kept is covered whole'),
  secrets('only-known-applications-searched', 'begun.get(idOf(one.root)) ?? areasOf(one, signal)', 'begun.get(idOf(one.root)) ?? []', 'those known from before together with the registry'),
  secrets('hanging-search-waited-for', 'reader.ping(root, signal), searchBelow', 'Promise.resolve(), searchBelow', 'as soon as its ping says so'),
  vast('object-reader')('long-list-read-whole', 'if (childCount > MAX_LISTED_CHILDREN) return visibleIn(branch);', '', 'a list of which no row can be told apart'),
  vast('secure-areas')('unsearched-list-is-pictured', '[...frames, ...unsearched, ...rest]', '[...frames, ...rest]', 'a list of which no row can be told apart'),
  vast('visible-children')('all-of-the-view-is-hidden', '(told && view !== null ? intersect(own, view) : null) ?? view;', 'view === null ? null : intersect(own ?? view, view);', 'a list of which no row can be told apart'),
  modal('dialog-silences-its-application', 'own === null ? null : await direct.forAct(ref.bus)', 'own', 'each opened from the one before'),
  silence('asked-while-it-owes', 'if (!answered) throw new DesktopError(', 'if (!answered) void new DesktopError(', 'neither a question nor an act'),
  silence('owes-nothing-once-aborted', 'late || options.signal?.aborted === true', 'late', 'nobody waits for that answer'),
  steps('search-of-before-the-paint', 'before?.look === look', 'before !== undefined', 'GTK 3'),
  vast('element-reader')('cells-make-a-search-incomplete', 'roles !== null && drawsOwnCells(toolkit)', 'roles === null && drawsOwnCells(toolkit)', 'a button beside it'),
  at('linux/x11/clipboard.ts', 'adversary/unreadable.test.ts')('paste-key-quotes-the-next', "if (NEVER_PASTES.test(active?.className ?? ''))", "if (active === null && NEVER_PASTES.test(''))", 'a line for a terminal'),
  unreadable('consequence/index.ts')('incomplete-is-refused', 'if (thrown instanceof UnreadableFacts) return { facts: [], unread: thrown.text };', '', 'a line for a terminal'),
  unreadable('target/plans.ts')('silence-untold', 'return { element: null, silent: true };', 'return { element: null, silent: false };', 'a stopped application is not responding'),
  secrets('silent-field-forgotten', '|\\.(?:Unknown', '|\\.(?:NoReply|Unknown', 'a field that gives no answer'),
  secrets('absent-connection-forgotten', 'if (await bus.hasLeft(name)) passwords', 'passwords', 'not while it is only absent from the registry'),
  hits('covered-element-is-hit', '(inPopup.length > 0 ? inPopup : inWindow)', '(inPopup.length > 0 ? inPopup : lines)', 'asked about also under a grant'),
  lists('list-in-part-is-whole', 'counted && own.length !== childCount', 'counted && own.length > childCount', 'leaves open what is in a row of which a part is missing'),
  lists('late-list-is-whole', "const complete = !read.includes('late');", 'const complete = true;', 'says that the time was too short'),
  at('linux/atspi/whole-list.ts', 'native/linux/whole-list.test.ts')('one-role-for-all', 'for (const ref of found)', 'for (const ref of unread)', 'asks which objects have a role where it has many'),
  lists('any-interfaces-known', 'interfaces.of(ref, async', 'interfaces.of({ bus: ref.bus, path: String() }, async', 'asks for the interfaces of an object once'),
  events('sent-events-believed', '& SENT_BY_CLIENT) !== 0', '& SENT_BY_CLIENT) > 0x80', 'not when a program only sends that they have'),
  events('restacking-unnoticed', '(children[index - 1] ?? 0) !== below', 'index === below', 'after: restack'),
  events('destroyed-window-kept', 'cache.remove(wid))', 'cache.known(wid) !== undefined)', 'are let go of when they end'),
  events('moves-unnoticed', 'window?.geometry.expire() ?? false,\n    // A', 'false,\n    // A', 'after: place'),
  cache('children-unnoticed', 'STRUCTURE_NOTIFY | SUBSTRUCTURE_NOTIFY;', 'STRUCTURE_NOTIFY;', 'after: open inside'),
  model('floods-heard', 'if (count < MAX_USELESS_EVENTS) return;', 'if (count > 0) return;', 'are no longer heard of'),
  at('linux/atspi/bus.ts', 'native/linux/failures.test.ts')('silent-registry-still-granted', '      forget();\n      throw error;', '      throw error;', 'once the accessibility registry has failed to answer'),
  model('answer-before-events', 'await (nextRoundTrip ??= sendRequest());', 'void (nextRoundTrip ??= sendRequest());', 'at the moment of each question'),
  model('calls-share-an-answer', '!answered.has(call)', 'false', 'are as they are at the first question of a call'),
  model('changed-answer-kept', '  const changed = (): void => {\n    version += 1;', '  const changed = (): void => {', 'the same objects in every answer until something changes'),
  model('unheard-answer-kept', 'isHeard() && !question.acceptChanged ? version', '!question.acceptChanged ? version', 'after: flood'),
  model('window-change-unheard', 'changes.emit();', '', 'also where their process was asked for meanwhile'),
  pool('released-pixels-still-seen', 'structuredClone(used, { transfer: [used] })', 'used', 'leaves who still has a released picture with nothing'),
  shared('painted-picture-is-kept', 'painted?.some((part) => overlaps(part, rectOf(picture))) ?? true', 'painted === null', 'is the one before while nothing is painted in it'),
  ofWindow('painted-window-is-kept', "const generation = `${paint?.generation ?? ''} ", 'const generation = `', 'is the one before until the window is painted'),
  keptBytes('kept-without-bound', 'let left = MAX_BYTES - bytes;', 'let left = Infinity;', 'are bounded by bytes'),
  keptBytes('memory-taken-from-another-call', 'if (users === 0 && dropped)', 'if (dropped)', 'released as often as they were given out'),
  monitors('monitor-change-unheard', "name === 'ConfigureNotify' ? wid1 === x.root :", '', 'of each monitor there is'),
  paints('generation-of-an-older-window', 'const one = watched.get(top) ?? watchWindow(x, damage, top, (watches += 1));', 'const one = watched.get(top) ?? watchWindow(x, damage, top, 1);', 'with the id of an older one is another window'),
  paints('end-of-a-window-unheard', '{ eventMask: STRUCTURE_NOTIFY }', '{ eventMask: 0 }', 'with the id of an older one is another window'),
  watched('other-program-unnoticed', 'before?.watch.isSame() === true', 'before !== undefined', 'told anew once it runs another'),
  lengthLimits('names-in-trees-uncut', 'element: cut(node.element) }', 'element: node.element }', 'is cut in every answer of the reader'),
  lengthLimits('cut-addresses-lose-their-host', 'if (parsed === null || parsed', 'if (parsed !== null || parsed', 'never loses whose document it is'),
  peers('watched-in-its-stead', 'memory !== null && isSame()', 'memory !== null', 'never begins for what has taken the place'),
  clients('each-searches-alone', 'next ??= running', 'next = running', '150 who ask at once share one pass'),
  at('linux/atspi/accessible-tree.ts', 'e2e/tools/files.test.ts')('open-menus-of-gtk2-hidden', 'IN_MENUS.has(item.role) && has(item.states, STATE.visible)', 'has(item.states, -1)', 'are found and pressed by name'),
  at('linux/atspi/actions.ts', 'native/linux/describe.test.ts')('list-of-actions-asked-of-gecko', "signal))).name === 'gecko'", "signal))).name === ''", 'asks Thunderbird for each name of an action'),
  at('linux/methods.ts', 'contract/linux.test.ts')('gone-window-cannot-tell', '(await windows.find(window, combined)) === null ? false', '(await windows.find(window, combined)) === null ? null', 'never takes a window that is gone'),
  shell('gnome-windows')('gnome-shell-killed', 'if (isShell) throw new DesktopError(\'unsupported\', message(\'native.shell_window\'));\n    // A program', '// A program', 'takes what the shell shows over a window for the shell’s'),
  shell('gnome-shell')('gnome-any-version', "!isRecord(said) || said['protocol'] !== PROTOCOL", '!isRecord(said)', 'says how to get it where it is of another version'),
  shell('gnome-shell')('gnome-closed-for-good', "if (!isNotOpened(error)) throw error;", 'throw error;', 'says what to do while the extension is off, as on a locked screen, and goes on after it'),
];
