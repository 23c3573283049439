/** The pointer tools, judged by a window that writes down each raw event, on a real desktop through the real shim. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';
import { watchDisplay, type DisplayWatch, type RawEvent, type RawWindow } from '../../support/sentinel.js';

let scene: InputScene;
let raw: RawWindow;
let sentinel: RawWindow;
let display: DisplayWatch;

beforeAll(async () => {
  scene = await openInputScene();
  raw = await scene.raw({ title: 'Raw', place: { x: 60, y: 60 } });
  sentinel = await scene.raw({ title: 'Sentinel', place: { x: 700, y: 60 } });
  display = await watchDisplay(scene.env);
});
afterAll(async () => {
  await display.close();
  await scene.close();
});
beforeEach(async () => {
  await raw.forget();
  await sentinel.forget();
  await display.forget();
});

const AT = { x: 200, y: 200 };
const told = (kinds: RawEvent['event'][], count: number) =>
  eventually(async () => (await raw.events(...kinds)).length).toBe(count);
const strays = () => sentinel.events('press', 'release', 'scroll', 'keydown', 'keyup', 'motion');

for (const [button, number] of [
  ['left', 1],
  ['middle', 2],
  ['right', 3],
  ['back', 8],
  ['forward', 9],
] as const)
  test(`[req:MT-T-click] case 19: the ${button} button arrives as button ${number}`, async () => {
    const { value } = await scene.act('click', { ...AT, button });
    expect(value).toMatchObject({ clicked: true, point: AT });
    await told(['release'], 1);
    expect(await raw.events('press', 'release')).toMatchObject([
      { event: 'press', button: number, ...AT, modifiers: [] },
      { event: 'release', button: number, ...AT },
    ]);
    expect(await strays()).toEqual([]);
  });

test('[req:MT-T-click] case 19: a triple click arrives as three, a double click as two', async () => {
  await scene.act('click', { ...AT, click_count: 3 });
  await told(['triple'], 1);
  expect(await raw.events('press', 'double', 'triple')).toMatchObject(
    ['press', 'press', 'double', 'press', 'triple'].map((event) => ({ event, button: 1 })),
  );
  await raw.forget();
  await scene.act('click', { x: 300, y: 260, click_count: 2 });
  await told(['double'], 1);
  expect(await raw.events('triple')).toEqual([]);
});

test('[req:MT-T-click] modifiers are held while clicking, in both spellings, and lifted', async () => {
  await scene.act('click', { ...AT, modifiers: ['shift', 'control'] });
  await scene.act('click', { ...AT, keys: ['Control'] });
  await told(['release'], 2);
  expect((await raw.events('press')).map(({ modifiers }) => modifiers)).toEqual([['shift', 'ctrl'], ['ctrl']]);
  await scene.act('click', { x: 260, y: 300 });
  await told(['press'], 3);
  expect((await raw.events('press')).at(-1)?.modifiers).toEqual([]);
});

test('[req:MT-T-click] case 18: points outside are refused in words, fractions are points, and no event is sent', async () => {
  for (const point of [
    { x: -100, y: 100 },
    { x: 1e12, y: -1e12 },
    { x: 100, y: 1e5 },
  ])
    expect(await scene.fails('click', point)).toMatch(/no window at/);
  // Something no JSON number can be arrives as null.
  expect(await scene.fails('click', { x: Number.NaN, y: Number.POSITIVE_INFINITY })).toMatch(/x: .*number/);
  expect(await display.disturbances()).toMatchObject({ motions: 0, presses: 0, keys: 0 });
  await scene.act('click', { x: 200.7, y: 200.2 });
  await told(['press'], 1);
  expect(await raw.events('press')).toMatchObject([AT]);
});

test('[req:MT-T-click] what is meant for another application is refused', async () => {
  const said = await scene.fails('click', { ...AT, application: `applications/${sentinel.pid}` });
  expect(said).toContain('“Raw”');
  expect(await raw.events('press')).toEqual([]);
});

test('[req:MT-T-mouse_move] moves at once, or smoothly through what lies between', async () => {
  await scene.act('mouse_move', { x: 100, y: 120 });
  await raw.forget();
  const { value } = await scene.act('mouse_move', { x: 400, y: 300, smooth: true, duration_ms: 200 });
  expect(value).toMatchObject({
    moved: true,
    point: { x: 400, y: 300 },
    effect: 'confirmed',
    before: { x: 100, y: 120 },
  });
  await eventually(async () => (await raw.events('motion')).at(-1)).toMatchObject({ x: 400, y: 300 });
  const between = (await raw.events('motion')).filter(({ x = 0 }) => x > 120 && x < 380);
  expect(between.length).toBeGreaterThan(3);
  expect(await raw.events('press')).toEqual([]);
  expect((await display.disturbances()).activations).toBe(0);
  expect(await scene.fails('mouse_move', { x: 5000, y: 10 })).toMatch(/lies on no display/);
});

test('[req:MT-T-hover] stays at the point for a while', async () => {
  const before = performance.now();
  const { value } = await scene.act('hover', { x: 220, y: 180, duration: 0.4 });
  expect(performance.now() - before).toBeGreaterThan(400);
  expect(value).toMatchObject({ hovered: true, point: { x: 220, y: 180 } });
  await eventually(async () => (await raw.events('motion')).at(-1)).toMatchObject({ x: 220, y: 180, held: [] });
});

test('[req:MT-T-scroll] case 20: each direction arrives as said, in steps that are told', async () => {
  const turned = async (args: Record<string, unknown>) => {
    await raw.forget();
    const { value } = await scene.act('scroll', { ...AT, ...args });
    const steps = Math.abs(value['steps_x'] as number) + Math.abs(value['steps_y'] as number);
    await told(['scroll'], steps);
    return (await raw.events('scroll')).map(({ direction }) => direction);
  };
  expect(await turned({ delta_y: 3 })).toEqual(['down', 'down', 'down']);
  expect(await turned({ delta_y: -2 })).toEqual(['up', 'up']);
  expect(await turned({ delta_x: 2 })).toEqual(['right', 'right']);
  expect(await turned({ delta_x: -1 })).toEqual(['left']);
  expect(await turned({ vertical: 2 })).toEqual(['up', 'up']);
  expect(await turned({ horizontal: 1, vertical: -1 })).toEqual(['down', 'right']);
  expect(await turned({ delta_y: 220, unit: 'pixels' })).toEqual(['down', 'down']);
  expect(await turned({ delta_y: 1, unit: 'pixels', modifiers: ['ctrl'] })).toEqual(['down']);
  expect((await raw.events('scroll')).at(-1)?.modifiers).toEqual(['ctrl']);
  expect(await scene.fails('scroll', { ...AT, delta_y: 0 })).toMatch(/moves nothing/);
  expect(await scene.fails('scroll', { x: 200, delta_y: 1 })).toMatch(/x and y together/);
});

test('[req:MT-T-scroll] without a point it scrolls where the pointer is', async () => {
  await scene.act('mouse_move', AT);
  const { value } = await scene.act('scroll', { delta_y: 1 });
  expect(value).toMatchObject({ steps_x: 0, steps_y: 1, point: AT });
  await told(['scroll'], 1);
  expect(await raw.events('scroll')).toMatchObject([AT]);
});

test('[req:MT-T-drag] drags through all points with the button down, and lets go at the last', async () => {
  const path = [
    { x: 100, y: 150 },
    { x: 300, y: 150 },
    { x: 300, y: 300 },
    { x: 150, y: 300 },
  ];
  const { value } = await scene.act('drag', { path, button: 'middle', modifiers: ['shift'], duration_ms: 300 });
  expect(value).toMatchObject({ dragged: true, from: path[0], to: path.at(-1) });
  await told(['release'], 1);
  const events = await raw.events('press', 'motion', 'release');
  expect(events.filter(({ event }) => event === 'press')).toMatchObject([
    { button: 2, ...path[0], modifiers: ['shift'] },
  ]);
  expect(events.at(-1)).toMatchObject({ event: 'release', button: 2, ...path.at(-1) });
  const dragged = events.filter(({ event, held }) => event === 'motion' && held?.includes(2));
  for (const corner of path.slice(1)) expect(dragged).toContainEqual(expect.objectContaining(corner));
  expect(dragged.length).toBeGreaterThan(8);
  expect(await strays()).toEqual([]);
});

test('[req:MT-T-drag] start and end in the other spelling; half a drag is refused', async () => {
  await scene.act('drag', { start_x: 120, start_y: 200, end_x: 320, end_y: 220, duration: 0.1 });
  await told(['release'], 1);
  expect(await raw.events('release')).toMatchObject([{ x: 320, y: 220 }]);
  expect(await scene.fails('drag', { start_x: 120, start_y: 200, end_x: 320 })).toMatch(
    /start_x, start_y, end_x and end_y/,
  );
  expect(await scene.fails('drag', { path: [{ x: 1, y: 1 }] })).toMatch(/path/);
  expect(await scene.fails('drag', { start_x: 120, start_y: 200, end_x: -5, end_y: 9000 })).toMatch(
    /lies on no display/,
  );
});

test('[req:MT-T-drag] case 21: dragging a title bar moves the window by as much', async () => {
  const { name } = await scene.window('Sentinel');
  await scene.act('focus_window', { name });
  const before = await scene.window('Sentinel');
  const grip = { start_x: before.x + 60, start_y: before.y + 8 };
  const { value } = await scene.act('drag', { ...grip, end_x: grip.start_x + 150, end_y: grip.start_y + 120 });
  await eventually(async () => {
    const after = await scene.window('Sentinel');
    return Math.max(Math.abs(after.x - before.x - 150), Math.abs(after.y - before.y - 120));
  }).toBeLessThanOrEqual(10);
  expect(value['effect']).toBe('confirmed');
});

test('[req:MT-T-gesture] case 20: a gesture is checked, then refused with what to use instead', async () => {
  const at = { center_x: 200, center_y: 200 };
  expect(await scene.fails('gesture', { ...at, gesture_type: 'pinch', scale: 2 })).toMatch(
    /DESKTOP_UNSUPPORTED.*\n.*scroll/,
  );
  expect(await scene.fails('gesture', { ...at, gesture_type: 'wave' })).toMatch(/pinch.*force_touch/s);
  expect(await scene.fails('gesture', { ...at, gesture_type: 'swipe', direction: 'away' })).toMatch(/direction/);
  expect(await display.disturbances()).toMatchObject({ motions: 0, presses: 0 });
});
