/** Does the tasks of one application, each in a newly started one, and judges them by what the application leaves. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, processorMs } from '../../bench/processes.mjs';
import { openScene } from './scene.mjs';

/** How long an application may take to write what it was told to, and to come to rest. */
const JUDGE_MS = 10_000;
const REST_MS = 20_000;
const LOOK_MS = 1_000;
/** Of a second: a blinking caret, and what the application does by itself now and then. */
const IDLE_MS = 60;

/** What came of each task: {task, calls, tokens, seconds, failure}. `together`: in an application that is started once, unless a task fails. */
export async function runTasks(name, application, { user, together = false } = {}) {
  const results = [];
  let scene = null;
  try {
    for (const [index, task] of application.tasks.entries()) {
      console.log(`${name}: ${task.name}`);
      scene ??= await openScene(user, application.denies);
      const quits = !together || index === application.tasks.length - 1;
      const came = await attempt(scene, application, { ...task, index, quits });
      const result = { application: name, task: task.name, ...came };
      results.push(result);
      if (result.failure === null) continue;
      console.log(`  ✗ ${result.failure}`);
      // What it left open is not for the next task.
      scene = await closed(scene, result);
    }
  } finally {
    await closed(scene, results.at(-1) ?? {});
  }
  return results;
}

/** null. A process that stays behind is a failure of the last task. */
async function closed(scene, last) {
  await scene?.close().catch((error) => (last.failure ??= error.message));
  return null;
}

async function attempt(scene, application, task) {
  const place = prepare(scene, { ...task, before: application.home });
  Object.assign(scene.spent, { calls: 0, tokens: 0 });
  const start = performance.now();
  const done = { failure: null };
  try {
    const app = await opened(scene, application, place);
    await follow(scene, task.steps({ ...place, app }));
    Object.assign(done, scene.spent, { seconds: (performance.now() - start) / 1000 });
    await settled(() => task.judge(place));
    if (!task.quits) return done;
    scene.app = null;
    const pid = Number(/\d+/.exec(app)?.[0]);
    await atRest(pid);
    await quit(scene, app, pid, application.discards);
  } catch (error) {
    done.failure = error.message;
  }
  return { ...scene.spent, seconds: (performance.now() - start) / 1000, ...done };
}

/** The name of the application, which is started where it does not run. */
async function opened(scene, { id, start = () => [] }, place) {
  if (scene.app) return scene.app;
  const { name: app } = await scene.call('open_application', { application_id: id });
  await follow(scene, start({ ...place, app }));
  return (scene.app = app);
}

/** What the application is set up with, where it is not there yet. */
function setUp({ home, user }, files) {
  for (const [name, text] of Object.entries(files)) {
    if (existsSync(join(home, name))) continue;
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
    const below = name.split('/').map((_, index, parts) => join(home, ...parts.slice(0, index + 1)));
    for (const path of below) user.give(path);
  }
}

/** Writes the task's files into a folder of its own, and serves its pages. */
export function prepare(scene, { index, files = {}, pages = {}, before = {} }) {
  const { work, home, web, user, ask, told } = scene;
  setUp(scene, before);
  const folder = join(work, `task-${index + 1}`);
  mkdirSync(folder);
  user.give(folder);
  const file = (name) => join(folder, name);
  for (const [name, text] of Object.entries(files)) {
    if (text === null) mkdirSync(file(name));
    else if (typeof text === 'function') text(file(name));
    else writeFileSync(file(name), text);
    user.give(file(name));
  }
  Object.assign(web, { pages, posts: [] });
  told.length = 0;
  return {
    folder,
    file,
    home,
    ask,
    told,
    url: web.url,
    posts: web.posts,
    read: (name) => readFileSync(file(name), 'utf8'),
  };
}

/** A step is a call, or what makes one of the two results before it, the later first; null: nothing is to be done. A list of calls is sent at once. Its third part: the reason of an error that tells what to do next. */
export async function follow({ call }, steps) {
  let [last, earlier] = [{}, {}];
  for (const step of steps) {
    const now = (typeof step === 'function' ? step(last, earlier) : step) ?? [];
    const [name, given, reason] = now;
    if (Array.isArray(name)) {
      await Promise.all(now.map((one) => call(...one)));
      continue;
    }
    if (name === undefined) continue;
    const next = await call(name, given).catch((error) => {
      if (reason !== undefined && error.details?.reason === reason) return error.details;
      throw error;
    });
    [last, earlier] = [next, last];
  }
}

export async function settled(judge) {
  const deadline = performance.now() + JUDGE_MS;
  for (;;) {
    try {
      return await judge();
    } catch (error) {
      if (performance.now() > deadline) throw new Error(`judged: ${error.message}`, { cause: error });
    }
    await pause(100);
  }
}

const used = (pid) => [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + processorMs(one), 0);

async function atRest(pid) {
  const deadline = performance.now() + REST_MS;
  for (;;) {
    const before = used(pid);
    await pause(LOOK_MS);
    const ms = used(pid) - before;
    if (ms <= IDLE_MS) return;
    if (performance.now() > deadline)
      throw new Error(`not at rest: ${Math.round(ms)} ms of processor time in a second`);
  }
}

/** Not counted: the task is done. `discards`: the button that leaves unsaved changes behind, where the application asks about them. */
async function quit({ call, spent }, name, pid, discards) {
  const counted = { ...spent };
  await call('quit_application', { name }).catch((error) => {
    const button = error.details?.dialog?.buttons.find(({ title }) => title === discards);
    if (button === undefined) throw error;
    return call('click_element', { element_id: button.element_id });
  });
  Object.assign(spent, counted);
  await settled(() => {
    if (processorMs(pid) > 0) throw new Error(`process ${pid} has not ended`);
  });
}
