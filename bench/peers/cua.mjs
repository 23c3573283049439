/**
 * cua-driver moves the pointer. Argument: the folder it is installed in. Does the move of each line, and says how many milliseconds it took.
 * It is not asked to click or press keys: after its first click the window manager gave no window the focus any more.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);
const entry = join(folder, 'node_modules/@trycua/cua-driver/dist/index.js');
const { CuaDriver } = await import(pathToFileURL(entry).href);
const driver = CuaDriver.create(undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const [x, y] = line.split(' ').map(Number);
  const start = performance.now();
  const result = JSON.parse((await driver.callTool('move_cursor', JSON.stringify({ x, y, scope: 'desktop' }))).rawJson);
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  console.log(performance.now() - start);
}
process.exit(0);
