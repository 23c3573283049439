import { describe, expect, test } from 'vitest';
import { movedPoints, stepsAtOnce, wheelDirection } from '../../../src/main/pipeline/target/scroll-into-view.js';
import type { Element, Rect } from '../../../src/native/desktop.js';

const AREA: Rect = { x: 0, y: 100, width: 400, height: 300 };
const DOWN = { x: 0, y: 1 };
const UP = { x: 0, y: -1 };

function element(path: number[], frame: Rect | null, role = 'AXButton', editable = false): Element {
  const states = { enabled: true, visible: frame !== null, focused: false, editable, secure: false, checked: null, selected: null, expanded: null }; // prettier-ignore
  const rest = { title: '', description: '', nativeRole: '', identifier: '', value: null, actions: [] };
  return { ...rest, id: path.join('/'), pid: 1, role, frame, states, path };
}
const at = (y: number, x = 10): Rect => ({ x, y, width: 100, height: 20 });

describe('[req:SV-3] the wheel', () => {
  test('turns towards where the middle of the element is, and no more once that shows', () => {
    expect(wheelDirection(element([0, 1], at(500)), AREA, [])).toEqual(DOWN);
    expect(wheelDirection(element([0, 1], at(20)), AREA, [])).toEqual(UP);
    expect(wheelDirection(element([0, 1], at(200, 700)), AREA, [])).toEqual({ x: 1, y: 0 });
    expect(wheelDirection(element([0, 1], at(200, -300)), AREA, [])).toEqual({ x: -1, y: 0 });
    expect(wheelDirection(element([0, 1], at(200)), AREA, [])).toBeNull();
  });

  test('goes by the order of the tree where nothing tells the place, by the nearest relatives that show', () => {
    const bar = element([0, 9], at(100), 'AXScrollBar');
    const shown = [element([0, 0], at(100)), element([0, 0, 4], at(150)), element([0, 0, 5], at(180)), bar];
    expect(wheelDirection(element([0, 0, 7], null), AREA, shown)).toEqual(DOWN);
    expect(wheelDirection(element([0, 0, 1, 3], null), AREA, shown)).toEqual(UP);
    expect(wheelDirection(element([0, 0, 7], null), AREA, [])).toBeNull();
    expect(wheelDirection(element([0, 0, 5], null), AREA, [...shown, element([0, 0, 6], at(200))])).toBeNull();
  });

  test('makes several steps at once only as far as no field can come under the pointer', () => {
    const pointer = { x: 50, y: 110 };
    const field = element([0, 0], at(160), 'AXTextField', true);
    const beside = element([0, 1], at(160, 200), 'AXIncrementor');
    expect(stepsAtOnce(pointer, DOWN, AREA, [], null)).toBe(1);
    expect(stepsAtOnce(pointer, DOWN, AREA, [beside], 40)).toBe(4);
    expect(stepsAtOnce(pointer, DOWN, AREA, [field], 40)).toBe(1);
    expect(stepsAtOnce(pointer, UP, AREA, [field], 40)).toBe(1);
    expect(stepsAtOnce({ x: 50, y: 390 }, UP, AREA, [beside], 40)).toBe(4);
    expect(stepsAtOnce({ x: 50, y: 390 }, UP, AREA, [element([0, 2], at(300), 'AXSlider')], 40)).toBe(1);
  });

  test('measures a step by what shows before and after it', () => {
    expect(movedPoints([element([0, 1], at(200))], [element([0, 1], at(160)), element([0, 2], at(200))])).toBe(40);
    expect(movedPoints([element([0, 1], null)], [element([0, 1], at(160))])).toBe(0);
  });
});
