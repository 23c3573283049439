/** The helper of the product, on a small scripted desktop that it makes itself. A `script` message before `open` asks for faults. */
import koffi from 'koffi';
import { serveHelper } from '../../../dist/native/macos/helper/serve.js';

let faults = {};

const port = process.parentPort;
serveHelper({
  post: (message) => (port === undefined ? process.send(message) : port.postMessage(message)),
  onMessage: (listener) =>
    (port ?? process).on('message', (received) => {
      const message = port === undefined ? received : received.data;
      if (message.type === 'script') {
        faults = message;
        return;
      }
      // Hangs as in a call of the system that nobody asked for.
      if (message.type === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      if (message.type === 'open') prepare(message.libraries.accessibility);
      listener(message);
    }),
});
process.once('disconnect', () => process.exit());

function prepare(library) {
  if (!library.endsWith('.so')) return;
  const handle = koffi.load(library);
  const func = (prototype) => handle.func(prototype);
  const addApp = func('int standin_add_app(int, str, str, long)');
  const addElement = func('int standin_add_element(int)');
  const text = func('void standin_text(int, str, str, int)');
  const addWindow = func('void standin_add_window(uint32_t, int, int, int, double, double, double, double)');
  func('void standin_add_display(uint32_t, str, double, double, double, double, double, uint32_t)')(1, 'Built-in', 0, 0, 800, 600, 2, 0); // prettier-ignore
  for (const [pid, name] of [[5_000_501, faults.browser ? 'Google Chrome' : 'First'], [5_000_502, 'Second']]) {
    const app = addApp(pid, name, `com.example.${name}`, 0);
    text(app, 'AXRole', 'AXApplication', 0);
    if (faults.browser) func('void standin_boolean(int, str, int, int)')(app, 'AXEnhancedUserInterface', 0, 1);
    const window = addElement(app);
    text(window, 'AXRole', 'AXWindow', 0);
    text(window, 'AXTitle', `${name} window`, 0);
    func('void standin_frame_mode(int, int)')(window, 1);
    addWindow(pid - 5_000_430, pid, window, 0, 10, 10, 400, 300);
    const field = addElement(window);
    text(field, 'AXRole', 'AXTextField', 0);
    text(field, 'AXTitle', 'Name', 0);
    text(field, 'AXValue', 'old', pid === 5_000_501 ? 1 : 2);
    const page = addElement(window);
    text(page, 'AXRole', 'AXWebArea', 0);
    text(page, 'AXURL', 'https://hidden.example/', 0);
    if (!faults.browser || pid !== 5_000_501) text(addElement(page), 'AXRole', 'AXLink', 0);
  } // prettier-ignore
  func('void standin_set_front(int)')(5_000_501);
  if (faults.untrusted) func('void standin_trust(int)')(0);
  if (faults.block !== undefined) func('void standin_block(int)')(faults.block);
  if (faults.crash !== undefined) func('void standin_crash(int)')(faults.crash);
}
