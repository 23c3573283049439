/** The ways to come to an application: launch over TCP or a socket, launch over stdio, find a running one. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import {
  configPath,
  configProblems,
  isOpenToOthers,
  makeToken,
  portOf,
  readConfig,
  removeConfig,
  writeConfig,
} from '../lib/config.mjs';
import { isUuid } from '../lib/names.mjs';
import { connectTo, Link } from './link.mjs';

const LOOPBACK = '127.0.0.1';
const KILL_AFTER_MS = 3000;
const STDIO_ENVIRONMENT = ['PATH', 'HOME', 'APPDATA', 'SystemRoot', 'LANG', 'TMPDIR'];

/** @returns {Promise<number>} a port which was free a moment ago (see NOTES.md, C4) */
function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen({ host: LOOPBACK, port: 0 }, () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** @param {import("../lib/config.mjs").Config["transport"]} transport */
function connectBy({ type, address }) {
  if (type === 'tcp') return connectTo({ host: LOOPBACK, port: portOf(address) });
  if (type === 'pipe') return connectTo({ path: address });
  return Promise.reject(new Error('An application on stdio can only be reached by the one who launched it'));
}

/** Finds a running application through the configuration file. */
export class FindWay {
  /** @param {{env: Record<string, string>}} options @param {(report: object) => void} report */
  constructor({ env }, report) {
    this.report = report;
    this.path = configPath({ ...process.env, ...env });
    this.token = '';
    this.told = '';
    this.launchId = randomUUID();
    this.mayRetryAuthentication = true;
  }

  async start() {}

  get isGone() {
    return false;
  }

  /** @returns {Promise<Link>} */
  async open() {
    const config = readConfig(this.path);
    const problems = configProblems(config);
    if (isOpenToOthers(this.path)) problems.push('the file MUST be accessible to the current user only (5.4)');
    if (problems.length > 0) {
      const shown = { ...config, token: config?.token === undefined ? undefined : '(hidden)' };
      this.tellOnce({ report: 'violation', level: 'must', rule: 'transport.md 5', problem: problems, received: shown });
    }
    this.token = String(config.token);
    if (isUuid(config.metadata?.launchId)) this.launchId = config.metadata.launchId;
    return connectBy(config.transport);
  }

  /** The file is read before each attempt; the same fault is told once. @param {object} violation */
  tellOnce(violation) {
    const text = JSON.stringify(violation);
    if (text !== this.told) this.report(violation);
    this.told = text;
  }

  kill() {}

  cleanUp() {}
}

/** Launches the command after having written the configuration file. */
export class LaunchWay {
  /**
   * @param {{command: string, args: string[], env: Record<string, string>, transport: "tcp" | "pipe" | "stdio"}} options
   * @param {(report: object) => void} report
   */
  constructor(options, report) {
    this.options = options;
    this.report = report;
    this.path = configPath({ ...process.env, ...options.env });
    this.mayRetryAuthentication = false;
    /** @type {import("node:child_process").ChildProcess | null} */
    this.child = null;
    this.link = null;
  }

  async start() {
    this.cleanUp();
    this.token = makeToken();
    this.launchId = randomUUID();
    this.transport = await this.makeTransport();
    writeConfig(this.path, {
      token: this.token,
      transport: this.transport,
      metadata: { pid: process.pid, startTime: new Date().toISOString(), launchId: this.launchId },
    });
    this.spawn();
  }

  /** @returns {Promise<import("../lib/config.mjs").Config["transport"]>} */
  async makeTransport() {
    const { transport } = this.options;
    if (transport === 'stdio') return { type: 'stdio' };
    if (transport === 'tcp') return { type: 'tcp', address: String(await freePort()) };
    const name = `gabp-${this.launchId}`;
    return { type: 'pipe', address: process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `/tmp/${name}.sock` };
  }

  spawn() {
    const { command, args, env, transport } = this.options;
    const stdio = transport === 'stdio' ? ['pipe', 'pipe', 'pipe'] : ['ignore', 'ignore', 'pipe'];
    const child = spawn(command, args, { stdio, env: { ...this.inherited(), ...env } });
    this.child = child;
    this.ended = false;
    const end = (cause) => {
      if (this.ended) return;
      this.ended = true;
      this.report({ report: 'exit', ...cause });
    };
    child.on('error', (error) => end({ reason: error.message }));
    child.on('exit', (code, signal) => end({ code, signal }));
    createInterface({ input: child.stderr }).on('line', (line) =>
      this.report({ report: 'log', line: this.hide(line) }),
    );
    this.link = transport === 'stdio' ? this.stdioLink(child) : null;
  }

  /** security.md 4.2: over stdio the child inherits a minimal environment. */
  inherited() {
    if (this.options.transport !== 'stdio') return process.env;
    return Object.fromEntries(
      STDIO_ENVIRONMENT.filter((name) => name in process.env).map((name) => [name, process.env[name]]),
    );
  }

  /** @param {string} line */
  hide(line) {
    return line.replaceAll(this.token, '(hidden)');
  }

  stdioLink(child) {
    return new Link({ input: child.stdout, output: child.stdin, close: () => child.stdin.end() });
  }

  get isGone() {
    return this.child === null || this.ended;
  }

  /** @returns {Promise<Link>} */
  async open() {
    if (this.isGone) throw new Error('The application has ended');
    if (this.transport.type !== 'stdio') return connectBy(this.transport);
    if (this.link.closed) throw new Error('The connection over stdio is closed');
    return this.link;
  }

  kill() {
    if (this.isGone) return;
    const { child } = this;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    child.once('exit', () => clearTimeout(timer));
  }

  cleanUp() {
    if (this.token) removeConfig(this.path, this.token);
  }
}
