import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AuditEntry, ExecutionFacts } from '../../src/main/evidence/audit-entries.js';
import { callsAt } from '../../src/main/evidence/index-build.js';
import { encodeLine, FIRST_PREVIOUS_HASH, scanLog } from '../../src/main/evidence/log-lines.js';
import { OpenCalls } from '../../src/main/evidence/index-state.js';
import { CLICK } from '../support/titles.js';
import { logOf } from '../support/long-record.js';
import { caller, places } from './support.js';

const place = places();
const AT = '2026-11-21T10:00:00.000Z';

const EXECUTIONS = Array.from({ length: 5 }, (_, n): ExecutionFacts => ({
  ...{ executionId: randomUUID(), callId: `call ${n}`, requestId: '"kind":"abandoned"', requestDigest: 'd'.repeat(64) },
  ...{ tool: 'click_element', effect: 'input', protocol: 'mcp', workspace: '/work', dir: null, since: AT },
  subject: { title: CLICK, target: `"executionId":"${n}`, app: 'Mail', place: null },
  agent: caller.agent,
  peer: caller.peer,
})); // prettier-ignore

const ENTRIES: ((execution: ExecutionFacts) => AuditEntry)[] = [
  (execution) => ({ kind: 'begun', at: AT, execution }),
  (execution) => ({ kind: 'started', at: AT, execution, files: [] }),
  (execution) => ({ kind: 'abandoned', at: AT, execution, started: true }),
  (execution) => ({ kind: 'abandoned', at: AT, execution, started: false }),
  (execution) => ({ kind: 'decided', at: AT, executionId: execution.executionId, decision: { kind: 'denied' } }),
  (execution) => ({ kind: 'ended', at: AT, execution, outcome: 'confirmed', verified: null, decision: null, error: null, incomplete: false, files: [] }),
]; // prettier-ignore

const entry = fc
  .tuple(fc.constantFrom(...ENTRIES), fc.constantFrom(...EXECUTIONS))
  .map(([make, execution]) => make(execution));

it('a look at the log finds the same calls as reading it', async () => {
  const { stateDir, open } = await place();
  await (await open()).close();
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 30 }), async (entries) => {
      let hash = FIRST_PREVIOUS_HASH;
      const lines = entries.map((one, index) => {
        const sealed = encodeLine(one, index + 1, hash);
        hash = sealed.hash;
        return sealed.line;
      });
      await writeFile(logOf(stateDir), lines.join(''));
      const read = new OpenCalls();
      await scanLog(logOf(stateDir), { mark: 0, onEntry: (each, _seq, at) => read.apply(each, at) });
      const bytes = Buffer.byteLength(lines.join(''));
      const found = await callsAt(stateDir, bytes, new AbortController().signal);
      expect(found.snapshot()).toEqual(read.snapshot());
    }),
    { numRuns: 60 },
  );
});
