import { expect, it } from 'vitest';
import { plain } from '../../src/main/cli/plain.js';

it('leaves nothing in a name that a terminal would act on', () => {
  expect(plain('bad\u001b[2J\u009b1m\r\n\u202egnp.exe')).toBe('bad�[2J�1m���gnp.exe');
  expect(plain('Žofie’s Müller – 世界 👋')).toBe('Žofie’s Müller – 世界 👋');
});
