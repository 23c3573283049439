/** Every way in which an agent may press a control ends at the same judgement: the person says No, and nothing was pressed. */
import { expect, test } from 'vitest';
import { openSimulated } from '../../../src/native/simulated/index.js';
import type { ElementSpec } from '../../../src/native/simulated/model.js';
import { ALLOWED, createTestPipeline, DENIED, pressed } from '../../support/pipeline.js';

const APP = 'simulated.shop';
const frame = (y: number) => ({ x: 20, y, width: 200, height: 28 });
const never = new AbortController().signal;

function scene(elements: ElementSpec[], focus: string) {
  const desktop = openSimulated();
  const window = { title: 'Shop', frame: { x: 700, y: 60, width: 400, height: 400 }, elements, focus };
  desktop.world.addApp({ id: APP, name: 'Shop', executable: '/bin/shop', windows: [window] });
  return createTestPipeline(async ({ action: { name, effect } }) => {
    const harmless = effect === 'disclose' || name === 'create_macro';
    return harmless ? ALLOWED : DENIED;
  }, desktop);
}
type Scene = ReturnType<typeof scene>;

async function middle({ desktop, world }: Scene, identifier = 'b') {
  const { frame: box } = await desktop.element(world.find(identifier) ?? '', never);
  if (box === null) throw new Error(`${identifier} has no place`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** In pixels of a picture of the window. */
async function inPicture(on: Scene) {
  const [window] = (await on.desktop.windows(never)).filter(({ title }) => title === 'Shop');
  const { value } = await on.run('capture_window_screenshot', {
    window: `applications/${window?.app.pid ?? ''}/windows/${window?.id ?? ''}`,
  });
  const { image } = value as { image: { id: string; scale: number; origin: { x: number; y: number } } };
  const { x, y } = await middle(on);
  return { x: (x - image.origin.x) * image.scale, y: (y - image.origin.y) * image.scale, space: `image:${image.id}` };
}

async function drag(on: Scene) {
  const [from, to] = [await middle(on, 'start'), await middle(on)];
  return on.run('drag', { start_x: from.x, start_y: from.y, end_x: to.x, end_y: to.y });
}

const IN = { parent: `applications/${APP}` };
const HEAD = {
  meta: { schemaVersion: 1, requestId: 'r', workspacePath: '/work', timeoutMs: 60_000 },
  route: { app: { bundleId: APP } },
};
const BY_NAME = { ...IN, identifier: 'b' };
const STEPS = [{ tool: 'click_element', arguments: BY_NAME }];
const key = (name: string) => (on: Scene) => on.run('press_key', { key: name, application: APP });

const WAYS: Readonly<Record<string, (on: Scene) => Promise<unknown>>> = {
  'a point': async (on) => on.run('click', await middle(on)),
  'a point of a picture': async (on) => on.run('click', await inPicture(on)),
  'a double click': async (on) => on.run('click', { ...(await middle(on)), click_count: 2 }),
  'the middle button': async (on) => on.run('click', { ...(await middle(on)), button: 'middle' }),
  'a button that is held': async (on) => on.run('left_mouse_down', await middle(on)),
  'the end of a drag': drag,
  'a selector': (on) => on.run('click_element', BY_NAME),
  'a reference': async (on) => on.run('click_element', { element_id: await on.refer('b') }),
  'an action': async (on) => on.run('perform_element_action', { element_id: await on.refer('b'), action: 'press' }),
  'a plan': (on) => on.run('run_plan', { steps: STEPS }),
  'a macro': async (on) => {
    const { value } = await on.run('create_macro', { display_name: 'Go on', steps: STEPS });
    return on.run('execute_macro', { macro: (value as { name: string }).name });
  },
  'desktop.click': (on) => on.run('desktop.click', { ...HEAD, target: { selector: { identifier: 'b' } } }),
  'desktop.hotkey': (on) => on.run('desktop.hotkey', { ...HEAD, keys: ['enter'] }),
  'desktop.typeText': (on) => on.run('desktop.typeText', { ...HEAD, text: '\n' }),
  'Enter on the focus': key('enter'),
  'the other Enter': key('kpenter'),
  'space on the focus': key('space'),
  'a key that is held': (on) => on.run('hold_key', { key: 'space', duration: 0.1, application: APP }),
  'a line end in a text': (on) => on.run('type_text', { text: 'x\n', application: APP }),
};

/** What the agent presses; `start` is harmless. */
const CONTROLS: Readonly<Record<string, ElementSpec[]>> = {
  'one that pays': [{ role: 'AXButton', title: 'P\u0430y\u200B now', identifier: 'b', frame: frame(200) }],
  'a box that pays': [{ role: 'AXCheckBox', title: 'Pay now 500 EUR', identifier: 'b', frame: frame(200) }],
  'one without a name': [{ role: 'AXButton', identifier: 'b', frame: frame(200) }],
  'one whose name says nothing at a checkout': [
    { role: 'AXHeading', title: 'Checkout', frame: frame(120) },
    { role: 'AXButton', title: 'Continue', identifier: 'b', frame: frame(200) },
  ],
};

test.concurrent.for(Object.entries(CONTROLS).flatMap(([name, specs]) => Object.keys(WAYS).map((way) => [name, way, specs] as const)))(
  '[req:RC-3] %s, by %s: asked about whatever was granted, and not pressed on a No',
  async ([, way, specs]) => {
    const on = scene([{ role: 'AXStaticText', value: 'Weather', identifier: 'start', frame: frame(40) }, ...specs], 'b');
    const refusal: unknown = await WAYS[way]?.(on).then(() => null, (thrown: unknown) => thrown);
    expect(refusal, 'the person said No').toMatchObject({ details: { reason: 'denied' } });
    const last = on.asked.at(-1);
    const plans = [last?.plan, ...(last?.plan?.steps ?? []).map((step) => step.plan)];
    const judged = plans.some((plan) => plan?.unclear === true || plan?.consequence != null);
    expect([judged, last?.action.effect === 'dangerous' || last?.alwaysAsk, pressed(on.world.journal())]).toEqual([true, true, []]);
  },
); // prettier-ignore

const LIST: ElementSpec = {
  role: 'AXComboBox', title: 'What to do', identifier: 'b', value: 'Nothing', frame: frame(200),
  children: [{ role: 'AXRow', title: 'Delete account', identifier: 'option', frame: frame(0) }],
}; // prettier-ignore

test.for<[string, boolean, (on: Scene) => Promise<unknown>]>([
  ['its name is written', true, async (on) => on.run('write_element_value', { element_id: await on.refer('b'), value: 'Delete account' })],
  ['by its letter', true, key('d')],
  ['by an arrow', true, key('down')],
  ['it is pressed', true, async (on) => on.run('click_element', { element_id: await on.refer('option') })],
  ['the list is only left', false, key('tab')],
])('[req:RC-3] an option of a list, %s: dangerous %s', async ([, dangerous, act]) => {
  const on = scene([LIST], 'b');
  await act(on).catch(() => null);
  expect(on.asked.map(({ action }) => action.effect)).toEqual([dangerous ? 'dangerous' : 'input']);
}); // prettier-ignore
