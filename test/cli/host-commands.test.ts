/** `chaperone open`, `restart` and `logs` as a person types them. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHome, type Home } from '../support/command.js';
import { until } from '../shim/support.js';

let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.close());

/** A search path on which every program that opens addresses writes down what it is given. */
function browserPath(): string {
  const bin = join(home.path, 'bin');
  mkdirSync(bin);
  for (const name of ['xdg-open', 'open'])
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$1" > '${join(home.path, 'opened')}'\n`, { mode: 0o755 });
  return `${bin}:${process.env['PATH'] ?? ''}`;
}

const logFile = () => join(home.path, 'state', 'host.log');

it('opens the page in the browser, and starts a host for it', async () => {
  const { code, stdout } = await home.run(['open'], { PATH: browserPath() });
  expect(code).toBe(0);
  const url = readFileSync(join(home.path, 'opened'), 'utf8').trim();
  expect(stdout).toBe(`${url} is open in your browser.\n`);
  expect((await fetch(url)).status).toBe(200);
  expect(home.hosts()).toHaveLength(1);
});

it('says the address where no browser can be started', async () => {
  const { code, stdout } = await home.run(['open'], { PATH: '' });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^No browser could be started\. Open http:\/\/localhost:\d+ yourself\.\n$/);
});

it('starts a host in the background again, and pauses nobody', async () => {
  await home.run(['open'], { PATH: '' });
  const [before] = home.hosts();
  const { code, stdout, stderr } = await home.run(['restart']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Chaperone runs again, in the background: http:\/\/localhost:\d+\n$/);
  expect(home.hosts()).toHaveLength(1);
  expect(home.hosts()).not.toContain(before);
  expect((await home.run(['status'])).stdout).not.toContain('paused');
});

it('leaves a host alone that the person started, and says so', async () => {
  const host = home.start(['host']);
  await until(() => host.stdout().includes('\n'));
  const { code, stderr } = await home.run(['restart']);
  expect(code).toBe(1);
  expect(stderr).toContain('A person started this host, so it keeps running.\nTo start it again, press Ctrl+C');
  expect(host.child.exitCode).toBeNull();
});

it('restarts nothing where nothing runs', async () => {
  const { code, stderr } = await home.run(['restart']);
  expect(code).toBe(3);
  expect(stderr).toContain('No host is running');
  expect(home.hosts()).toEqual([]);
});

it('shows the last lines of the log, and goes on with new ones', async () => {
  expect((await home.run(['logs'])).stderr).toContain('There is no log yet');
  mkdirSync(join(home.path, 'state'), { mode: 0o700 });
  const line = (msg: string) =>
    `${JSON.stringify({ level: 40, time: 0, msg, err: { message: 'disk\u001b[2J full' } })}\n`;
  writeFileSync(logFile(), `${line('first')}${line('second')}Segmentation fault\n`);
  const two = await home.run(['logs', '-n', '2']);
  expect(two.stdout).toBe('1970-01-01T00:00:00.000Z warn second: disk�[2J full\nSegmentation fault\n');
  const following = home.start(['logs', '-n', '0', '--follow']);
  // It has read where the log ends once it waits for more.
  await until(() => {
    appendFileSync(logFile(), line('third'));
    return following.stdout().includes('third');
  });
  expect(following.stdout()).not.toContain('second');
  following.child.kill('SIGINT');
  await following.ended;
});

it('takes no count that is none', async () => {
  const { code, stderr } = await home.run(['logs', '--lines', '-3']);
  expect(code).toBe(2);
  expect(stderr).toContain('--lines takes a whole number, such as 100, not -3.');
});
