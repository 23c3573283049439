/**
 * A GABP bridge (the client), driven by lines of JSON.
 *
 *   node bridge.mjs '<options>'
 *
 * Options, one JSON object:
 *   way            "launch" | "stdio" | "find"                              (required)
 *   transport      "tcp" | "pipe"; for "launch", default "tcp"
 *   command, args  what to launch, for "launch" and "stdio"
 *   env            extra environment of the child. HOME (APPDATA) in it also moves the configuration file, because
 *                  the specification names its place by the home folder and offers no other way.
 *   gameId         a name, told again in reports; the specification has no such thing on the wire
 *   attention      default true: subscribe to attention/* and ask attention/current after each welcome
 *   autoReconnect  default true: reconnect after a loss while the application lives (not over stdio)
 *   backoff        {"baseMs": 200, "maxMs": 5000}
 *   maxAttempts    default 12, for connecting and for reconnecting
 *
 * "launch" and "stdio" make a new token for each launch, write the configuration file (transport.md 5) and start
 * the command. "find" reads that file, again before each attempt. No report holds a token.
 *
 * Orders, one JSON object a line on standard input. "tag" may be anything; the reply repeats it.
 *   {"order":"launch"} or {"order":"connect"}   both start what the options say; reply after the handshake
 *   {"order":"request","method":…,"params":…,"timeoutMs":…,"force":true}
 *        Refused without "force" when the application does not offer the method, when a blocking attention item is
 *        open (not for attention/*, events/*, tools/list, resources/list) or when a limit is passed.
 *        Without timeoutMs: limits.requestTimeout and a second, or 30 s.
 *   {"order":"subscribe","channels":[…]}, {"order":"unsubscribe","channels":[…]}
 *   {"order":"acknowledge","attentionId":…}     without an id: the current item
 *   {"order":"disconnect"}    closes the connection; the child lives on (over stdio it loses its input)
 *   {"order":"reconnect"}     closes, launches again when the child is gone, connects again
 *   {"order":"kill"}          ends the child (SIGTERM, after 3 s SIGKILL)
 *   {"order":"exit"} or the end of the input: closes, ends the child, removes the configuration file it wrote
 *
 * Reports, one JSON object a line on standard output; each has "report" and "at" (milliseconds since 1970).
 *   welcome       resumed, sameInstance (same agentId as before), gameId, welcome: the result of session/hello
 *   answer        tag, order, result: the reply to an order that succeeded ("result" may be null)
 *   error         tag, order, reason: "error" (with error: the GABP error object), "timeout", "lost", "refused",
 *                 "failed" or "unmatched" (an error response with the nil UUID); message and details
 *   event         channel, seq, payload, id, timestamp
 *   gap           kind "gap" | "restart", channel, expected, seq, missing, cause: "stream" or "not subscribed meanwhile"
 *   lost          reason, reconnecting
 *   retry         attempt, waitMs, reason: a connection attempt failed, the next one follows
 *   resubscribed  channels: subscriptions made by the bridge itself after a welcome
 *   attention     current: the answer of attention/current after a welcome
 *   late          an answer that came after its timeout
 *   violation     level "must" | "should", rule: the place in the specification, problem, received
 *   exit          code and signal, or reason: the child has ended
 *   log           line: a line of the child's standard error
 */
import { createInterface } from 'node:readline';
import { Controller, describe } from './bridge/controller.mjs';

/** @param {object} report */
function tell(report) {
  process.stdout.write(`${JSON.stringify({ at: Date.now(), ...report })}\n`);
}

const DEFAULTS = {
  transport: 'tcp',
  args: [],
  env: {},
  gameId: 'game',
  attention: true,
  autoReconnect: true,
  backoff: { baseMs: 200, maxMs: 5000 },
  maxAttempts: 12,
};

/** @param {string | undefined} text */
function readOptions(text) {
  const options = { ...DEFAULTS, ...JSON.parse(text ?? '{}') };
  if (!['launch', 'stdio', 'find'].includes(options.way)) throw new Error('way must be launch, stdio or find');
  if (options.way !== 'find' && !options.command) throw new Error('command is missing');
  return options;
}

/** @type {Record<string, (controller: Controller, order: any) => unknown>} */
const ORDERS = {
  launch: (controller) => controller.connect(),
  connect: (controller) => controller.connect(),
  request: (controller, order) => controller.request(order),
  subscribe: (controller, { channels, timeoutMs }) => controller.subscribe(channels, timeoutMs),
  unsubscribe: (controller, { channels, timeoutMs }) => controller.unsubscribe(channels, timeoutMs),
  acknowledge: (controller, { attentionId }) => controller.acknowledge(attentionId),
  disconnect: (controller) => controller.disconnect(),
  reconnect: (controller) => controller.reconnect(),
  kill: (controller) => controller.kill(),
};

/** @param {Controller} controller @param {any} order */
async function carryOut(controller, order) {
  const { order: name, tag } = order;
  try {
    if (!Object.hasOwn(ORDERS, name)) throw new Error('There is no such order');
    const result = (await ORDERS[name](controller, order)) ?? null;
    tell({ report: 'answer', tag, order: name, result });
  } catch (error) {
    tell({ report: 'error', tag, order: name, ...describe(error) });
  }
}

function main() {
  const controller = new Controller(readOptions(process.argv[2]), tell);
  const input = createInterface({ input: process.stdin });
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    await controller.finish();
    process.exit(0);
  };
  input.on('line', (line) => {
    if (!line.trim()) return;
    let order;
    try {
      order = JSON.parse(line);
    } catch {
      tell({ report: 'error', reason: 'failed', message: 'An order is one JSON object a line' });
      return;
    }
    if (order?.order === 'exit') end();
    else carryOut(controller, order ?? {});
  });
  input.on('close', end);
  process.on('SIGTERM', end);
}

try {
  main();
} catch (error) {
  tell({ report: 'error', reason: 'failed', message: error.message });
  process.exitCode = 2;
}
