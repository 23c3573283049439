/** What an HTTP agent tells of answers that were not wholly sent. */
import { expect, test } from 'vitest';
import { createHttpAgent } from '../../../src/main/serve/http/sessions.js';
import { createCallers, unknownPeer } from '../../../src/main/agents/caller.js';
import { createFakeServices } from '../../support/fake-services.js';
import { createProcessTable } from '../../../src/native/peer/index.js';

test.each([
  [true, ['written']],
  [false, ['not received']],
])('an answer that was sent, wholly %s [req:MH-11]', async (whole, told) => {
  const services = createFakeServices();
  const seen: [string, string][] = [];
  services.calls.resultWritten = (_caller, callId) => void seen.push(['written', callId]);
  services.calls.notReceived = (_caller, callId) => void seen.push(['not received', callId]);
  const peer = unknownPeer('test');
  const agent = createHttpAgent(
    {
      ...services,
      makeCaller: createCallers({ processes: createProcessTable() }),
      watchCaller: () => ({ isSame: () => true, close: () => undefined }),
      url: 'http://localhost:1',
    },
    peer,
    { claim: null, profile: 'full' },
  );
  const request = new Request('http://localhost:1/mcp');
  const wait = { signal: new AbortController().signal, onProgress: () => undefined, http: request, id: 1 };
  const answered = agent.backend.call('look', {}, null, wait);
  const [made] = services.made;
  made?.resolve({ content: [] });
  await answered;
  expect(seen).toEqual([]);
  agent.sent(request, whole);
  expect(seen).toEqual(told.map((what) => [what, made?.callId]));
  agent.leave();
});
