/** Stands in for `net.request`: the same requests over Node, failing with Chromium's words. Redirects are not followed. */
import { EventEmitter } from 'node:events';
import { request, type ClientRequest, type RequestOptions } from 'node:http';
import { errno } from '../../../src/base/type-guards.js';

const CHROMIUM: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'net::ERR_CONNECTION_REFUSED',
  ECONNRESET: 'net::ERR_CONNECTION_RESET',
};

class NetRequest extends EventEmitter {
  readonly #request: ClientRequest;

  constructor({ protocol, hostname, port, path, method, headers }: RequestOptions) {
    super();
    const options = { protocol, hostname, port, path, method, headers };
    this.#request = request(Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)));
    this.#request.on('response', (response) => this.emit('response', response));
    this.#request.on('error', (error) =>
      this.emit('error', new Error(CHROMIUM[errno(error) ?? ''] ?? 'net::ERR_FAILED')),
    );
  }
  end(): void {
    this.#request.end();
  }
  abort(): void {
    this.#request.destroy();
  }
}

export const net = { request: (options: RequestOptions) => new NetRequest(options) };
