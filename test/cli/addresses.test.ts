/** What the command line prints of where a host listens: what each address is for, and no token unasked. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHome, type Home } from '../support/command.js';
import { eventually } from '../support/eventually.js';

let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.close());

test('[req:NC-7] where tells the token only to whoever asks for it, as SSH does for a command it is bound to', async () => {
  const host = home.start(['host']);
  await eventually(host.stdout).toMatch(/\n$/);
  const said = async (args: string[], env = {}) => {
    const { stdout } = await home.run(['where', ...args], env);
    return JSON.parse(stdout) as { host: { url: string; token?: string } };
  };
  const { token } = (await said(['--token'])).host;
  expect(token).toMatch(/^.{32,}$/);
  const untold = await said([]);
  expect(untold.host.url).toBe(host.stdout().trim());
  expect(untold.host).not.toHaveProperty('token');
  for (const asked of ['chaperone where', 'chaperone where --start', 'echo --token'])
    expect((await said([], { SSH_ORIGINAL_COMMAND: asked })).host).not.toHaveProperty('token');
  for (const asked of ['chaperone where --token', '/usr/bin/node index.js where --start --token'])
    expect((await said([], { SSH_ORIGINAL_COMMAND: asked })).host.token).toBe(token);
});

test('[req:NC-7] --print-pairing says what each of its two addresses is for', async () => {
  const running = home.start(['host', '--print-pairing']);
  await eventually(running.stdout).toContain('#pair=');
  expect(running.stdout()).toMatch(
    /^(http:\/\/localhost:\d+)\nThat page is for browsers that are paired already\. To pair another one, open this link within two minutes\. It works once:\n\1\/#pair=\S+\n$/,
  );
});
