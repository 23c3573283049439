/**
 * cua-driver, in the delivery mode that brings the window to the front: the default one refuses most of these acts on X11. Arguments: the
 * folder it is installed in, and the beginning of the window's title. Does the act of each line, and says how many milliseconds it took;
 * on a busy machine it refuses some, which are not counted.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, title] = process.argv.slice(2);
const entry = join(folder, 'node_modules/@trycua/cua-driver/dist/index.js');
const { CuaDriver } = await import(pathToFileURL(entry).href);
const driver = CuaDriver.create(undefined);

async function tool(name, args) {
  const result = JSON.parse((await driver.callTool(name, JSON.stringify(args))).rawJson);
  if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}

const { windows } = await tool('list_windows', {});
const window = windows.find((one) => one.title.startsWith(title));
const at = { pid: window.pid, window_id: window.window_id, delivery_mode: 'foreground' };
const ACTS = {
  click: (x, y) => tool('click', { ...at, x, y }),
  wheel: (x, y) => tool('scroll', { ...at, x, y, direction: 'down', amount: 3 }),
  left: () => tool('press_key', { ...at, key: 'left' }),
  move: (x, y) => tool('move_cursor', { x, y, scope: 'desktop' }),
};

async function msUntilDone(work, attempts = 10) {
  const start = performance.now();
  try {
    await work();
    return performance.now() - start;
  } catch (error) {
    if (attempts === 1) throw error;
    return msUntilDone(work, attempts - 1);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [act, ...place] = line.split(' ');
  console.log(await msUntilDone(() => ACTS[act](...place.map(Number))));
}
process.exit(0);
