/** The screens in the answer that opens MCP. Called by whoever has the transport. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Calls the listener with each message before the server gets it. Must be called before the transport is connected. */
export function onEachMessage(transport: Transport, listener: (message: JSONRPCMessage) => void): void {
  const start = transport.start.bind(transport);
  transport.start = () => {
    const receive = transport.onmessage;
    if (receive !== undefined)
      transport.onmessage = (message, extra) => {
        listener(message);
        receive(message, extra);
      };
    return start();
  };
}

/** Adds the screens to the answer to the opening request, under both names that clients read. Without them where they are not available in time. */
export function addScreensToHandshake(transport: Transport, screens: () => Promise<unknown[] | null>): void {
  const openings = new Set<string | number>();
  onEachMessage(transport, (message) => {
    if ('method' in message && 'id' in message && OPENINGS.has(message.method)) openings.add(message.id);
  });
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    if (!('result' in message) || message.id === undefined || !openings.delete(message.id))
      return send(message, options);
    const known = await screens();
    if (known === null) return send(message, options);
    return send(
      { ...message, result: { ...message.result, screens: known, displayInfo: { screens: known } } },
      options,
    );
  };
}
