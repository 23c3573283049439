/** For each test of a file: a host that takes bridges over TCP, and bridges that close with the test. */
import { afterEach, beforeEach } from 'vitest';
import type { HostOptions } from '../../src/main/host/index.js';
import { tokenOf } from './gabp.js';
import { startHost, type TestHost } from './host.js';
import { openBridge, type Bridge } from './raw-gabp.js';

interface Bridges {
  chaperone(): TestHost;
  /** Connected, and nothing said. */
  knock(): Promise<Bridge>;
  /** Has said hello. */
  enter(): Promise<Bridge>;
}

export function eachTcpHost(options: () => Partial<HostOptions> = () => ({})): Bridges {
  let chaperone: TestHost;
  let opened: Bridge[] = [];
  beforeEach(async () => {
    chaperone = await startHost({ tcp: 0, policy: 'unattended', ...options() });
  });
  afterEach(async () => {
    for (const one of opened.reverse()) one.close();
    opened = [];
    await chaperone.close();
  });
  const knock = async (): Promise<Bridge> => {
    const bridge = await openBridge({ port: chaperone.host.tcpPort ?? 0 });
    opened.push(bridge);
    return bridge;
  };
  return {
    chaperone: () => chaperone,
    knock,
    async enter() {
      const bridge = await knock();
      await bridge.hello(tokenOf(chaperone.home));
      return bridge;
    },
  };
}
