import { expect, test } from 'vitest';
import { createAttention } from '../../src/main/agents/attention.js';
import { watchHealth } from '../../src/main/host/health.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { message } from '../../src/messages/index.js';

const NOTE = message('display.none');

test.each([
  [true, { note: NOTE, issues: [] }],
  [false, { note: null, issues: [{ title: NOTE, fix: message('health.run_doctor') }] }],
])(
  '[req:AG-PLAIN-1] what stands in for a display is a fault only where one should be there (harmless: %j)',
  async (harmless, expected) => {
    const desktop = openSimulated();
    const options = { desktop, version: '1', backend: 'linux (virtual)', display: ':9', note: NOTE, harmless };
    const log = (thrown: unknown) => expect.fail(String(thrown));
    const health = watchHealth({ ...options, attention: createAttention(), log });
    try {
      await health.refresh();
      expect(health.now()).toMatchObject(expected);
    } finally {
      health.close();
      await desktop.close();
    }
  },
);
