/** Started as a process of its own, under Node or as Electron's utility process. It ends with the host: its channel is then closed. */
import { serveHelper } from './serve.js';
import type { FromHelper, ToHelper } from './messages.js';

/** Of Electron's utility processes; its messages come in an event. */
interface ParentPort {
  postMessage(message: FromHelper): void;
  on(event: 'message', listener: (event: { data: ToHelper<never> }) => void): void;
}

const { parentPort }: { parentPort?: ParentPort } = process;
if (parentPort === undefined) {
  const helper = serveHelper({
    post: (message) => void process.send?.(message),
    onMessage: (listener) => void process.on('message', listener),
  });
  const end = async (): Promise<void> => {
    helper.letGo();
    await helper.close();
  };
  process.once('disconnect', () => void end().finally(() => process.exit()));
} else {
  serveHelper({
    post: (message) => parentPort.postMessage(message),
    onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
  });
}
