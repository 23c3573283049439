/** The Mach service beside the socket: whether it can be opened, whether it is open, and why not. Built by host/. */
import { errno } from '../../base/type-guards.js';
import { message, textOf, type Message } from '../../messages/index.js';
import type { ServiceAddon } from '../../native/xpc/index.js';
import { BRIDGE_SERVICE } from '../protocol/local-command.js';
import { listenXpc, type XpcOptions } from '../transport/xpc.js';
import type { Listener } from '../transport/unix.js';

/** What the app gives its host: the addon where launchd has started this process for the service, else why there is none. */
export type ServiceOffer =
  | {
      kind: 'available';
      addon: ServiceAddon;
      /** Of callers' code signatures; null: none. */ requirement: string | null;
    }
  | { kind: 'unavailable'; why: Message };

export interface BridgeService {
  /** Null where it is open, or is about to be: nobody is served before. */
  whyClosed(): Message | null;
  /** Never throws: without the service the socket serves. */
  open(options: Omit<XpcOptions, 'addon' | 'service' | 'requirement'>): Listener | null;
}

/** `settings`: the file that holds the requirement. */
export function createBridgeService(offer: ServiceOffer, settings: string): BridgeService {
  let why = offer.kind === 'unavailable' ? offer.why : null;
  return {
    whyClosed: () => why,
    open(options) {
      if (offer.kind === 'unavailable') return null;
      try {
        const { addon, requirement } = offer;
        const listener = listenXpc({ ...options, addon, service: BRIDGE_SERVICE, requirement });
        why = null;
        return listener;
      } catch (error) {
        why =
          errno(error) === 'REQUIREMENT'
            ? message('service.requirement', { file: settings })
            : message('service.failed', { why: textOf(error) });
        return null;
      }
    },
  };
}
