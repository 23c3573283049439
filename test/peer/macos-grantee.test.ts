import { expect, it } from 'vitest';
import { readGrantee } from '../../src/native/peer/macos-calls.js';

const granted = (responsible: number | null, program: string | null) =>
  readGrantee({ responsible: () => responsible, processPath: (pid) => (pid === responsible ? program : null) }, 500);

it.each([
  ['/Applications/Chaperone.app/Contents/MacOS/Chaperone', { name: 'Chaperone', path: '/Applications/Chaperone.app' }],
  ['/Applications/Chaperone.app/Contents/Frameworks/Chaperone Helper.app/Contents/MacOS/Chaperone Helper', { name: 'Chaperone', path: '/Applications/Chaperone.app' }],
  ['/System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal', { name: 'Terminal', path: '/System/Applications/Utilities/Terminal.app' }],
  ['/opt/homebrew/bin/node', { name: 'node', path: '/opt/homebrew/bin/node' }],
])('[req:MP-6] the settings list the app that answers for this process: %s', (program, grantee) => {
  expect(granted(400, program)).toEqual(grantee);
}); // prettier-ignore

it('[req:MP-6] nobody is named where the system does not tell', () => {
  expect(granted(null, '/a')).toBeNull();
  expect(granted(400, null)).toBeNull();
});
