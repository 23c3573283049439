/** `chaperone doctor --self-test` on Linux, as a person runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createHome, type Home } from '../support/command.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';

let linux: LinuxDesktop;
let home: Home;
const started: ChildProcess[] = [];

beforeAll(async () => {
  linux = await openLinuxDesktop({ width: 1024, height: 768 });
  home = createHome();
});
afterEach(() => started.splice(0).forEach((child) => child.kill()));
afterAll(async () => {
  await home.close();
  await linux.close();
});

it('tells the person first, and is green where all arrives', async () => {
  const { code, stdout } = await home.run(['doctor', '--self-test'], linux.session.env);
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toContain(`opens a window of its own on ${linux.session.display}`);
  expect(lines.slice(1, -1).map((line) => line.slice(0, 3))).toEqual(Array.from({ length: 15 }, () => 'ok '));
  expect([lines.at(-1), code]).toEqual(['15 work, 0 do not, 0 are not possible here.', 0]);
});

it('asks a person at a terminal, and does nothing unless it is a yes', async () => {
  const typed = (answer: string) => home.type(['doctor', '--self-test'], answer);
  Object.assign(home.env, linux.session.env);
  const [no, yes] = [await typed('n\n'), await typed('y\n')];
  expect([no.code, no.stdout.includes('ok '), yes.code, yes.stdout.includes('ok  clicking')]).toEqual([1, false, 0, true]);
  expect(no.stdout).toContain('The self-test was not started.');
}); // prettier-ignore

it('is red, with what is missing, on an X server that takes no input of programs', async () => {
  const server = spawn('Xvfb', ['-displayfd', '1', '-extension', 'XTEST', '-nolisten', 'tcp'], { stdio: ['ignore', 'pipe', 'ignore'] }); // prettier-ignore
  started.push(server);
  let number = '';
  server.stdout.on('data', (chunk: Buffer) => (number += chunk.toString()));
  await eventually(async () => expect(number).toContain('\n'));
  const { code, stdout, stderr } = await home.run(['doctor', '--self-test'], { DISPLAY: `:${number.trim()}` });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('has no XTEST extension');
});
