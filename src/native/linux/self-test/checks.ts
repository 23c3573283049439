/** One check for each ability: it sends a real event to the test window, and the window says whether it arrived. In the order in which they run. */
import { poll } from '../../../base/poll.js';
import { isSame } from '../../../base/rect.js';
import { DesktopError, type MouseButton } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { KEYSYMS } from '../keysyms.js';
import { cornerIn, isGone } from './picture.js';
import {
  centreOf,
  forget,
  isNear,
  isSameList,
  keysymsOf,
  look,
  ownWindow,
  pointAt,
  Red,
  type Scene,
  typedIn,
  untilHeard,
  whileFocused,
  whileOver,
  wrongPlace,
} from './scene.js';
import { BUTTON_NAME, type Mark } from './window.js';

/** Resolves where it arrived. */
type Check = (scene: Scene) => Promise<void>;

const TEXT = 'Grüße, €5, 中文, 🙂';
const COPIED = 'Chaperone self-test: Grüße 🙂';
const MARKS: readonly Mark['name'][] = ['top left', 'top right', 'bottom left', 'bottom right', 'button'];
const LIMITS = { maxDepth: 10, maxNodes: 100, timeoutMs: 5000 };
/** A title bar and a border are no part of the window, and a place may be rounded. */
const NEAR_FRAME = 2;

const windows: Check = async (scene) => void (await ownWindow(scene));

const focus: Check = async (scene) => {
  const { desktop, window, signal } = scene;
  await desktop.focusWindow((await ownWindow(scene)).id, signal);
  const told = async (): Promise<true | null> => {
    await window.settle();
    return window.state().focused ? true : null;
  };
  if ((await poll(told, scene.arrivesMs, signal, 20)) === null) throw new Red(message('self_test.no_focus'));
};

const picture: Check = async (scene) => {
  const seen = await poll(() => look(scene), scene.arrivesMs, scene.signal, 50);
  if (seen === null) throw new Red(message('self_test.covered'));
};

const elements: Check = async (scene) => {
  const { desktop, signal } = scene;
  const objects = await scene.objects();
  const { onScreen } = centreOf(scene, 'button');
  const find = async () => {
    const scope = { pid: process.pid, windowId: (await ownWindow(scene)).id };
    const { elements: found } = await desktop.find(scope, { titleContains: BUTTON_NAME }, 1, LIMITS, signal);
    return found[0] ?? null;
  };
  const button = await poll(() => find().catch(() => null), scene.arrivesMs, signal, 50);
  if (button?.frame == null) throw new Red(message('self_test.no_elements'));
  const { x, y, width, height } = button.frame;
  const middle = { x: x + width / 2, y: y + height / 2 };
  if (!isNear(middle, onScreen)) throw new Red(wrongPlace(onScreen, middle));
  await desktop.performAction(button.id, 'AXPress', signal);
  if (objects.presses() !== 1) throw new Red(notArrived('AXPress'));
};

const pointer: Check = async (scene) => {
  for (const name of MARKS) await pointAt(scene, name);
};

const click: Check = async (scene) => {
  const { desktop, signal } = scene;
  for (const button of ['left', 'right', 'middle'] satisfies MouseButton[]) {
    const at = await pointAt(scene, button === 'left' ? 'top left' : 'button');
    await forget(scene);
    await press(scene, button);
    const arrived = (down: boolean) => (heard: Awaited<ReturnType<typeof untilHeard>>) =>
      heard.some((one) => one.kind === 'button' && one.button === button && one.down === down && isNear(one.at, at));
    await untilHeard(scene, `${button} click`, (heard) => arrived(true)(heard) && arrived(false)(heard));
  }
  await desktop.releaseAll();
  signal.throwIfAborted();
};

async function press({ desktop, signal, ...scene }: Scene, button: MouseButton): Promise<void> {
  const guard = whileOver({ desktop, signal, ...scene });
  await desktop.button(button, true, guard, signal);
  await desktop.button(button, false, guard, signal);
}

