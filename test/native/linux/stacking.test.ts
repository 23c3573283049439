/** What lies on the screen, whoever put it there. */
import { expect, test } from 'vitest';
import { connectToDisplay } from '../../support/x-connection.js';
import { eventually, openLinuxDesktop } from '../../support/linux-desktop.js';
import { openRawWindow } from '../../support/sentinel.js';

test('[req:PR-21] a window that another program puts into one comes before it, as long as it shows', async () => {
  const linux = await openLinuxDesktop();
  const { env } = linux.session;
  const raw = await openRawWindow(env, { title: 'Raw' });
  const x = await connectToDisplay(env);
  const stack = () => linux.desktop.stack(new AbortController().signal);
  const { id } = await linux.window(({ app }) => app.pid === raw.pid);
  expect((await stack()).map(({ pid, managed, title }) => ({ pid, managed, title }))).toEqual([
    { pid: raw.pid, managed: true, title: 'Raw' },
  ]);
  const inside = x.client.AllocID();
  await x.send((done) => x.client.CreateWindow(inside, Number(id), 10, 10, 60, 40, 0, 0, 0, 0, {}, done));
  expect(await stack()).toHaveLength(1);
  await x.send((done) => x.client.MapWindow(inside, done));
  await eventually(async () =>
    expect(await stack()).toMatchObject([
      { pid: process.pid, managed: false, areas: [{ width: 60, height: 40 }] },
      { pid: raw.pid, managed: true },
    ]),
  );
  await x.close();
  await raw.close();
  await linux.close();
});

test('[req:RA-8] of a title that is as long as its program likes, the beginning is read', async () => {
  const linux = await openLinuxDesktop();
  const raw = await openRawWindow(linux.session.env, { title: `Long ${'x'.repeat(100_000)}` });
  const { title } = await linux.window(({ app }) => app.pid === raw.pid);
  expect(title).toMatch(/^Long x{4000,4096}$/);
  await raw.close();
  await linux.close();
});
