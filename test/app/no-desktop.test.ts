/** The app where the helper that reads the desktop cannot run: the real host and the real helper's start, on the stand-in. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forkHelper } from '../../src/native/macos/helper/process.js';
import { openDesktop } from '../../src/native/open.js';
import { formatEnglish } from '../../src/messages/index.js';
import { appTests } from '../support/app-tests.js';
import { eventually } from '../support/eventually.js';
import { openGabp } from '../support/gabp.js';
import { CLICK_COPY } from '../support/world.js';

const { start, agent } = appTests();

test('[req:AP-A-14] without its helper the app says so in one sentence, refuses acts with it, and still serves chat', async () => {
  const missing = join(import.meta.dirname, 'no-such-helper.mjs');
  const app = await start({
    platform: 'darwin',
    host: {
      openDesktop: (options) => openDesktop({ ...options, platform: 'darwin', backend: 'auto', startHelper: () => forkHelper(missing) }),
    },
  }); // prettier-ignore
  const { host } = app.running;
  const sentence = /^Your desktop cannot be used: .+ Messages still work; fix this, then start Chaperone again\.$/;
  const titles = host.menubar.health()?.issues.map(({ title }) => formatEnglish(title)) ?? [];
  expect(titles.filter((title) => sentence.test(title))).toHaveLength(1);
  const { message } = await (await agent()).error('desktop.click', CLICK_COPY);
  expect(message).toContain('Your desktop cannot be used');
  const gabp = await openGabp({ home: app.home, host });
  const answered = expect(gabp.tool('send_message', { text: 'Shall I go on?' })).rejects.toThrow();
  await eventually(() => host.menubar.questions().map(({ text }) => text)).toEqual(['Shall I go on?']);
  gabp.close();
  await answered;
});
