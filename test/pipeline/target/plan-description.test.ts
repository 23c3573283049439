import { expect, test } from 'vitest';
import type { Element, Window } from '../../../src/native/desktop.js';
import { takesLines } from '../../../src/main/pipeline/target/plans.js';

const STATES = { editable: true, secure: false, enabled: true, visible: true, focused: true };
const ELEMENT = { pid: 7, role: 'AXTextArea', nativeRole: 'text', states: STATES };
const APP = { pid: 7, id: 'org.xfce.mousepad', name: 'Mousepad', program: '/usr/bin/mousepad' };
const WINDOW = { id: '1', documentUrl: null };
const takes = (element: object, app: object = {}, window: object = {}) =>
  takesLines({ ...ELEMENT, ...element } as unknown as Element, { ...WINDOW, app: { ...APP, ...app }, ...window } as unknown as Window); // prettier-ignore

test('a line break is text in a text area of a toolkit', () => {
  expect(takes({})).toBe(true);
  expect(takes({}, { id: 'simulated.notes', name: 'Notes', program: '/simulated/bin/notes' })).toBe(true);
});

test.each<[string, object, object?, object?]>([
  ['a field of one line', { role: 'AXTextField' }],
  ['a terminal in any application', { nativeRole: 'terminal' }],
  ['a paragraph of a document', { nativeRole: 'paragraph' }],
  ['a text area of macOS, which tells no more', { nativeRole: 'AXTextArea' }],
  ['a text that cannot be edited', { states: { ...STATES, editable: false } }],
  ['a secret', { states: { ...STATES, secure: true } }],
  ['another process in the window', { pid: 8 }],
  ['a text area of a page', { document: { url: 'https://a.example/' } }],
  ['a text area in a window that shows documents', {}, {}, { documents: { complete: true, urls: [] } }],
  ['a text area in a window that shows a page', {}, {}, { documentUrl: 'https://a.example/' }],
  ['a chat', {}, { id: 'pidgin', name: 'Pidgin', program: '/usr/bin/pidgin' }],
  ['a chat that calls itself an editor', {}, { program: '/usr/bin/pidgin' }],
  ['a program that writes mail', {}, { id: 'claws-mail', name: 'Claws Mail' }],
  ['a terminal', {}, { id: 'xfce4-terminal', name: 'Terminal' }],
  ['a terminal by another of its names', {}, { otherIds: ['kitty'] }],
  ['an editor of code', {}, { id: 'code', name: 'Visual Studio Code' }],
  ['a launcher', {}, { id: 'rofi', name: 'rofi' }],
  ['a password manager', {}, { id: 'org.keepassxc.KeePassXC', name: 'KeePassXC' }],
])('it is no text in %s', (_what, element, app, window) => {
  expect(takes(element, app, window)).toBe(false);
});

test('nor where no element or window is known', () => {
  expect(takesLines(null, { ...WINDOW, app: APP } as unknown as Window)).toBe(false);
  expect(takesLines(ELEMENT as unknown as Element, null)).toBe(false);
});
