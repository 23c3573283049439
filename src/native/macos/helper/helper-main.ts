/** Started as a process of its own under Node. It ends with the host: its channel is then closed. */
import { serveHelper } from './serve.js';

serveHelper({
  post: (message) => void process.send?.(message),
  onMessage: (listener) => void process.on('message', listener),
});
process.once('disconnect', () => process.exit());
