/** What a model reads of 25 tasks: whole answers each time, or what changed since those it has. */
import { callerOf } from './processes.mjs';
import { openScene, parentOf } from './scene.mjs';

const TASKS = 25;
const ROWS = 40;
/** Rough, as for the list of tools. */
const CHARACTERS_PER_TOKEN = 4;
/** As one vendor of models counts a picture. */
const PIXELS_PER_TOKEN = 750;

export async function tokens(bench) {
  const { client, fixture } = await openScene(bench);
  const app = await fixture('tokens', ['--title', 'Tokens', '--rows', String(ROWS)]);
  const call = counting(callerOf(client, bench.stages));
  const look = looker(call, app);
  await look.remember();
  const tasks = [];
  for (let task = 0; task < TASKS; task += 1) {
    const before = await look.at();
    const act = await acts(parentOf(app))[task % 5](call, task);
    const after = await look.at();
    tasks.push({
      texts: [before.tree + act + after.tree, before.wholeTree + act + after.wholeTree],
      pictures: [before.picture + after.picture, before.wholePicture + after.wholePicture],
    });
  }
  await app.end();
  const sum = (pick) => [0, 1].map((side) => tasks.reduce((total, task) => total + pick(task, side), 0));
  return [
    row(
      'tree and act results',
      sum(({ texts }, side) => texts[side]),
    ),
    row(
      'the same with a picture before and after each',
      sum(({ texts, pictures }, side) => texts[side] + pictures[side]),
    ),
  ];
}

const row = (what, [ours, peer]) => ({
  what: `${TASKS} tasks: ${what}`,
  unit: 'tokens',
  beside: 'the same answers told whole',
  ours: [ours],
  peer: [peer],
  again: [peer],
});

/** The result of a call, with the tokens of what a model reads of it. */
function counting(call) {
  return async (name, args) => {
    const result = await call(name, args);
    const text = result.content.map((block) => block.text ?? '').join('\n');
    const value = result.structuredContent ?? result._meta['dev.chaperone/value'];
    const isPicture = result.content.some(({ type }) => type === 'image');
    const { width = 0, height = 0 } = isPicture ? value.image : {};
    return { value, tokens: text.length / CHARACTERS_PER_TOKEN, picture: (width * height) / PIXELS_PER_TOKEN };
  };
}

/** Looks both ways at the same moment; `at` resolves the tokens of each. */
function looker(call, app) {
  const tree = { parent: parentOf(app) };
  let snapshot;
  let image;
  const look = async () => {
    const changes = await call('get_element_tree', { ...tree, ...(snapshot === undefined ? {} : { since: snapshot }) });
    const picture = await call('capture_screenshot', {
      window_id: app.window.name,
      ...(image === undefined ? {} : { if_changed: image }),
    });
    snapshot = changes.value.snapshot;
    image = picture.value.image.id;
    return { changes, picture };
  };
  return {
    remember: look,
    async at() {
      const { changes, picture } = await look();
      const whole = await call('get_element_tree', tree);
      const shot = await call('capture_screenshot', { window_id: app.window.name });
      return {
        tree: changes.tokens,
        picture: picture.tokens + picture.picture,
        wholeTree: whole.tokens,
        wholePicture: shot.tokens + shot.picture,
      };
    },
  };
}

const acts = (parent) => {
  const told = async (made) => (await made).tokens;
  return [
    (call) => told(call('click_element', { parent, role: 'AXCheckBox', title: 'Remind me' })),
    (call, task) => told(call('write_element_value', { parent, title: 'Name', value: `Name ${task}` })),
    (call) => told(call('click_element', { parent, role: 'AXButton', title: 'Ask' })),
    (call) => told(call('click_element', { parent, role: 'AXButton', title: 'Cancel' })),
    (call, task) => told(call('write_element_value', { parent, title: 'Story', value: `Once upon a time ${task}` })),
  ];
};
