/** What agents do most, as whole tool calls under a policy that allows everything, beside the command-line tool a person would use. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../scripts/lib/run.mjs';
import { inTurns } from './measure.mjs';
import { desktopHost, toEnd } from './processes.mjs';

const ROWS = 985;
const THOUSAND = 'The quick brown fox jumps over 13 lazy dogs. '.repeat(23).slice(0, 1000);

export async function acts({ folder, own }) {
  const host = await desktopHost({ folder, own });
  const scene = { ...host, own, fixture: (name, args) => fixture(host, own, join(folder, name), args) };
  return [
    ...(await clicking(scene)),
    ...(await typing(scene)),
    ...(await placing(scene)),
    ...(await reading(scene)),
    ...(await watching(scene)),
    ...(await recognizing({ ...scene, folder })),
  ];
}

/** A fixture application in its own process, once its window can be read; `journal` is what it wrote down itself. */
async function fixture({ call, env }, own, journal, args) {
  const script = join(root, 'test/support/apps/gtk-fixture.py');
  const child = spawn('/usr/bin/python3', [script, '--journal', journal, ...args], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const end = () => (child.kill('SIGKILL'), ended);
  own(end);
  for (;;) {
    const { windows } = await call('list_windows');
    const window = windows.find((one) => one.name.startsWith(`applications/${child.pid}/`));
    if (window !== undefined) return { child, end, window, journal: () => readFileSync(journal, 'utf8') };
    await pause(100);
  }
}

const parentOf = ({ child }) => `applications/${child.pid}`;
const count = (text, part) => text.split(part).length - 1;

async function clicking({ call, env, fixture }) {
  const app = await fixture('click', ['--title', 'Click']);
  const { elements } = await call('find_elements', { parent: parentOf(app), role: 'AXCheckBox', title: 'Remind me' });
  const { x, y, width, height } = elements[0].frame;
  const at = [Math.round(x + width / 2), Math.round(y + height / 2)].map(String);
  const toggled = () => count(app.journal(), '"event": "toggled"');
  const before = toggled();
  const sides = {
    element: () => call('click_element', { element_id: elements[0].elementId }),
    point: () => call('click', { x: Number(at[0]), y: Number(at[1]) }),
    xdotool: () => toEnd('xdotool', ['mousemove', ...at, 'click', '1'], { env }),
  };
  const ms = await inTurns(7, sides);
  if (toggled() - before < 24) throw new Error(`${toggled() - before} of 24 clicks arrived`);
  await app.end();
  const beside = 'xdotool, which does not look at what it hit or changed';
  return [
    { what: 'click_element with its verification', unit: 'ms', ours: ms.element, peer: ms.xdotool, beside },
    { what: 'click at a point with its verification', unit: 'ms', ours: ms.point, peer: ms.xdotool, beside },
  ];
}

async function typing({ call, env, fixture }) {
  const app = await fixture('type', ['--title', 'Type']);
  const { elements } = await call('find_elements', { parent: parentOf(app), title: 'Story' });
  const { x, y, width, height } = elements[0].frame;
  await call('click', { x: x + width / 2, y: y + height / 2 });
  /** Keys of the round before may still be on their way; an emptied field that stays empty has seen the last of them. */
  const emptied = async () => {
    for (let empty = 0; empty < 3;) {
      await toEnd('xdotool', ['key', 'ctrl+a', 'Delete'], { env });
      await pause(150);
      const { value } = await call('get_element', { element_id: elements[0].elementId });
      empty = value === '' ? empty + 1 : 0;
    }
  };
  const timed = async (work) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const sides = {
    ours: async () => (await emptied(), timed(() => call('type_text', { text: THOUSAND, application: parentOf(app) }))),
    slow: async () => (await emptied(), timed(() => toEnd('xdotool', ['type', '--delay', '12', THOUSAND], { env }))),
    fast: async () => (await emptied(), timed(() => toEnd('xdotool', ['type', '--delay', '0', THOUSAND], { env }))),
  };
  const ms = await inTurns(3, sides);
  if (!app.journal().includes(JSON.stringify(THOUSAND))) throw new Error('the text did not arrive');
  await app.end();
  const what = 'type_text, 1,000 characters, read back';
  return [
    { what, unit: 'ms', ours: ms.ours, peer: ms.slow, beside: 'xdotool type, its usual 12 ms a key' },
    { what, unit: 'ms', ours: ms.ours, peer: ms.fast, beside: 'xdotool type --delay 0' },
  ];
}

async function placing({ call, env, fixture }) {
  const app = await fixture('place', ['--title', 'Place']);
  const { name } = app.window;
  let step = 0;
  const next = () => 40 + (step++ % 7) * 30;
  const ms = await inTurns(7, {
    ours: () => call('move_window', { name, x: next(), y: next() }),
    wmctrl: () => toEnd('wmctrl', ['-r', 'Place', '-e', `0,${next()},${next()},-1,-1`], { env }),
    list: () => call('list_windows'),
    wmctrlList: () => toEnd('wmctrl', ['-lGpx'], { env }),
  });
  await app.end();
  return [
    { what: 'move_window, until it is there', unit: 'ms', ours: ms.ours, peer: ms.wmctrl, beside: 'wmctrl -e, which does not wait' }, // prettier-ignore
    { what: 'list_windows', unit: 'ms', ours: ms.list, peer: ms.wmctrlList, beside: 'wmctrl -lGpx' },
  ];
}

async function reading({ call, env, own, fixture }) {
  const app = await fixture('read', ['--title', 'Read', '--rows', String(ROWS)]);
  const walk = walker(app.child.pid, env, own);
  const ms = await inTurns(3, {
    ours: () =>
      call('get_element_tree', { parent: parentOf(app), max_nodes: 5000, max_depth: 100, visible_only: false }),
    walk,
  });
  await app.end();
  const what = `get_element_tree of ${2 * ROWS} elements and more`;
  return [{ what, unit: 'ms', ours: ms.ours, peer: ms.walk, beside: 'pyatspi, walking the same tree' }];
}

function walker(pid, env, own) {
  const next = lines('bench/peers/walk.py', [String(pid), `Row ${ROWS - 20}`], env, own);
  return async () => Number((await next('walk')).split(' ')[1]);
}

async function watching({ call, env, own, fixture }) {
  const app = await fixture('watch', ['--title', 'Watch', '--rows', '3']);
  const { name } = await call('create_observation', { parent: parentOf(app), type: 'element' });
  const next = lines('bench/peers/hear.py', [String(app.child.pid), 'Row 0'], env, own);
  await next('');
  let rows = 0;
  let after = 0;
  const heard = async () => {
    while (Number(await next('')) !== rows);
  };
  let seen = 0;
  const told = async () => {
    while (seen < rows) {
      const { next_after: upTo, events } = await call('poll_observation', { name, after_sequence: after, timeout: 30 });
      if (events.length === 0) throw new Error('nothing was observed');
      seen += events.filter((event) => JSON.stringify(event).includes('"Row 0"')).length;
      after = upTo;
    }
  };
  /** Both hear every row; the one whose turn it is, is timed. */
  const round = async (timed, other) => {
    rows += 1;
    const start = performance.now();
    const answer = timed().then(() => performance.now() - start);
    app.child.kill('SIGUSR1');
    const ms = await answer;
    await other();
    return ms;
  };
  const ms = await inTurns(7, { ours: () => round(told, heard), peer: () => round(heard, told) });
  await app.end();
  const what = 'an inserted row, until poll_observation tells it';
  const beside = 'pyatspi, which hears of any change and walks the tree';
  return [{ what, unit: 'ms', ours: ms.ours, peer: ms.peer, beside }];
}

async function recognizing({ call, env, folder, fixture }) {
  const app = await fixture('text', ['--title', 'Text']);
  const file = join(folder, 'text.png');
  const peer = async () => {
    await toEnd('import', ['-silent', '-window', 'root', file], { env });
    await toEnd('tesseract', [file, join(folder, 'text')], { env: { ...env, OMP_THREAD_LIMIT: '1' } });
  };
  const display = (await call('list_displays')).displays[0].name;
  const ours = async () => {
    const { matches } = await call('find_text', { text: 'Remind', display_id: display });
    if (matches.length === 0) throw new Error('the text was not found');
  };
  let step = 0;
  /** What was read once is not read again, so the window is elsewhere each time. */
  const anew = (work) => async () => {
    await toEnd('wmctrl', ['-r', 'Text', '-e', `0,${50 + 40 * (step += 1)},80,-1,-1`], { env });
    await pause(300);
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const ms = await inTurns(3, { ours: anew(ours), peer: anew(peer) });
  await app.end();
  const beside = 'ImageMagick import, then tesseract on one thread';
  return [{ what: 'find_text on the whole display', unit: 'ms', ours: ms.ours, peer: ms.peer, beside }];
}

/** Asks a peer script for one line at a time. */
function lines(script, args, env, own) {
  const child = spawn('/usr/bin/python3', [join(root, script), ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  own(() => (child.stdin.end(), child.kill(), ended));
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (ask) => {
    if (ask !== '') child.stdin.write(`${ask}\n`);
    const { value, done } = await said.next();
    if (done) throw new Error(`${script} ended`);
    return value;
  };
}
