import { describe, expect, it } from 'vitest';
import { message } from '../../../src/messages/index.js';
import { DesktopError } from '../../../src/native/desktop.js';
import { findKeyboardFocus, FocusedRow } from '../../../src/native/linux/atspi/keyboard-focus.js';
import { ROLE, STATE } from '../../../src/native/linux/atspi/accessible-object.js';
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

  it('is the button, not the current row of a list or the current tab, of which Qt says the same', () => {
    const button: Part = { name: 'send', role: ROLE.pushButton, states: [focused] };
    const row: Part = { name: 'letter', role: ROLE.tableCell, states: [focused] };
    const tab: Part = { name: 'general', role: ROLE.pageTab, states: [focused] };
    expect(inWindow(button, { name: 'letters', role: ROLE.tree, parts: [row] }, { name: 'bar', parts: [tab] })).toBe(
      'send',
    );
    const tree = { name: 'letters', role: ROLE.tree, states: [focused], parts: [row] };
    expect(inWindow(tree, { name: 'bar', parts: [tab] })).toBe('letter');
    expect(inWindow({ name: 'letters', role: ROLE.tree, parts: [row] }, { name: 'bar', parts: [tab] })).toBe('letter');
    expect(inWindow(page('site', [showing, focused], { name: 'letters', parts: [row] }))).toBe('letter');
    expect(inWindow({ name: 'bar', states: [focused], parts: [tab] }, { name: 'letters', parts: [row] })).toBe(
      'general',
    );
  });

  it('is not the input line of Calc, which goes on to say that it has the focus, but what has it beside it', () => {
    const paragraph = (name: string): Part => ({ name, role: ROLE.paragraph, states: [focused, editable] });
    const tools = (...parts: Part[]): Part => ({ name: 'formula', role: ROLE.toolBar, parts: [...parts, paragraph('line')] }); // prettier-ignore
    const sheet: Part = { name: 'sheet', role: ROLE.table, states: [focused, editable] };
    expect(inWindow(tools({ name: 'box', states: [focused], parts: [field('name box')] }))).toBe('name box');
    expect(inWindow(tools(), sheet)).toBe('sheet');
    expect(inWindow({ name: 'cell', parts: [paragraph('in the cell')] }, tools())).toBe('in the cell');
    expect(inWindow(tools())).toBe('line');
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

describe('the row of a tree that has the focus, of which Qt makes another object at each question', () => {
  /** `places`: the parent and the index of each object; none for one that is gone. */
  const rows = (places: Record<string, [string, number]>) => {
    const placeOf = async ({ path }: { path: string }) => {
      const place = places[path];
      if (place === undefined) throw new DesktopError('stale', message('native.app_slow'));
      return place;
    };
    return new FocusedRow({
      property: async (ref) => [ref.bus, (await placeOf(ref))[0]],
      call: async (ref) => [(await placeOf(ref))[1]],
    });
  };
  const named = (row: FocusedRow, path: string, role: number = ROLE.treeItem) =>
    row.nameOf({ ref: { bus: ':1.1', path }, role }, AbortSignal.timeout(10_000));

  it('keeps its first name while both are at the same place', async () => {
    const row = rows({ '/1': ['/tree', 4], '/2': ['/tree', 4], '/3': ['/tree', 4] });
    const first = await named(row, '/1');
    expect([await named(row, '/2'), await named(row, '/3'), await named(row, '/1')]).toEqual([first, first, first]);
  });

  it.each<[string, Record<string, [string, number]>, number]>([
    ['in another place of the tree', { '/1': ['/tree', 4], '/2': ['/tree', 5] }, ROLE.treeItem],
    ['at the same place of another tree', { '/1': ['/tree', 4], '/2': ['/other', 4] }, ROLE.treeItem],
    ['in the place of one that is gone', { '/2': ['/tree', 4] }, ROLE.treeItem],
    ['nowhere in the tree', { '/1': ['/tree', -1], '/2': ['/tree', -1] }, ROLE.treeItem],
    ['no row', { '/1': ['/tree', 4], '/2': ['/tree', 4] }, ROLE.pushButton],
  ])('is another one that is %s', async (_, places, role) => {
    const row = rows(places);
    await named(row, '/1', role);
    expect(await named(row, '/2', role)).toBe(':1.1/2');
  });
});
