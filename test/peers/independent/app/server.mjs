/** The ways to reach the application (transport.md 1, security.md 4). */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { audit } from './audit.mjs';
import { Connection } from './connection.mjs';
import { APP, Game } from './game.mjs';

const MAX_CONNECTIONS = 10;
const LOOPBACK = '127.0.0.1';

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text).digest();

export class Application {
  /** @param {string} token only its digest is kept */
  constructor(token) {
    this.tokenDigest = digest(token);
    this.agentId = `cinderhold-mod-${randomUUID()}`;
    this.app = APP;
    this.game = new Game();
    /** @type {Set<Connection>} */
    this.connections = new Set();
    /** @type {(() => void)[]} */
    this.cleanups = [];
  }

  /** @param {unknown} token */
  isToken(token) {
    return typeof token === 'string' && timingSafeEqual(digest(token), this.tokenDigest);
  }

  /** @param {import("node:net").Socket} socket */
  accept(socket) {
    if (this.connections.size >= MAX_CONNECTIONS) {
      audit('connection', 'failure', { reason: 'too many connections' });
      socket.on('error', () => {});
      socket.destroy();
      return;
    }
    audit('connection', 'success');
    socket.setNoDelay?.(true);
    this.connections.add(new Connection({ input: socket, output: socket, close: () => socket.destroySoon() }, this));
  }

  /** @param {(server: import("node:net").Server) => void} listen */
  serve(listen) {
    const server = createServer({ allowHalfOpen: false }, (socket) => this.accept(socket));
    this.cleanups.push(() => server.close());
    return new Promise((done, fail) => {
      server.once('error', fail);
      server.once('listening', () => done(server));
      listen(server);
    });
  }

  /**
   * @param {number} port 0 for any free port
   * @returns {Promise<number>} the port
   */
  async listenTcp(port) {
    const server = await this.serve((it) => it.listen({ host: LOOPBACK, port, exclusive: true }));
    const bound = server.address();
    if (bound.address !== LOOPBACK) throw new Error('The server is not bound to the loopback interface only');
    return bound.port;
  }

  /** @param {string} path */
  async listenPipe(path) {
    const before = process.umask(0o177);
    try {
      await this.serve((server) => server.listen(path));
    } finally {
      process.umask(before);
    }
    if (process.platform === 'win32') return;
    chmodSync(path, 0o600);
    this.cleanups.push(() => rmSync(path, { force: true }));
  }

  /** Standard input and output; the process ends with the only connection. */
  useStdio() {
    const close = () => process.stdout.write('', () => process.exit(0));
    this.connections.add(new Connection({ input: process.stdin, output: process.stdout, close }, this));
  }

  stop() {
    for (const connection of [...this.connections]) connection.close('the application ends');
    for (const cleanup of this.cleanups) cleanup();
  }
}
