/** `node scripts/readme.mjs [start] [test]`: runs these two commands of the README (both, where none is named) as who reads it would; `npm start` until its page answers. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Stop, main, root, run } from './lib/run.mjs';

const PAGE = /^http:\/\/localhost:\d+/;

/** The command as the README has it. */
function written(name) {
  const [command] =
    readFileSync(join(root, 'README.md'), 'utf8').match(new RegExp(`^npm ${name}\\b(?= +#)`, 'm')) ?? [];
  if (command === undefined) throw new Stop(`The README has no \`npm ${name}\`.`);
  return command.split(' ');
}

/** Starts it, looks at its page, and interrupts it as a terminal does. */
async function start() {
  const [program, ...args] = written('start');
  const child = spawn(program, args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const end = () => process.kill(-child.pid, 'SIGINT');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    console.log(line.replace(/#pair=.*/, '#pair=…'));
    const address = PAGE.exec(line)?.[0];
    if (address === undefined) continue;
    const page = await fetch(address);
    const text = await page.text();
    end();
    await ended;
    if (!page.ok || !text.includes('<title>Chaperone'))
      throw new Stop(`\`npm start\` says that its page is at ${address}; there is another.`);
    return 0;
  }
  throw new Stop('`npm start` has ended without a page; the lines above say why.');
}

async function test() {
  const [program, ...args] = written('test');
  return (await run(program, args)).code;
}

const COMMANDS = { start, test };

await main(async (args) => {
  const names = args.length > 0 ? args : Object.keys(COMMANDS);
  for (const name of names) {
    const code = await COMMANDS[name]();
    if (code !== 0) return code;
  }
  return 0;
});
