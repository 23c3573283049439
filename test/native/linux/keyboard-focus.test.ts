import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../../src/native/desktop.js';
import { findKeyboardFocus } from '../../../src/native/linux/atspi/keyboard-focus.js';
import { ROLE } from '../../../src/native/linux/atspi/roles.js';
import { STATE } from '../../../src/native/linux/atspi/states.js';
import { snapshotOf, type Part } from '../../support/snapshots.js';

const { focused, showing, editable } = STATE;
const page = (name: string, states: number[], ...parts: Part[]): Part => ({ name, role: ROLE.documentWeb, states, parts }); // prettier-ignore
const field = (name: string): Part => ({ name, role: ROLE.entry, states: [focused, editable] });
const inWindow = (...parts: Part[]) =>
  findKeyboardFocus(snapshotOf({ name: 'window', role: ROLE.frame, states: [focused, showing], parts }))?.item.name ??
  null;

describe('[req:EG-1] who keys of a window go to', () => {
  it('is the focused element, not the window that has the focus too', () => {
    expect(inWindow({ name: 'box', parts: [field('name')] })).toBe('name');
    expect(inWindow({ name: 'box' })).toBeNull();
  });

  it('is the field of a document that shows', () => {
    expect(inWindow(page('site', [showing], field('search')))).toBe('search');
  });

  it('is not the field of a document in another tab', () => {
    expect(inWindow(page('site', [], field('search')))).toBeNull();
    expect(inWindow(page('other', [], field('password')), page('site', [showing], field('search')))).toBe('search');
  });

  it('is the browser’s own address field, also while the document names one of its own', () => {
    expect(inWindow(field('address'), page('site', [showing], field('search')))).toBe('address');
    expect(inWindow(page('site', [showing], field('search')), field('address'))).toBe('address');
  });

  it('is the document’s field where only what is around the document has the focus too', () => {
    const around: Part = { name: 'web view', states: [focused], parts: [page('site', [showing], field('search'))] };
    expect(inWindow(around)).toBe('search');
  });

  it('is the field of a frame in a document, which is no other document', () => {
    const frames = page('site', [showing], field('search'), page('frame', [showing], field('card number')));
    expect(inWindow(frames)).toBe('card number');
  });

  it('is the text, where its viewport has the focus too', () => {
    expect(inWindow({ ...field('text'), parts: [{ name: 'viewport', states: [focused] }] })).toBe('text');
  });
});

it('[req:EG-2] two documents that each say they have the keyboard: nobody is chosen, and both are named', () => {
  const both = () => inWindow(page('left', [showing], field('a')), page('right', [showing], field('b')));
  expect(both).toThrow(DesktopError);
  expect(both).toThrow(
    expect.objectContaining({ code: 'not_found', details: expect.objectContaining({ documents: ['left', 'right'] }) }),
  );
});
