import { expect, test } from 'vitest';
import { windowsIn } from '../../../src/native/linux/wayland/sway-windows.js';

/** As sway 1.7 tells it of a floating window on an output at 1280,100: the place of its title bar counts from the workspace. */
const WINDOW = {
  id: 7,
  pid: 42,
  name: 'Marks',
  app_id: 'gtk-marks',
  visible: true,
  rect: { x: 1311, y: 172, width: 305, height: 205 },
  window_rect: { x: 2, y: 0, width: 301, height: 203 },
  deco_rect: { x: 31, y: 47, width: 305, height: 25 },
};
const workspace = { name: '2', nodes: [], floating_nodes: [WINDOW] };
const TREE = { nodes: [{ nodes: [workspace] }] };

test('a floating window on an output that is not at the origin has its title bar above it', () => {
  const [window] = windowsIn(TREE);
  expect(window?.frame).toEqual({ x: 1311, y: 147, width: 305, height: 230 });
  expect(window?.origin).toEqual({ x: 1313, y: 172 });
});
