import { expect, it } from 'vitest';
import { createFakeHost } from '../support/fake-host.js';
import { rawClient, until, wire } from './support.js';

const RESULT = { content: [{ type: 'text', text: 'yes' }] };
const OPENING = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
};

it('[req:DS-7-1] a client that gave up a call is told to the host also where that and the result passed each other', async () => {
  const host = createFakeHost();
  host.on('call', () => RESULT);
  const wired = wire(host, {});
  const client = rawClient(wired);
  client.send(OPENING);
  await client.answer(1);
  client.send({ id: 2, method: 'tools/call', params: { name: 'send_message', arguments: {} } });
  await client.answer(2);
  client.send({ method: 'notifications/cancelled', params: { requestId: 2, reason: 'timed out' } });
  const said = () => host.asked.filter(({ method }) => method === 'cancel').map(({ params }) => params);
  await until(() => said().length > 0);
  const made = host.asked.find(({ method }) => method === 'call');
  expect(said()).toEqual([{ callId: made?.params['callId'], mode: 'detach', left: true }]);
  await wired.shim.close();
});
