/** Reading a tree on macOS, on the stand-in libraries of the tests, beside a loop in C that makes the same calls and converts the same values. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import koffi from 'koffi';
import { root } from '../scripts/lib/run.mjs';
import { inRounds, line } from './rounds.mjs';

const FOLDER = join(root, 'test/support/macos');
const LIBRARIES =
  'coreFoundation coreGraphics colorSync accessibility objectiveC appKit screenCaptureKit processes textInput coreServices';
const LATENCY_US = 50;
const PID = 5_000_501;
/** With the application and its window: 2,000 elements. */
const [GROUPS, ROWS] = [37, 53];
const LIMITS = { maxDepth: 60, maxNodes: 5000, timeoutMs: 60_000 };

/** `ours` is the reader that the helper process serves, in this process. */
export async function macosTree({ folder, own }) {
  const library = compile(folder);
  const script = scriptOf(library);
  const reader = await openReader(library, own);
  const nodes = buildWindow(script);
  const tree = () => reader.tree({ pid: PID }, LIMITS);
  const calls = recorded(script, tree, nodes);
  script.latency(LATENCY_US);
  const taken = await inRounds({ ours: () => void tree() }, { loop: () => void script.replay() });
  const what = `a tree of ${nodes.toLocaleString('en')} elements, ${calls.toLocaleString('en')} calls`;
  return [line({ what, beside: 'the same calls in C', taken, ours: (ms) => ms.ours, peer: ({ loop }) => loop })];
}

/** The loop is only a floor where it makes every call that the reading makes. */
function recorded(script, tree, nodes) {
  tree();
  script.record(1);
  const before = script.axCalls();
  const read = tree();
  const calls = Number(script.axCalls() - before);
  script.record(0);
  if (read.nodes.length !== nodes) throw new Error(`${read.nodes.length} elements were read, not ${nodes}`);
  const again = script.replay();
  if (again !== calls) throw new Error(`the reading made ${calls} calls, the loop makes ${again}`);
  return calls;
}

function compile(folder) {
  const library = join(folder, 'standin.so');
  const sources = readdirSync(FOLDER).filter((name) => name.endsWith('.c'));
  const flags = ['-std=gnu11', '-shared', '-fPIC', '-O1'];
  execFileSync('gcc', [...flags, '-o', library, ...sources.map((name) => join(FOLDER, name))]);
  return library;
}

function scriptOf(library) {
  const handle = koffi.load(library);
  const func = (prototype) => handle.func(prototype);
  return {
    addApp: func('int standin_add_app(int, str, str, long)'),
    addElement: func('int standin_add_element(int)'),
    addDisplay: func('void standin_add_display(uint32_t, str, double, double, double, double, double, uint32_t)'),
    addWindow: func('void standin_add_window(uint32_t, int, int, int, double, double, double, double)'),
    text: func('void standin_text(int, str, str, int)'),
    boolean: func('void standin_boolean(int, str, int, int)'),
    frame: func('void standin_frame(int, double, double, double, double)'),
    action: func('void standin_action(int, str, int)'),
    latency: func('void standin_latency(int)'),
    axCalls: func('long standin_ax_calls()'),
    record: func('void standin_keep_calls(int)'),
    replay: func('int standin_replay()'),
  };
}

async function openReader(library, own) {
  const load = (path) => import(new URL(`../dist/native/macos/${path}.js`, import.meta.url).href);
  const [{ openCore }, { openWindowRows }, { openApps }, { openWindows }, { openElementReader }] = await Promise.all(
    ['core', 'screen/window-rows', 'screen/apps', 'screen/windows', 'accessibility/element-reader'].map(load),
  );
  const libraries = Object.fromEntries(LIBRARIES.split(' ').map((name) => [name, library]));
  const core = openCore({ libraries, generation: 1 });
  own(() => core.close());
  const rows = openWindowRows(core);
  const apps = openApps(core, rows);
  return openElementReader({ core, rows, apps, windows: openWindows(core, rows, apps) });
}

/** Groups of buttons, texts and fields, as in a form. Resolves with the number of elements. */
function buildWindow(script) {
  script.addDisplay(1, 'Built-in', 0, 0, 1440, 900, 2, 0);
  const add = (parent, role, title, y) => {
    const element = script.addElement(parent);
    script.text(element, 'AXRole', role, 0);
    script.text(element, 'AXTitle', title, 0);
    script.boolean(element, 'AXEnabled', 1, 0);
    script.frame(element, 20, y, 300, 20);
    return element;
  };
  const app = script.addApp(PID, 'Form', 'com.example.Form', 0);
  script.text(app, 'AXRole', 'AXApplication', 0);
  const window = add(app, 'AXWindow', 'Form', 0);
  script.text(window, 'AXSubrole', 'AXStandardWindow', 0);
  script.addWindow(71, PID, window, 0, 10, 10, 1400, 880);
  for (let group = 0; group < GROUPS; group += 1) {
    const box = add(window, 'AXGroup', '', 40 + group);
    for (let row = 0; row < ROWS; row += 1) addRow(script, add, box, row);
  }
  return 2 + GROUPS * (1 + ROWS);
}

function addRow(script, add, box, row) {
  const role = ['AXButton', 'AXStaticText', 'AXTextField'][row % 3];
  const element = add(box, role, `Row ${row}`, 50 + row * 10);
  if (role === 'AXButton') script.action(element, 'AXPress', 1);
  else script.text(element, 'AXValue', `What is in row ${row}`, role === 'AXTextField' ? 1 : 0);
}
