/** Inside a utility process: `process.parentPort`, which keeps messages until somebody listens, and no channel of Node's. It ends with its parent. */
import { EventEmitter } from 'node:events';

const send = process.send.bind(process);
delete process.send;
const [, , modulePath, ...args] = process.argv;
process.argv = [process.argv[0], modulePath, ...args];

const port = new EventEmitter();
const early = [];
const deliver = (data) => port.emit('message', { data, ports: [] });
process.on('message', (message) => (port.listenerCount('message') === 0 ? early.push(message) : deliver(message)));
port.on('newListener', (event) => event === 'message' && queueMicrotask(() => early.splice(0).forEach(deliver)));
port.postMessage = (message) => void send(message);
process.parentPort = port;
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

await import(modulePath);
