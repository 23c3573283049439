/**
 * A host on a virtual desktop that asks its person, and that person's page, in one process: a page of an agent's process may not be
 * paired. argv: its folder. Prints a line once it can be asked; then reads the effect of a request in each line, allows the next of
 * that effect (a desktop: one of the agent's own), and prints when the answer left, in nanoseconds of CLOCK_MONOTONIC.
 */
import { once } from 'node:events';
import { webcrypto } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { WebSocket } from 'ws';
import { hostPaths } from '../../dist/main/host/discovery.js';
import { createHost } from '../../dist/main/host/index.js';
import { signedText } from '../../dist/main/protocol/index.js';
import { root } from '../../scripts/lib/run.mjs';

const [folder] = process.argv.slice(2);
/** A request takes no answer for half a second, nor for a second after input that a program made. */
const UNTIL_READ_MS = 1_200;
/** So that the next agent asks for a desktop, and does not go on with that of the one before. */
const GRACE_MS = 50;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

const host = await createHost({
  paths: hostPaths({ CHAPERONE_HOME: folder }),
  workspaceRoot: folder,
  backend: 'linux',
  display: 'virtual',
  narrow: false,
  background: false,
  ownDesktopGraceMs: GRACE_MS,
  assets: join(root, 'dist/renderer'),
  env: process.env,
  // Otherwise each call of an agent is one that some other program makes for it, and asks.
  shim: { command: process.execPath, args: [join(root, 'dist/main/cli/index.js'), 'mcp'] },
  log: pino({ level: 'silent' }),
});
const page = await openPage(host.pairingLink());
const looking = async () => {
  for (;;) await page.allow('disclose');
};
looking().catch(() => undefined);
process.stdout.write('ready\n');
for await (const effect of createInterface({ input: process.stdin }))
  process.stdout.write(`${await page.allow(effect)}\n`);
await host.close();
process.exit(0);

/** A page without a browser, paired with `link`. `allow` answers the next request of that effect, and resolves when the answer left, in nanoseconds of CLOCK_MONOTONIC. */
async function openPage(link) {
  const { host, origin, hash } = new URL(link);
  const socket = new WebSocket(`ws://${host}/ws`, { origin });
  const next = reader(socket);
  const send = (message) => socket.send(JSON.stringify(message));
  await once(socket, 'open');
  const { nonce } = await next(({ type }) => type === 'connected');
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const { x, y } = await webcrypto.subtle.exportKey('jwk', keys.publicKey);
  send({ type: 'pair', code: hash.replace('#pair=', ''), publicKey: { kty: 'EC', crv: 'P-256', x, y } });
  const { keyId } = await next(({ type }) => type === 'paired');
  const text = new TextEncoder().encode(signedText(origin, host, nonce));
  const signed = await webcrypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, keys.privateKey, text);
  send({ type: 'authenticate', keyId, signature: Buffer.from(signed).toString('base64url') });
  await next(({ type, role }) => type === 'connected' && role === 'paired');
  return {
    async allow(effect) {
      const { approval } = await next(
        ({ type, approval }) => type === 'approvalRequested' && approval.effect === effect,
      );
      await pause(UNTIL_READ_MS);
      const { id, digest } = approval;
      send({ type: 'press', id, digest });
      const at = process.hrtime.bigint();
      const desktop = approval.desktops === true ? { desktop: 'own' } : {};
      send({ type: 'approval', id, digest, decision: 'allow', ...desktop });
      const told = await next((one) => one.id === id || one.about === id);
      if (told.type !== 'approvalResolved') throw new Error(`the Allow did not count: ${JSON.stringify(told)}`);
      return at;
    },
  };
}

/** Resolves with the first message that fits and was not taken before. */
function reader(socket) {
  const unread = [];
  const waiting = new Set();
  socket.on('message', (data) => {
    unread.push(JSON.parse(String(data)));
    for (const look of [...waiting]) look();
  });
  return (fits) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const at = unread.findIndex(fits);
        if (at < 0) return;
        waiting.delete(look);
        resolve(unread.splice(at, 1)[0]);
      };
      waiting.add(look);
      socket.once('close', () => reject(new Error('the page was closed')));
      look();
    });
}
