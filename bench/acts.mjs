/** What agents do most, as whole tool calls under a policy that allows everything, beside the command-line tool a person would use. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toEnd } from './processes.mjs';
import { ROUNDS, inRounds, line, timed } from './rounds.mjs';
import { cuaDriver, lines, openScene, parentOf, reactionsOf, ownTime } from './scene.mjs';

const ROWS = 985;

const count = (text, part) => text.split(part).length - 1;

export async function clicking(bench) {
  const { call, env, own, fixture } = await openScene(bench);
  const app = await fixture('click', ['--title', 'Click']);
  const react = await reactionsOf(app, env, own);
  const quietly = (work) => async () => (await react('quiet'), timed(work));
  const { elements } = await call('find_elements', { parent: parentOf(app), role: 'AXCheckBox', title: 'Remind me' });
  const { x, y, width, height } = elements[0].frame;
  const at = [Math.round(x + width / 2), Math.round(y + height / 2)].map(String);
  const toggled = () => count(app.journal(), '"event": "toggled"');
  const before = toggled();
  const taken = await inRounds(
    {
      element: quietly(() => call('click_element', { element_id: elements[0].elementId })),
      point: quietly(() => call('click', { x: Number(at[0]), y: Number(at[1]) })),
      reaction: () => react(`click ${at.join(' ')}`),
    },
    { xdotool: () => toEnd('xdotool', ['mousemove', ...at, 'click', '1'], { env }) },
  );
  const done = 5 * (ROUNDS + 1);
  if (toggled() - before < done) throw new Error(`${toggled() - before} of ${done} clicks arrived`);
  await app.end();
  const beside = 'xdotool, which does not look at what it hit or changed';
  const row = (what, ours) => line({ what, beside, taken, ours, peer: (ms) => ms.xdotool });
  return [
    row('click_element with its verification', (ms) => ms.element),
    row('click_element, its own time', (ms) => ownTime(ms.element, ms.reaction)),
    row('click at a point with its verification', (ms) => ms.point),
    row('click at a point, its own time', (ms) => ownTime(ms.point, ms.reaction)),
  ];
}

export async function pointing(bench) {
  const { call, env, own, fixture } = await openScene(bench);
  const app = await fixture('point', ['--title', 'Point']);
  const cua = await cuaDriver(env, own);
  const [{ frame }] = (await call('find_elements', { parent: parentOf(app), title: 'Story' })).elements;
  let step = 0;
  const next = () => ({ x: Math.round(frame.x) + 20 + (step++ % 9) * 10, y: Math.round(frame.y) + 20 });
  const xdotool = () => {
    const { x, y } = next();
    return toEnd('xdotool', ['mousemove', `${x}`, `${y}`], { env });
  };
  const moved = () => {
    const { x, y } = next();
    return cua(`${x} ${y}`);
  };
  const taken = await inRounds({ ours: () => call('mouse_move', next()) }, { xdotool, moved });
  await app.end();
  const row = (beside, peer) =>
    line({ what: 'mouse_move, all of it its own time', beside, taken, ours: (ms) => ms.ours, peer });
  return [row('xdotool mousemove', (ms) => ms.xdotool), row('cua-driver', (ms) => ms.moved)];
}

export async function pressing(bench) {
  const { call, env, own, fixture } = await openScene(bench);
  const app = await fixture('press', ['--title', 'Press']);
  await call('focus_window', { name: app.window.name });
  const react = await reactionsOf(app, env, own);
  const quietly = (work) => async () => (await react('quiet'), timed(work));
  const taken = await inRounds(
    { ours: quietly(() => call('press_key', { key: 'tab' })), reaction: () => react('key Tab') },
    { xdotool: () => toEnd('xdotool', ['key', 'Tab'], { env }) },
  );
  await app.end();
  const row = (what, ours) => line({ what, beside: 'xdotool key', taken, ours, peer: (ms) => ms.xdotool });
  return [
    row('press_key with its verification', (ms) => ms.ours),
    row('press_key, its own time', (ms) => ownTime(ms.ours, ms.reaction)),
  ];
}

export async function placing(bench) {
  const { call, env, own, fixture } = await openScene(bench);
  const app = await fixture('place', ['--title', 'Place']);
  const { name } = app.window;
  const moved = lines('bench/peers/move.py', ['Place'], env, own);
  await moved('');
  let step = 0;
  const next = () => 40 + (step++ % 7) * 30;
  const taken = await inRounds(
    { move: () => call('move_window', { name, x: next(), y: next() }), list: () => call('list_windows') },
    {
      wmctrl: async () => Number(await moved(`${next()} ${next()}`)),
      wmctrlList: () => toEnd('wmctrl', ['-lGpx'], { env }),
    },
  );
  await app.end();
  const row = (what, ours, beside, peer) => line({ what, beside, taken, ours, peer });
  return [
    row(
      'move_window, until it is there',
      (ms) => ms.move,
      'wmctrl -e, then waiting until the X server has it there',
      (ms) => ms.wmctrl,
    ),
    row(
      'list_windows',
      (ms) => ms.list,
      'wmctrl -lGpx',
      (ms) => ms.wmctrlList,
    ),
  ];
}

export async function reading(bench) {
  const { call, env, own, fixture } = await openScene(bench);
  const app = await fixture('read', ['--title', 'Read', '--rows', String(ROWS)]);
  const walk = walker(app.child.pid, env, own);
  const limits = { max_nodes: 5000, max_depth: 100, visible_only: false };
  const taken = await inRounds(
    { ours: () => call('get_element_tree', { parent: parentOf(app), ...limits }) },
    { walk },
  );
  await app.end();
  const what = `get_element_tree of ${2 * ROWS} elements and more`;
  const sides = { ours: (ms) => ms.ours, peer: (ms) => ms.walk };
  return [line({ what, beside: 'pyatspi, walking the same tree', taken, ...sides })];
}

function walker(pid, env, own) {
  const next = lines('bench/peers/walk.py', [String(pid), `Row ${ROWS - 20}`], env, own);
  return async () => Number((await next('walk')).split(' ')[1]);
}

export async function watching(bench) {
  const { call, env, own, fixture } = await openScene(bench);
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
  const taken = await inRounds({ ours: () => round(told, heard) }, { peer: () => round(heard, told) });
  await app.end();
  const what = 'an inserted row, until poll_observation tells it';
  const beside = 'pyatspi, which hears of any change and walks the tree';
  return [line({ what, beside, taken, ours: (ms) => ms.ours, peer: (ms) => ms.peer })];
}

export async function recognizing(bench) {
  const { call, env, folder, fixture } = await openScene(bench);
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
  /** A line that was read is not read again wherever it stands: the window is elsewhere each time, its text is the same. */
  const anew = (work) => async () => {
    step += 1;
    const place = `0,${50 + 40 * (step % 20)},${80 + 20 * Math.floor(step / 20)},-1,-1`;
    await toEnd('wmctrl', ['-r', 'Text', '-e', place], { env });
    await pause(300);
    return timed(work);
  };
  const taken = await inRounds({ ours: anew(ours) }, { peer: anew(peer) });
  await app.end();
  const beside = 'ImageMagick import, then tesseract on one thread';
  const sides = { ours: (ms) => ms.ours, peer: (ms) => ms.peer };
  return [line({ what: 'find_text on the whole display, after a window moved', beside, taken, ...sides })];
}
