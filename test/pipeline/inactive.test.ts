/** Acts on a window that has not the focus, and paints itself anew once it has. */
import { describe, expect, test } from 'vitest';
import type { SimulatedDesktop } from '../../src/native/simulated/index.js';
import { ALLOWED, createTestRooms, failure } from '../support/rooms.js';

/** The corner of the field that gets a ring with the focus. */
const FIELD = { x: 160, y: 130 };
type Rooms = ReturnType<typeof createTestRooms>;

const behind = (change: (world: SimulatedDesktop['world']) => void = () => undefined): Rooms => {
  const rooms: Rooms = createTestRooms(async () => {
    change(rooms.world);
    return ALLOWED;
  });
  rooms.world.person.focus(rooms.world.find('note') ?? '');
  return rooms;
};
const mail = async ({ desktop }: Rooms) =>
  (await desktop.windows(new AbortController().signal)).find(({ title }) => title === 'New Message');
const clicks = ({ world }: Rooms) => world.journal().filter(({ event }) => event === 'pointer');

describe('a target that was shown in a window without the focus', () => {
  test('is clicked at the first try, though its window looks different once it has the focus [req:DS-6-10]', async () => {
    const rooms = behind();
    expect((await mail(rooms))?.focused).toBe(false);
    const result = await rooms.run('click', FIELD);
    expect(result.value).toMatchObject({ clicked: true });
    expect((await mail(rooms))?.focused).toBe(true);
    expect(new Set(clicks(rooms).map(({ control }) => control))).toEqual(new Set(['to']));
  });

  test('is clicked as the first step of a plan as well', async () => {
    const rooms = behind();
    await rooms.run('run_plan', { steps: [{ tool: 'click', arguments: FIELD }] });
    expect(new Set(clicks(rooms).map(({ control }) => control))).toEqual(new Set(['to']));
  });

  test('is refused where it looked different before it had the focus', async () => {
    const rooms = behind((world) => world.change(world.find('to') ?? '', { value: 'mallory@example.org' }));
    const error = await failure(rooms.run('click', FIELD));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(error.details['drift']).toMatchObject([{ what: 'pixels' }]);
    expect(clicks(rooms)).toEqual([]);
  });

  test('is refused where it is called something else by then', async () => {
    const rooms = behind((world) => world.change(world.find('to') ?? '', { title: 'Blind copy' }));
    expect((await failure(rooms.run('click', FIELD))).code).toBe('DESKTOP_TARGET_CHANGED');
    expect(clicks(rooms)).toEqual([]);
  });

  test('is refused where the window had the focus by then and looks different', async () => {
    const rooms = behind((world) => world.person.focus(world.find('to') ?? ''));
    const error = await failure(rooms.run('click', FIELD));
    expect(error.details['drift']).toMatchObject([{ what: 'pixels' }]);
    expect(clicks(rooms)).toEqual([]);
  });
});

describe('a target that looks different by the time of the act', () => {
  const BY_GRANT = { ...ALLOWED, by: 'grant' as const };
  const changing = (decision: typeof ALLOWED | typeof BY_GRANT, change: (world: SimulatedDesktop['world']) => void) => {
    const rooms: Rooms = createTestRooms(async () => {
      change(rooms.world);
      return decision;
    });
    return rooms;
  };
  const late = (world: SimulatedDesktop['world']) => world.change(world.find('to') ?? '', { value: 'ada@example.org' });
  const renamed = (world: SimulatedDesktop['world']) => world.change(world.find('to') ?? '', { title: 'Blind copy' });

  test('is acted on where a grant decided: nobody was shown a picture', async () => {
    const rooms = changing(BY_GRANT, late);
    expect((await rooms.run('click', FIELD)).value).toMatchObject({ clicked: true });
    expect(new Set(clicks(rooms).map(({ control }) => control))).toEqual(new Set(['to']));
  });

  test('is refused there too where it is called something else', async () => {
    const rooms = changing(BY_GRANT, renamed);
    expect((await failure(rooms.run('click', FIELD))).code).toBe('DESKTOP_TARGET_CHANGED');
    expect(clicks(rooms)).toEqual([]);
  });

  test('is refused where a person decided by what they saw', async () => {
    const rooms = changing(ALLOWED, late);
    expect((await failure(rooms.run('click', FIELD))).details['drift']).toMatchObject([{ what: 'pixels' }]);
    expect(clicks(rooms)).toEqual([]);
  });
});