const scroll: Check = async (scene) => {
  const { desktop, signal } = scene;
  await pointAt(scene, 'button');
  for (const y of [3, -2]) {
    await forget(scene);
    await desktop.scroll({ x: 0, y }, whileOver(scene), signal);
    await untilHeard(
      scene,
      `scroll ${y}`,
      (heard) => sumOf(heard.map((one) => (one.kind === 'scroll' ? one.y : 0))) === y,
    );
  }
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const drag: Check = async (scene) => {
  const { desktop, signal } = scene;
  const from = await pointAt(scene, 'top left');
  await forget(scene);
  await desktop.button('left', true, whileOver(scene), signal);
  await pointAt(scene, 'button');
  const to = await pointAt(scene, 'bottom right');
  await desktop.button('left', false, whileOver(scene), signal);
  await untilHeard(scene, 'drag', (heard) => {
    const steps = heard.flatMap((one) => (one.kind === 'button' ? [one] : []));
    const [down, up] = steps;
    return (
      steps.length === 2 && down?.down === true && isNear(down.at, from) && up?.down === false && isNear(up.at, to)
    );
  });
};

const keys: Check = async (scene) => {
  const { desktop, signal } = scene;
  const guard = whileFocused(scene);
  await forget(scene);
  for (const chord of [['a'], ['left'], ['shift', 'b']]) {
    for (const name of chord) await desktop.key(name, true, guard, signal);
    for (const name of chord.toReversed()) await desktop.key(name, false, guard, signal);
  }
  const wanted = [...keysymsOf('a'), KEYSYMS.get('left') ?? 0, ...keysymsOf('B')];
  await untilHeard(scene, 'A, Left, Shift+B', (heard) => isSameList(typedIn(heard), wanted));
};

const text: Check = async (scene) => {
  await forget(scene);
  await scene.desktop.typeText(TEXT, whileFocused(scene), scene.signal);
  await untilHeard(scene, TEXT, (heard) => isSameList(typedIn(heard), keysymsOf(TEXT)));
};

/** What is held goes up again, also where a caller has forgotten it. */
const release: Check = async (scene) => {
  const { desktop, signal } = scene;
  await forget(scene);
  await desktop.key('shift', true, whileFocused(scene), signal);
  await desktop.releaseAll();
  const shift = (down: boolean) => (one: { kind: string; keysym?: number; down?: boolean }) =>
    one.kind === 'key' && one.keysym === KEYSYMS.get('shift') && one.down === down;
  await untilHeard(scene, 'Shift', (heard) => heard.some(shift(true)) && heard.some(shift(false)));
};

const clipboard: Check = async (scene) => {
  const { desktop, window, signal } = scene;
  const before = await desktop.readClipboard(signal);
  // It would end with this program.
  if (Object.keys(before).length > 0) throw new DesktopError('unsupported', message('self_test.clipboard_in_use'));
  try {
    await desktop.writeClipboard({ text: COPIED }, signal);
    const pasted = await poll(
      async () => ((await window.paste(signal)) === COPIED ? true : null),
      scene.arrivesMs,
      signal,
      50,
    );
    if (pasted === null) throw new Red(notArrived(COPIED));
  } finally {
    await desktop.writeClipboard({}, signal);
  }
};

const place: Check = async (scene) => {
  const { desktop, window, signal } = scene;
  const { id, frame } = await ownWindow(scene);
  const before = centreOf(scene, 'top left').onScreen;
  const size = { ...window.state().size };
  const wanted = { x: frame.x + 40, y: frame.y + 30, width: frame.width + 30, height: frame.height + 20 };
  const granted = await desktop.setWindowFrame(id, wanted, signal);
  const [wide, high] = [size.width + granted.width - frame.width, size.height + granted.height - frame.height];
  const moved = async (): Promise<true | null> => {
    await window.settle();
    const { width, height } = window.state().size;
    const corner = await look(scene);
    const [x, y] = [before.x + granted.x - frame.x, before.y + granted.y - frame.y];
    if (corner === null || width !== wide || height !== high) return null;
    return isNear(centreOf(scene, 'top left').onScreen, { x, y }) ? true : null;
  };
  if (isSame(granted, frame)) throw new Red(message('self_test.not_moved'));
  if ((await poll(moved, scene.arrivesMs, signal, 50)) === null) throw new Red(message('self_test.not_moved'));
  const within = (one: number, other: number): boolean => Math.abs(one - other) <= NEAR_FRAME;
  if (!within(granted.x, wanted.x) || !within(granted.y, wanted.y)) throw new Red(wrongPlace(wanted, granted));
};

const minimise: Check = async (scene) => {
  const { desktop, window, signal } = scene;
  const { id, frame } = await ownWindow(scene);
  const { size } = window.state();
  const pictured = () => desktop.capture({ kind: 'region', rect: frame }, signal);
  await desktop.setWindowMinimized(id, true, signal);
  const gone = await poll(async () => (isGone(await pictured(), size) ? true : null), scene.arrivesMs, signal, 50);
  await desktop.setWindowMinimized(id, false, signal);
  const back = await poll(async () => cornerIn(await pictured(), size) ?? look(scene), scene.arrivesMs, signal, 50);
  if (gone === null || back === null) throw new Red(message('self_test.not_minimised'));
};

const close: Check = async (scene) => {
  const { desktop, window, signal } = scene;
  const asked = desktop.closeWindow((await ownWindow(scene)).id, signal).catch((thrown: unknown) => thrown);
  await untilHeard(scene, 'close', (heard) => heard.some(({ kind }) => kind === 'close'));
  await window.close();
  const thrown = await asked;
  if (thrown !== undefined) throw thrown;
};

const notArrived = (sent: string) => message('self_test.not_arrived', { sent, any: 'other', arrived: '' });

export const CHECKS = {
  ...{ windows, focus, picture, elements, pointer, click, scroll, drag },
  ...{ keys, text, release, clipboard, place, minimise, close },
} satisfies Record<string, Check>;

export type Ability = keyof typeof CHECKS;
