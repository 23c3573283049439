import { expect, test } from 'vitest';
import type { Element } from '../../../src/native/desktop.js';
import { hitOf, recogniseControl } from '../../../src/main/pipeline/consequence/recognise.js';

const STATES = { enabled: true, visible: true, focused: false, editable: false, secure: false, checked: null, selected: null, expanded: null }; // prettier-ignore

const element = (role: string, more: Partial<Element> = {}): Element => ({
  id: role, pid: 1, role, nativeRole: '', title: '', description: '', value: null, frame: null, states: STATES, actions: [], path: [], identifier: '', ...more,
}); // prettier-ignore

const page = { document: { url: 'https://shop.example/' } };
const kind = (chain: readonly Element[], names: readonly string[], says: string | null = null) =>
  recogniseControl({ hit: hitOf(chain), names, identifiers: [], says });

test('[req:RC-1] names are read on whatever acts: buttons, links, items, boxes, tabs, and texts of a page', () => {
  for (const role of ['AXButton', 'AXLink', 'AXMenuItem', 'AXMenuButton', 'AXCheckBox', 'AXRadioButton', 'AXDisclosureTriangle'])
    expect([role, kind([element(role)], ['Delete account'])]).toEqual([role, 'delete']); // prettier-ignore
  for (const role of ['AXStaticText', 'AXHeading'])
    expect([role, kind([element(role, page)], ['Order with obligation to pay'])]).toEqual([role, 'pay']);
  expect(kind([element('AXButton')], ['500 €'])).toBe('pay');
  expect(kind([element('AXButton')], [], 'Send now')).toBe('send');
});

test('[req:RC-1] what is edited, moved or opened is no such control, and data is one only by a short name', () => {
  for (const role of ['AXTextField', 'AXTextArea', 'AXSlider', 'AXScrollBar', 'AXComboBox', 'AXMenu'])
    expect([role, kind([element(role)], ['Delete account'])]).toEqual([role, null]);
  const cell = element('AXCell', page);
  expect(kind([element('AXStaticText', page), cell], ['Send me the report'])).toBeNull();
  expect(kind([element('AXStaticText', page), cell], ['Pay the invoice of May'])).toBe('pay');
  expect(kind([element('AXRow')], ['Delete'])).toBeNull();
  expect(kind([element('AXRow', { actions: ['AXPress'] })], ['Delete'])).toBe('delete');
});

test('[req:RC-1] an area, a picture and a drawing are no controls; what is around them may be one', () => {
  const part = (...chain: Element[]) => hitOf(chain).part;
  for (const role of ['AXWebArea', 'AXGroup', 'AXWindow', 'AXScrollArea', 'AXImage', 'AXUnknown', 'AXList'])
    expect([role, part(element(role, { title: 'Board' }))]).toEqual([role, 'area']);
  const canvas = element('AXGroup', { nativeRole: 'canvas', ...page });
  expect(part(canvas, element('AXRow', page))).toBe('area');
  expect(part(canvas, element('AXButton', page))).toBe('press');
  expect(part(element('AXImage', { nativeRole: 'icon', title: 'Notes.txt' }))).toBe('choose');
  expect(part(element('AXStaticText', { ...page, states: { ...STATES, editable: true } }))).toBe('edit');
});
