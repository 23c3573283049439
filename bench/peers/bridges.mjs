/**
 * A program with several GABP connections to the host, each of which reads without a pause, and acts now and then. In: over IPC,
 * how many, for how long, and the milliseconds between acts of each. Out: what each read and act took, in milliseconds.
 */
import { hostPaths, readBridge } from '../../dist/main/host/discovery.js';
import { createProcessTable } from '../../dist/native/peer/index.js';
import { openHostSession } from '../../dist/main/cli/host-client.js';
import { connectUnix } from '../../dist/main/transport/client.js';

const READS = [
  { name: 'list_displays', arguments: {} },
  { name: 'list_windows', arguments: {} },
  { name: 'cursor_position', arguments: {} },
  { name: 'list_applications', arguments: {} },
  { name: 'find_elements', arguments: { role: 'button' } },
];

const bridge = readBridge(hostPaths(process.env));
const processes = createProcessTable();

async function open() {
  const { transport } = await connectUnix({ path: bridge.socket, expectPid: bridge.metadata.pid, processes });
  const session = await openHostSession(transport, { token: bridge.token, name: 'bench', version: '1' });
  const { tools } = await session.request('tools/list', {});
  const gabpName = (name) => tools.find((tool) => tool.name.endsWith(`/${name}`)).name;
  return {
    close: session.close,
    call: ({ name, arguments: args }) => session.request('tools/call', { name: gabpName(name), arguments: args }),
  };
}

async function timed(into, work) {
  const start = performance.now();
  await work();
  into.push(performance.now() - start);
}

async function read({ call }, end, reads, first) {
  for (let turn = first; performance.now() < end; turn += 1) await timed(reads, () => call(READS[turn % READS.length]));
}

async function act({ call }, end, acts, { every, first }) {
  for (let at = performance.now() + first; at < end; at += every) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
    await timed(acts, () => call({ name: 'mouse_move', arguments: { x: 100 + (at % 400), y: 100 } }));
  }
}

process.on('message', async ({ bridges, ms, every }) => {
  const opened = await Promise.all(Array.from({ length: bridges }, open));
  const [reads, acts, end] = [[], [], performance.now() + ms];
  const acting =
    every === null ? [] : opened.map((one, index) => act(one, end, acts, { every, first: (index * every) / bridges }));
  await Promise.all([...opened.map((one, index) => read(one, end, reads, index)), ...acting]);
  for (const { close } of opened) close();
  process.send({ reads, acts });
});
process.send('ready');
