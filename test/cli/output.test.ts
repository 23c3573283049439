import { expect, it } from 'vitest';
import { terminalSafe } from '../../src/main/cli/failure.js';

it('leaves nothing in a name that a terminal would act on', () => {
  expect(terminalSafe('bad\u001b[2J\u009b1m\r\n\u202egnp.exe')).toBe('bad�[2J�1m���gnp.exe');
  expect(terminalSafe('Žofie’s Müller – 世界 👋')).toBe('Žofie’s Müller – 世界 👋');
});
