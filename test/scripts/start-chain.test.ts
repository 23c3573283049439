/** `npm start` as it is: setup, host, link; and a second start while the first one runs. Nothing stands in for anything but the desktop. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHome, type Home } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { openPage } from '../support/person.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.close());

function start() {
  const env = { ...home.env, PATH: process.env['PATH'] ?? '' };
  const child = spawn('npm', ['--silent', 'start', '--', '--backend', 'simulated'], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] }); // prettier-ignore
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, ended, last: () => said.trim().split('\n').slice(-2) };
}

it('[req:AG-START-1] ends with two sentences and a link that pairs, a second one with two sentences and the page', async () => {
  const first = start();
  try {
    await eventually(() => first.last()[1]).toMatch(/^http:\/\/localhost:\d+\/#pair=\S+$/);
    const [sentences, link = ''] = first.last();
    expect(sentences).toMatch(/^Chaperone is running; [^.]+\. Open this link [^.]+:$/);
    const { origin } = new URL(link);

    const second = start();
    expect(await second.ended).toBe(0);
    expect(second.last()).toEqual([expect.stringMatching(/^Chaperone is running already \(pid \d+\)\. Open its page:$/), origin]); // prettier-ignore

    const person = await openPage(origin, link);
    expect(person.seen.findLast(({ type }) => type === 'connected')).toMatchObject({
      role: 'paired',
      command: expect.stringContaining('dist/main/cli/index.js'),
    });
    person.close();
  } finally {
    for (const pid of home.hosts()) process.kill(pid, 'SIGTERM');
    expect(await first.ended).toBe(0);
  }
}, 180_000);
