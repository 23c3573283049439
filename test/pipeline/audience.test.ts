import { expect, it } from 'vitest';
import { aboutText, toldOf, withheldError, type Level } from '../../src/main/pipeline/audience.js';
import { targetChanged } from '../../src/main/pipeline/compare.js';
import { coveredError } from '../../src/main/pipeline/target/scope.js';
import { nothingDone } from '../../src/main/pipeline/failures.js';
import { WireError } from '../../src/main/protocol/index.js';
import { message, verbatim } from '../../src/messages/index.js';
import type { Window } from '../../src/native/desktop.js';

const seeing =
  (...levels: Level[]) =>
  (level: Level) =>
    ['machine', 'call', ...levels].includes(level);

const COVER: Window = {
  ...{ id: 'w2', title: 'Payroll 4471', frame: { x: 0, y: 0, width: 9, height: 9 }, focused: false, minimized: false },
  ...{ visible: true, normal: true, documentUrl: null },
  app: { id: 'ledger', name: 'Ledger', pid: 7, startTime: '1', frontmost: true },
};

it('a text is about the widest of what is in it', () => {
  const covered = coveredError('Save', COVER, { x: 1, y: 1 });
  expect(aboutText(covered.text)).toBe('titles');
  expect(aboutText(nothingDone(message('error.out_of_view', { name: 'Save' })))).toBe('app');
  expect(aboutText(nothingDone(message('error.not_animated')))).toBe('call');
  expect(aboutText(message('error.link_open'))).toBe('machine');
  expect(aboutText(verbatim('whatever a program says'))).toBe('screen');
});

it('[req:SG-8] whoever sees one application is not told which other window is in the way', () => {
  const told = toldOf(coveredError('Save', COVER, { x: 1, y: 1 }), seeing('app'));
  expect(told.toJSON()).toEqual(withheldError('DESKTOP_TARGET_CHANGED').toJSON());
  expect(toldOf(coveredError('Save', COVER, { x: 1, y: 1 }), seeing('app', 'titles')).message).toContain('Payroll');
});

it('[req:SG-8] a detail without a place in the table is dropped', () => {
  const error = new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_place', { name: 'Save' }), {
    reason: 'no_place',
    running: ['ledger'],
    unheardOf: 'Payroll 4471',
  });
  expect(toldOf(error, seeing('app')).details).toEqual({ reason: 'no_place' });
});

it('[req:SG-8] what took the place of an approved window is told only where it is of the same process', () => {
  const title = { part: 'window' as const, field: 'title', approved: 'Notes', now: 'Notes 2' };
  const pid = { part: 'window' as const, field: 'pid', approved: 5, now: 7 };
  expect(toldOf(targetChanged([title]), seeing('app')).details['drift']).toEqual([
    { what: 'window title', approved: 'Notes', now: 'Notes 2' },
  ]);
  expect(toldOf(targetChanged([title, pid]), seeing('app')).details['drift']).toEqual([
    { what: 'window title', approved: 'Notes' },
    { what: 'window pid', approved: 5 },
  ]);
});
