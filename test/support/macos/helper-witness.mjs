/** The helper's own entry, and what is held when its process ends. With `port`, as Electron's utility processes have it. */
import koffi from 'koffi';

const [library, port] = process.argv.slice(2);
const held = koffi.load(library).func('int standin_held_keys()');
process.on('exit', () => process.stderr.write(`held: ${held()}`));
if (port !== undefined) {
  process.parentPort = {
    postMessage: (message) => process.send(message),
    on: (event, listener) => process.on(event, (data) => listener({ data })),
  };
}
await import('../../../dist/native/macos/helper/helper-main.js');
